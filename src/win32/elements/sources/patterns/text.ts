/** Text pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtextandtextrange */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationTextPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** The visible text, at most `most` characters; null where the element does not report it. */
export function readVisibleText(element: IUIAutomationElement, most: number): string | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  using ranges = pattern?.GetVisibleRanges() ?? null;
  if (ranges === null) return null;
  let text = '';
  for (let index = 0; index < ranges.get_Length() && text.length < most; index += 1) {
    using range = ranges.GetElement(index);
    text += `${range?.GetText(most - text.length) ?? ''}\n`;
  }
  return text;
}

/**
 * The text of a document or field, at most `most` characters. The caller has checked that it is not a password field.
 * Null: not supported.
 */
export function readText(element: IUIAutomationElement, most: number): string | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  if (pattern === null) return null;
  using range = pattern.get_DocumentRange();
  return range === null ? null : range.GetText(most);
}
