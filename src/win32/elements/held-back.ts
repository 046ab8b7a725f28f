/** Items that a list has and has not made: UI Automation shows them once they are asked for. */
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { ElementQuery, ElementPurpose } from '../../contract/element.ts';
import { controlTypesOf } from './query.ts';
import type { Observed, ReadOptions } from './observe.ts';
import { itemsNamed } from './patterns/item-container.ts';
import { makeItem } from './patterns/scroll-item.ts';
import { describeNode, walk } from './tree.ts';

/** Lists that are asked for an item that they have not made, at most. */
const MOST_ASKED = 8;
/** Control types of items. */
const ITEM_TYPES: ReadonlySet<string> = new Set(['ListItem', 'DataItem', 'TreeItem']);

export interface HeldBack {
  /** For a person to read. */
  readonly told: string;
  /** Where it was made, its identity in a tree that is read again; else null. */
  readonly made: string | null;
}

/**
 * Asks lists that make their items when they are needed for one of exactly this name. The only one there is is made, so that
 * it can be acted on; whoever only looks changes nothing. Null where no list has it. One that does not answer says nothing
 * of its items.
 */
export async function heldBack(
  { root }: Observed,
  { name, role }: ElementQuery,
  purpose: ElementPurpose,
  { automation }: ReadOptions,
): Promise<HeldBack | null> {
  if (automation === null || name === undefined) return null;
  if (role !== undefined && !controlTypesOf(role).some((type) => ITEM_TYPES.has(type))) return null;
  using stack = new DisposableStack();
  const lists = [...walk(root)]
    .filter((node) => node.source === 'uia' && node.capabilities.has('item-container'))
    .slice(0, MOST_ASKED);
  const having = lists.flatMap((node) => {
    try {
      using list =
        node.locator.kind === 'uia'
          ? automation.find(node.hwnd, node.locator.runtimeId)
          : automation.windowElement(node.hwnd);
      const items = list === null ? [] : itemsNamed(list, name, 2);
      for (const item of items) stack.use(item);
      return items.length === 0 ? [] : [{ node, items }];
    } catch (error) {
      if (error instanceof ComError) return [];
      throw error;
    }
  });
  const [first] = having;
  if (first === undefined) return null;
  const [item] = first.items;
  const isOnly = having.length === 1 && first.items.length === 1;
  const told = having
    .map(
      ({ node, items }) =>
        `${describeNode(node)} has ${items.length === 1 ? 'an item of this name that it has not made yet' : 'several items of this name, which it has not all made yet'} (select-element makes one, by name or index)`,
    )
    .join(', ');
  if (purpose === 'look' || !isOnly || item === undefined) return { told, made: null };
  try {
    return { told, made: await makeItem(item) };
  } catch (error) {
    if (error instanceof ComError) return { told, made: null };
    throw error;
  }
}
