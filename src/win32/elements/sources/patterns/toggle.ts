/** Toggle pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtoggle */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, ToggleState } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationTogglePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Null: not supported. */
export function toggle(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.TogglePattern, IUIAutomationTogglePattern);
  return pattern === null ? null : pattern.ToggleAsync();
}

const WORDS: Readonly<Record<number, string>> = {
  [ToggleState.Off]: 'off',
  [ToggleState.On]: 'on',
  [ToggleState.Indeterminate]: 'mixed',
};

export function toggleState(element: IUIAutomationElement): string | undefined {
  using pattern = patternOf(element, PatternId.TogglePattern, IUIAutomationTogglePattern);
  return pattern === null ? undefined : WORDS[pattern.get_CurrentToggleState()];
}
