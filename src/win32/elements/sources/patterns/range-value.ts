/** RangeValue pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingrangevalue */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationRangeValuePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

export interface ValueRange {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly isReadOnly: boolean;
}

/** Null: not supported. */
export function readRange(element: IUIAutomationElement): ValueRange | null {
  using pattern = patternOf(element, PatternId.RangeValuePattern, IUIAutomationRangeValuePattern);
  if (pattern === null) return null;
  return {
    value: pattern.get_CurrentValue(),
    least: pattern.get_CurrentMinimum(),
    most: pattern.get_CurrentMaximum(),
    isReadOnly: pattern.get_CurrentIsReadOnly(),
  };
}

/** Null: not supported. */
export function setRange(element: IUIAutomationElement, value: number): Promise<number> | null {
  using pattern = patternOf(element, PatternId.RangeValuePattern, IUIAutomationRangeValuePattern);
  return pattern === null ? null : pattern.SetValueAsync(value);
}
