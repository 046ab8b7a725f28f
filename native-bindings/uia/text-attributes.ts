/**
 * Attributes of texts, and the two ends of a range, which mingw-w64's headers lack.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-textattribute-ids
 */
export const TextAttributeId = { FontName: 40005, FontSize: 40006, FontWeight: 40007, ForegroundColor: 40008 } as const;

/** Source: learn.microsoft.com/windows/win32/api/uiautomationcore/ne-uiautomationcore-textpatternrangeendpoint */
export const TextPatternRangeEndpoint = { Start: 0, End: 1 } as const;
