/** Which ways of the table (`contract/ways`) apply to an element. */
import { ITEMS } from '../../../contract/element/control-types.ts';
import type { Receiver } from '../../../contract/element/element.ts';
import { waysFor, type Verb } from '../../../contract/ways/ways.ts';
import { kindOfWindow, readWindowInfo } from '../../windows/window-info.ts';
import { toolkitOf } from '../../windows/toolkit.ts';
import { comboParts } from '../../drivers/combo.ts';
import { driverOf } from '../../drivers/index.ts';
import type { Way } from '../../drivers/ways.ts';
import type { TreeNode } from '../tree/tree.ts';

function takesOf({ locator, capabilities, hwnd, source }: TreeNode): Receiver['takes'] {
  const isAutomation = source === 'uia' && capabilities.size > 0;
  if (locator.kind === 'msaa' || (isAutomation && (capabilities.has('value') || capabilities.has('range-value'))))
    return 'value';
  const info = locator.kind === 'window' ? readWindowInfo(hwnd) : null;
  if (info === null) return isAutomation ? 'value' : 'none';
  const kind = kindOfWindow(info.hwnd, info.className);
  if (kind === 'edit' || kind === 'rich-edit') return 'edit';
  if (kind === 'combo-box') return comboParts(info.hwnd).edit === 0 ? 'none' : 'edit';
  if (kind === 'other') return 'custom';
  // A number as its position, a date or an address.
  if (driverOf(kind)?.fill !== undefined) return 'position';
  // Other standard controls hold no text, or text that is not typed: characters would choose among their items.
  return kind === 'dialog' ? 'characters' : 'none';
}

export function receiverOf(node: TreeNode): Receiver {
  const { locator, capabilities, controlType, source } = node;
  const isAccessible = locator.kind === 'msaa';
  const isItem = ITEMS.has(controlType) || (isAccessible && capabilities.has('selection-item'));
  return {
    family: isAccessible ? 'accessible' : source === 'uia' && capabilities.size > 0 ? 'automation' : 'control',
    part: locator.kind === 'item' && locator.item === 'tab-item' ? 'tab' : isItem ? 'item' : 'plain',
    takes: takesOf(node),
    toolkit: toolkitOf(node.hwnd),
  };
}

/** The ways of a verb for this element, in the order of the table; a way that nothing makes is a mistake of the program. */
export const waysOfElement = <T>(
  verb: Verb,
  node: TreeNode,
  isReal: boolean,
  ways: Readonly<Record<string, Way<T>>>,
): ReadonlyArray<Way<T>> =>
  waysFor(verb, receiverOf(node), isReal).map(({ id }) => {
    const way = ways[id];
    if (way === undefined) throw new RangeError(`The way ${id} of ${verb} is not made.`);
    return way;
  });
