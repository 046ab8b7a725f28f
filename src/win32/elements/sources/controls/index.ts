/** The readers of each kind of control: values, states and items by its own messages, the text of custom controls. */
import type { ControlKind } from '../../../windows/classes.ts';
import type { WindowEntry } from '../child-windows.ts';
import {
  readButton,
  fieldCue,
  readEdit,
  readHeader,
  readLink,
  readCalendar,
  readDateTime,
  readHotKey,
  readIpAddress,
  readProgressBar,
  readScrollBar,
  readTrackBar,
  readUpDown,
  readRebar,
  readStatusBar,
  readTab,
  readCustomEditor,
} from './simple-controls.ts';
import { comboCue, comboItems, readComboBox } from './combo-box.ts';
import type { ControlReader, ReadContext, ItemList, ItemReader } from './items.ts';
import { readListBox, listBoxItems } from './list-box.ts';
import { readListView, listViewItems } from './list-view.ts';
import { readToolBar } from './tool-bar.ts';
import { readTreeView, treeItems } from './tree-view.ts';
import { Asker } from '../../../windows/ask.ts';
import { RemoteBlocks } from '../../tree/remote-memory.ts';
import type { TreeNode } from '../../tree/tree.ts';

const READERS: Partial<Record<ControlKind, ControlReader>> = {
  button: readButton,
  edit: readEdit,
  'rich-edit': readEdit,
  'combo-box': readComboBox,
  'list-box': readListBox,
  'list-view': readListView,
  'tree-view': readTreeView,
  tab: readTab,
  'tool-bar': readToolBar,
  'status-bar': readStatusBar,
  'track-bar': readTrackBar,
  'progress-bar': readProgressBar,
  'up-down': readUpDown,
  'scroll-bar': readScrollBar,
  header: readHeader,
  'date-time': readDateTime,
  calendar: readCalendar,
  'ip-address': readIpAddress,
  'hot-key': readHotKey,
  link: readLink,
  rebar: readRebar,
  other: readCustomEditor,
};

/** Reads one control if its thread answers: some Windows functions would wait for it. */
export function readControl(entry: WindowEntry, context: ReadContext): void {
  const read = READERS[entry.kind];
  if (read !== undefined && context.asker.answers(entry.info.hwnd)) read(entry, context);
}

/** What a field shows while it is empty. */
export function cueOf(entry: WindowEntry, { asker, remote }: Pick<ReadContext, 'asker' | 'remote'>): string | null {
  // GetComboBoxInfo waits for a program that hangs.
  if (!asker.answers(entry.info.hwnd)) return null;
  return entry.kind === 'combo-box' ? comboCue(entry.info.hwnd, asker, remote) : fieldCue(entry, { asker, remote });
}

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
