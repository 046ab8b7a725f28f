/**
 * ItemContainer pattern: lists that virtualise their items. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-implementingitemcontainer
 */
import type { IUIAutomationElement } from '../../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId } from '../../../../../native-bindings/uia/identifiers.generated.ts';
import { IUIAutomationItemContainerPattern } from '../../../../../native-bindings/uia/patterns.generated.ts';
import { patternOf } from './pattern.ts';

/** Matches any item. */
const ANY = 0;

/**
 * The first item with exactly this name, realised or not, which the caller disposes of; null if there is none. Errors:
 * ComError.
 */
export function itemNamed(container: IUIAutomationElement, name: string): IUIAutomationElement | null {
  return itemsNamed(container, name, 1)[0] ?? null;
}

/** The first `most` items with exactly this name, realised or not, which the caller disposes of. Errors: ComError. */
export function itemsNamed(container: IUIAutomationElement, name: string, most: number): IUIAutomationElement[] {
  using pattern = patternOf(container, PatternId.ItemContainerPattern, IUIAutomationItemContainerPattern);
  const found: IUIAutomationElement[] = [];
  if (pattern === null) return found;
  while (found.length < most) {
    const next = pattern.FindItemByProperty(found.at(-1) ?? null, PropertyId.Name, name);
    if (next === null) break;
    found.push(next);
  }
  return found;
}

/** Every item in order, realised or not; each is disposed of when the next is requested. Errors: ComError. */
export function* itemsInside(container: IUIAutomationElement): Generator<IUIAutomationElement, void> {
  using pattern = patternOf(container, PatternId.ItemContainerPattern, IUIAutomationItemContainerPattern);
  let item = pattern?.FindItemByProperty(null, ANY, undefined) ?? null;
  while (item !== null) {
    using current: IUIAutomationElement = item;
    item = null;
    yield current;
    item = pattern!.FindItemByProperty(current, ANY, undefined);
  }
}
