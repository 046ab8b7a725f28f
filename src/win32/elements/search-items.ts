/** An item of a long list by its name: by the control's own search, then in view, then by going through all of them. */
import type { CallContext } from '../../desktop/call.ts';
import { inSlices } from '../windows/slices.ts';
import { RANKS, rankName } from './query.ts';
import type { ItemList, ListedItem } from './sources/controls/item-list.ts';
import type { OpenItems } from './sources/controls/open-items.ts';

/** What a search by name found. */
export interface NamedItems {
  /** The items of the best rank. */
  readonly found: readonly ListedItem[];
  /** Of `found`, as in `RANKS`; the number of ranks where there is none. */
  readonly rank: number;
  /** How many items were looked at. */
  readonly read: number;
  /** All of them were looked at, or need not be: nothing better can be among the others. */
  readonly isSure: boolean;
}

const EXACT = 0;

/** Whether a name has to be looked for among the items that no reading showed: an exact one is found by the control itself. */
export function findExact({ list }: OpenItems, name: string): NamedItems | null {
  const found = list.find(name);
  return found.length === 0 ? null : { found, rank: EXACT, read: found.length, isSure: true };
}

/** Goes through all items. Errors: cancelled. */
export async function findByName(items: OpenItems, name: string, call: CallContext): Promise<NamedItems> {
  const { list, asker } = items;
  let found: ListedItem[] = [];
  let rank: number = RANKS.length;
  let read = 0;
  await inSlices(list.items(0), call, (item) => {
    if (item === null) return !items.isOver;
    read++;
    const fits = rankName(name, [item.name]);
    const order = fits === null ? RANKS.length : RANKS.indexOf(fits);
    if (fits !== null && order <= rank) {
      if (order < rank) found = [];
      rank = order;
      found.push(item);
    }
    return !items.isOver;
  });
  return { found, rank, read, isSure: read >= list.count && !asker.isPartial };
}

/** The items of a range. Fewer where something was not answered. Errors: cancelled. */
export async function itemsFrom(
  list: ItemList,
  from: number,
  most: number,
  call: CallContext,
  take: (item: ListedItem) => boolean | void,
): Promise<void> {
  let left = Math.min(most, list.count - from);
  if (left <= 0) return;
  await inSlices(list.items(from), call, (item) => {
    if (item === null) return true;
    left--;
    return take(item) !== false && left > 0;
  });
}
