/** The items of a control with the time and memory to read them. */
import { Asker } from '../../../windows/ask.ts';
import type { ControlKind } from '../../../windows/classes.ts';
import { RemoteBlocks } from '../../remote-memory.ts';
import type { TreeNode } from '../../tree.ts';
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

/** For reading what was found when the time for the search is over. */
const FOUND_MS = 1000;

/** A control's items with the time and memory to read them, until it is disposed of. */
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

  /** Time is over for going through items; what was found can still be read. */
  get isOver(): boolean {
    return performance.now() >= this.#end || this.asker.isPartial;
  }

  /**
   * Null for controls without items, and where they cannot be read: its program does not answer, or its memory may not be
   * used.
   * @param node what stands for the control in the tree that its items are put into
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
