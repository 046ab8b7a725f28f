/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscrollitem */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationScrollItemPattern,
  IUIAutomationVirtualizedItemPattern,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';
import { plain } from './plain.ts';

/** Null: not supported. */
export function scrollItemIntoView(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollItemPattern, IUIAutomationScrollItemPattern);
  return pattern === null ? null : pattern.ScrollIntoViewAsync();
}

/** Makes a virtual item real: until then it has no place and no value. Null: it is real. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvirtualizeditem */
export function realize(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.VirtualizedItemPattern, IUIAutomationVirtualizedItemPattern);
  return pattern === null ? null : pattern.RealizeAsync();
}

/** Makes an item real where it is not, and gives its identity in a tree that is read then; null where it tells none. Errors: ComError. */
export async function makeItem(item: IUIAutomationElement): Promise<string | null> {
  await realize(item);
  const id = plain(item.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? `rid:${id.join('.')}` : null;
}
