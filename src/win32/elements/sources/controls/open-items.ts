/** A control's items together with the time and memory needed to read them. */
import { Asker } from '../../../windows/ask.ts';
import type { ControlKind } from '../../../windows/classes.ts';
import { RemoteBlocks } from '../../tree/remote-memory.ts';
import type { TreeNode } from '../../tree/tree.ts';
import type { WindowEntry } from '../child-windows.ts';
import { comboItems } from './combo-box.ts';
import type { ItemList, ItemReader } from './item-list.ts';
import { listBoxItems } from './list-box.ts';
import { listViewItems } from './list-view.ts';
import { treeItems } from './tree-view.ts';

const LISTS: Partial<Record<ControlKind, (reader: ItemReader) => ItemList | null>> = {
  'list-box': listBoxItems,
  'list-view': listViewItems,
  'tree-view': treeItems,
  'combo-box': comboItems,
};

/** Reserved for reading the found items after the search time is over. */
const FOUND_MS = 1000;

/** A control's items with the time and memory to read them; disposable. */
export class OpenItems implements Disposable {
  readonly list: ItemList;
  readonly asker: Asker;
  readonly #remote: RemoteBlocks;
  readonly #end: number;

  private constructor(list: ItemList, asker: Asker, remote: RemoteBlocks, end: number) {
    this.list = list;
    this.asker = asker;
    this.#remote = remote;
    this.#end = end;
  }

  /** The search time is over; found items can still be read. */
  get isOver(): boolean {
    return performance.now() >= this.#end || this.asker.isPartial;
  }

  /**
   * Null for controls without items, and where items cannot be read: the program does not answer, or its memory may not
   * be used.
   * @param node the control's node in the tree that its items are added to
   */
  static open({ info, kind }: WindowEntry, node: TreeNode, budgetMs: number, mayUseMemory: boolean): OpenItems | null {
    const end = performance.now() + budgetMs;
    const asker = new Asker(budgetMs + FOUND_MS);
    const remote = new RemoteBlocks(mayUseMemory);
    const list = asker.answers(info.hwnd) ? (LISTS[kind]?.({ info, node, asker, remote }) ?? null) : null;
    if (list !== null) return new OpenItems(list, asker, remote, end);
    remote[Symbol.dispose]();
    return null;
  }

  [Symbol.dispose](): void {
    this.#remote[Symbol.dispose]();
  }
}
