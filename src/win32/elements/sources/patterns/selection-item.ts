/** SelectionItem pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingselectionitem */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationSelectionItemPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Selects only this item. Null: not supported. */
export function selectAlone(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.SelectionItemPattern, IUIAutomationSelectionItemPattern);
  return pattern === null ? null : pattern.SelectAsync();
}

export function isSelected(element: IUIAutomationElement): boolean | undefined {
  using pattern = patternOf(element, PatternId.SelectionItemPattern, IUIAutomationSelectionItemPattern);
  return pattern === null ? undefined : pattern.get_CurrentIsSelected();
}
