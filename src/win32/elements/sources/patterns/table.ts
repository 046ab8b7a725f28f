/** Table pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtable */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationTablePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Column titles; empty where there are none. */
export function columnHeaders(element: IUIAutomationElement): string[] {
  using pattern = patternOf(element, PatternId.TablePattern, IUIAutomationTablePattern);
  using headers = pattern === null ? null : pattern.GetCurrentColumnHeaders();
  const count = headers === null ? 0 : headers.get_Length();
  return Array.from({ length: count }, (_, index) => {
    using header = headers!.GetElement(index);
    return header === null ? '' : (header.get_CurrentName() ?? '');
  });
}
