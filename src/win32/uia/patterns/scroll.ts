/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscroll */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, ScrollAmount } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationScrollPattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Percent from the top; null where it does not scroll up and down. */
export function verticalPercent(element: IUIAutomationElement): number | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable() ? null : pattern.get_CurrentVerticalScrollPercent();
}

/** Null: not supported. */
export function pageDown(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable() ? null : pattern.ScrollAsync(ScrollAmount.NoAmount, ScrollAmount.LargeIncrement);
}
