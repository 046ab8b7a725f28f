/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscrollitem */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationScrollItemPattern, IUIAutomationVirtualizedItemPattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Null: not supported. */
export function scrollItemIntoView(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollItemPattern, IUIAutomationScrollItemPattern);
  return pattern === null ? null : pattern.ScrollIntoViewAsync();
}

/** Makes a virtual item real: until then it has no place and no value. Null: it is real. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvirtualizeditem */
export function realize(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.VirtualizedItemPattern, IUIAutomationVirtualizedItemPattern);
  return pattern === null ? null : pattern.RealizeAsync();
}
