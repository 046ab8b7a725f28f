/** ExpandCollapse pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingexpandcollapse */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { ExpandCollapseState, PatternId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationExpandCollapsePattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

const WORDS: Readonly<Record<number, string>> = {
  [ExpandCollapseState.Collapsed]: 'collapsed',
  [ExpandCollapseState.Expanded]: 'expanded',
  [ExpandCollapseState.PartiallyExpanded]: 'partly expanded',
  [ExpandCollapseState.LeafNode]: 'leaf',
};

export function expandState(element: IUIAutomationElement): string | undefined {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  return pattern === null ? undefined : WORDS[pattern.get_CurrentExpandCollapseState()];
}

/** Expands what is collapsed and collapses what is expanded, as a click does. Null: not supported, or there is nothing to expand. */
export function expandOrCollapse(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  if (pattern === null) return null;
  const state = pattern.get_CurrentExpandCollapseState();
  if (state === ExpandCollapseState.LeafNode) return null;
  return state === ExpandCollapseState.Expanded ? pattern.CollapseAsync() : pattern.ExpandAsync();
}

/** Expands it and leaves it open. Null: not supported, or nothing to expand. */
export function expand(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  if (pattern === null) return null;
  const state = pattern.get_CurrentExpandCollapseState();
  if (state === ExpandCollapseState.LeafNode) return null;
  return state === ExpandCollapseState.Expanded ? Promise.resolve(0) : pattern.ExpandAsync();
}

export function collapse(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  return pattern === null ? null : pattern.CollapseAsync();
}
