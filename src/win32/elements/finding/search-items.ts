/**
 * Finds an item of a long list by name: by the control's own search, then among visible items, then by reading all of
 * them.
 */
import type { CallContext } from '../../../desktop/call.ts';
import { inSlices } from '../../windows/waiting.ts';
import { RANKS, rankName, spelt } from './query.ts';
import type { ItemList, ListedItem } from '../../drivers/driver.ts';
import type { OpenItems } from '../../drivers/index.ts';

/** Result of a search by name. */
export interface NamedItems {
  /** The items of the best rank. */
  readonly found: readonly ListedItem[];
  /** The rank of `found`, as in `RANKS`; the number of ranks if nothing was found. */
  readonly rank: number;
  /** How many items were read. */
  readonly read: number;
  /** All items were read, or need not be: none of the others can match better. */
  readonly isSure: boolean;
}

const EXACT = 0;

/** Whether unread items must be searched for a name: the control itself finds an exact one. */
export function findExact({ list }: OpenItems, name: string): NamedItems | null {
  const found = list.find(name);
  return found.length === 0 ? null : { found, rank: EXACT, read: found.length, isSure: true };
}

/** Reads all items. Errors: cancelled. */
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
  return { found: spelt(found, (item) => item.name, name), rank, read, isSure: read >= list.count && !asker.isPartial };
}

/** The items of a range; fewer if the control stops answering. Errors: cancelled. */
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
