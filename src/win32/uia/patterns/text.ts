/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtextandtextrange */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationTextPattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** The text of a document or field, at most `most` characters. The caller has made sure that it is no password field. Null: not supported. */
export function readText(element: IUIAutomationElement, most: number): string | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  if (pattern === null) return null;
  using range = pattern.get_DocumentRange();
  return range === null ? null : range.GetText(most);
}
