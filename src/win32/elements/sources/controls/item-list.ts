/** Any item of a control by its index, by the control's own search, or by going through them: for controls of which a reading shows a part. */
import type { Asker } from '../../../windows/ask.ts';
import type { RemoteBlocks } from '../../remote-memory.ts';
import type { TreeNode } from '../../tree.ts';
import type { WindowInfo } from '../../../windows/window-info.ts';

/** An item as a search meets it. */
export interface ListedItem {
  readonly index: number;
  /** What the control's messages name it by. */
  readonly handle: number;
  readonly name: string;
  /** How deep it lies: 0 in lists. */
  readonly depth: number;
}

export interface ItemList {
  /** How many items there are, whether or not one of them was read. */
  readonly count: number;
  /** What has exactly this text, by the control's own search. None found says nothing: some controls cannot search. */
  find(text: string): ListedItem[];
  /**
   * Every item from an index on, in order. Null where there is nothing to tell yet: others may get their turn. Ends early
   * where something is not answered.
   */
  items(from: number): Generator<ListedItem | null, void>;
  /** Its node below the nodes of what holds it, outermost first; null where it is no longer there. */
  branch(item: Pick<ListedItem, 'index' | 'handle'>): TreeNode[] | null;
}

/** What a list is read with. */
export interface ItemReader {
  readonly info: WindowInfo;
  /** The control's node. */
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
}
