/** List items that are not loaded yet (virtualised): UI Automation exposes them only on request. */
import { ITEMS } from '../../../contract/element/control-groups.ts';
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { ElementQuery, ElementPurpose } from '../../../contract/element/element.ts';
import { controlTypesOf } from './query.ts';
import type { Observed, ReadOptions } from '../reading/observe.ts';
import { itemsNamed } from '../sources/grid-patterns.ts';
import { realizeItem } from '../sources/patterns.ts';
import { describeNode, walk } from '../tree/tree.ts';

/** At most this many lists are asked for an item that is not loaded. */
const MAX_ASKED = 8;
/** Control types of list items. */

export interface FoundVirtualItem {
  /** Human-readable description. */
  readonly description: string;
  /** If the item was loaded: its identity in a tree read afterwards; else null. */
  readonly realized: string | null;
}

/**
 * Asks virtualising lists for an item with exactly this name. If there is exactly one, it is loaded so that it can be
 * operated, unless the caller is only reading. Null where no list has it. A list that does not answer proves nothing
 * about its items.
 */
export async function findVirtualItem(
  { root }: Observed,
  { name, role }: ElementQuery,
  purpose: ElementPurpose,
  { automation }: ReadOptions,
): Promise<FoundVirtualItem | null> {
  if (automation === null || name === undefined) return null;
  if (role !== undefined && !controlTypesOf(role).some((type) => ITEMS.has(type))) return null;
  using stack = new DisposableStack();
  const lists = walk(root)
    .filter((node) => node.source === 'uia' && node.capabilities.has('item-container'))
    .slice(0, MAX_ASKED);
  const having = lists.flatMap((node) => {
    try {
      using list = automation.elementOf(node, root.hwnd);
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
  const description = having
    .map(
      ({ node, items }) =>
        `${describeNode(node)} has ${items.length === 1 ? 'an item of this name that is not loaded yet' : 'several items of this name, not all loaded yet'} (select-element loads one, by name or index)`,
    )
    .join(', ');
  if (purpose === 'look' || !isOnly || item === undefined) return { description, realized: null };
  try {
    return { description, realized: await realizeItem(item) };
  } catch (error) {
    if (error instanceof ComError) return { description, realized: null };
    throw error;
  }
}
