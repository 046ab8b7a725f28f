/** Invoke pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementinginvoke */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationInvokePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/**
 * Invokes it on another thread: a provider may return only when the dialog that it opened is closed. Null: not
 * supported.
 */
export function invoke(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.InvokePattern, IUIAutomationInvokePattern);
  return pattern === null ? null : pattern.InvokeAsync();
}
