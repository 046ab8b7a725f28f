/**
 * ScrollItem and VirtualizedItem patterns. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-implementingscrollitem
 */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationScrollItemPattern,
  IUIAutomationVirtualizedItemPattern,
} from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';
import { plain } from './plain.ts';

/** Null: not supported. */
export function scrollItemIntoView(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollItemPattern, IUIAutomationScrollItemPattern);
  return pattern === null ? null : pattern.ScrollIntoViewAsync();
}

/**
 * Realises a virtual item: until then it has no rectangle and no value. Null: it is already realised. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-implementingvirtualizeditem
 */
export function realize(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.VirtualizedItemPattern, IUIAutomationVirtualizedItemPattern);
  return pattern === null ? null : pattern.RealizeAsync();
}

/**
 * Realises an item if it is virtual, and returns its identity in a tree read afterwards; null if it reports none.
 * Errors: ComError.
 */
export async function realizeItem(item: IUIAutomationElement): Promise<string | null> {
  await realize(item);
  const id = plain(item.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? `rid:${id.join('.')}` : null;
}
