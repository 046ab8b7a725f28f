/**
 * LegacyIAccessible pattern. Source:
 * learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationlegacyiaccessiblepattern
 */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { AccState, PatternId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationLegacyIAccessiblePattern } from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Null: not supported, or no default action. */
export function doDefaultAction(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || !pattern.get_CurrentDefaultAction() ? null : pattern.DoDefaultActionAsync();
}

/** Null: not supported. The caller has checked the read-only and protected states. */
export function setLegacyValue(element: IUIAutomationElement, value: string): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || (pattern.get_CurrentState() & AccState.READONLY) !== 0
    ? null
    : pattern.SetValueAsync(value);
}

export function legacyState(element: IUIAutomationElement): number | undefined {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null ? undefined : pattern.get_CurrentState();
}
