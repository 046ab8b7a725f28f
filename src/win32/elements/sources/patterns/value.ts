/** Value pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvalue */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationValuePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Null: not supported. */
export function isReadOnly(element: IUIAutomationElement): boolean | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : pattern.get_CurrentIsReadOnly();
}

/** The caller has checked that it is not a password field. Null: not supported. */
export function readValue(element: IUIAutomationElement): string | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : (pattern.get_CurrentValue() ?? '');
}

/** Null: not supported. */
export function setValue(element: IUIAutomationElement, value: string): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : pattern.SetValueAsync(value);
}
