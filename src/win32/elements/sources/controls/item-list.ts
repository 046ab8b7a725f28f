/** Access to any item of a partly read control: by index, by the control's own search, or by reading all in order. */
import type { Asker } from '../../../windows/ask.ts';
import type { RemoteBlocks } from '../../tree/remote-memory.ts';
import type { TreeNode } from '../../tree/tree.ts';
import type { WindowInfo } from '../../../windows/window-info.ts';

/** An item as a search finds it. */
export interface ListedItem {
  readonly index: number;
  /** Identifies the item in the control's messages. */
  readonly handle: number;
  readonly name: string;
  /** Nesting depth: 0 in lists. */
  readonly depth: number;
}

export interface ItemList {
  /** The number of items, read or not. */
  readonly count: number;
  /**
   * Items with exactly this text, by the control's own search. An empty result proves nothing: some controls cannot
   * search.
   */
  find(text: string): ListedItem[];
  /**
   * Every item from an index on, in order. Null where there is no result yet, so that other work gets a turn. Ends
   * early if the control stops answering.
   */
  items(from: number): Generator<ListedItem | null, void>;
  /**
   * Its node below the nodes of its ancestors, outermost first; null if it is gone. `name`: as it was read just now,
   * where it need not be read again.
   */
  branch(item: Pick<ListedItem, 'index' | 'handle'> & { readonly name?: string }): TreeNode[] | null;
  /** The rows in view, read now; absent where a search finds every text. */
  shown?(): ListedItem[];
  /** One item, without reading others; absent where its index does not identify it. Null if it was not answered. */
  at?(index: number): ListedItem | null;
  /** The item that had this identity below the control's, if it still has its name. */
  known?(identity: string): ListedItem | null;
  /** The node of an item that was just read, without asking where it is; absent where only `branch` makes nodes. */
  row?(item: Pick<ListedItem, 'index' | 'name'>): TreeNode;
}

/** What a list is read with. */
export interface ItemReader {
  readonly info: WindowInfo;
  /** The control's node. */
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
}
