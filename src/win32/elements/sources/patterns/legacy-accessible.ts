/**
 * LegacyIAccessible pattern. Source:
 * learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationlegacyiaccessiblepattern
 */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { AccState, PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationLegacyIAccessiblePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import type { TreeNode } from '../../tree/tree.ts';
import { patternOf } from './pattern.ts';

/** Null: not supported, or no default action. */
export function doDefaultAction(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || !pattern.get_CurrentDefaultAction() ? null : pattern.DoDefaultActionAsync();
}

/** Whether a field takes text by this pattern alone. */
export const takesLegacyText = ({ capabilities, controlType }: TreeNode): boolean =>
  capabilities.has('legacy') && !capabilities.has('value') && (controlType === 'Edit' || controlType === 'Document');

/** Null: not supported. The caller has checked the read-only and protected states. */
export function setLegacyValue(element: IUIAutomationElement, value: string): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || (pattern.get_CurrentState() & AccState.READONLY) !== 0
    ? null
    : pattern.SetValueAsync(value);
}

/** Null: not supported. The caller has made sure that it is not a password field. */
export function readLegacyValue(element: IUIAutomationElement): string | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null ? null : (pattern.get_CurrentValue() ?? '');
}

export function legacyState(element: IUIAutomationElement): number | undefined {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null ? undefined : pattern.get_CurrentState();
}
