/** Scroll pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscroll */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, ScrollAmount } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationScrollPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Percent from the top; null if it does not scroll vertically. */
export function verticalPercent(element: IUIAutomationElement): number | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable()
    ? null
    : pattern.get_CurrentVerticalScrollPercent();
}

/** Null: not supported. */
export function pageDown(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable()
    ? null
    : pattern.ScrollAsync(ScrollAmount.NoAmount, ScrollAmount.LargeIncrement);
}

/** Percent from the top and from the left; null for a direction in which it does not scroll. */
export type ScrollPercents = { readonly vertical: number | null; readonly horizontal: number | null };

/** Null: not supported, or it does not scroll at all. */
export function scrollPercents(element: IUIAutomationElement): ScrollPercents | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  if (pattern === null) return null;
  const vertical = pattern.get_CurrentVerticallyScrollable() ? pattern.get_CurrentVerticalScrollPercent() : null;
  const horizontal = pattern.get_CurrentHorizontallyScrollable() ? pattern.get_CurrentHorizontalScrollPercent() : null;
  return vertical === null && horizontal === null ? null : { vertical, horizontal };
}

const SMALL = {
  '-1': ScrollAmount.SmallDecrement,
  '0': ScrollAmount.NoAmount,
  '1': ScrollAmount.SmallIncrement,
} as const;

/**
 * One small step: 1 is down or right, -1 up or left. Null: not supported, or not in that direction.
 * @param down -1, 0 or 1; so is `right`
 */
export function scrollSmall(element: IUIAutomationElement, down: number, right: number): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  if (pattern === null) return null;
  const vertical = pattern.get_CurrentVerticallyScrollable() ? Math.sign(down) : 0;
  const horizontal = pattern.get_CurrentHorizontallyScrollable() ? Math.sign(right) : 0;
  const amount = (way: number): number => SMALL[String(way === 0 ? 0 : way) as keyof typeof SMALL];
  return vertical === 0 && horizontal === 0 ? null : pattern.ScrollAsync(amount(horizontal), amount(vertical));
}
