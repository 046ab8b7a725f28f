/** Window pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingwindow */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../../../native-bindings/com/hresult.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationWindowPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Whether a window is modal to its owner even if the owner is not disabled; null where it does not say. */
export function isModal(element: IUIAutomationElement): boolean | null {
  using pattern = patternOf(element, PatternId.WindowPattern, IUIAutomationWindowPattern);
  try {
    return pattern === null ? null : pattern.get_CurrentIsModal();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
}
