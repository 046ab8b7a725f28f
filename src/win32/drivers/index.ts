/**
 * The drivers: each alone knows the messages of its kinds of standard control. What the drivers ask and change is all
 * that controls are sent: the closed tables of messages are filled from their lists here, at start.
 */
import type { ControlKind } from '../windows/classes.ts';
import { Asker } from '../windows/ask.ts';
import { admitAsks } from '../windows/ask.ts';
import { admitChanges } from '../exits/messages.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import type { ItemKind, TreeNode } from '../elements/tree/tree.ts';
import { bars } from './bars.ts';
import { button } from './button.ts';
import { combo } from './combo.ts';
import type { Driver, ReadContext, WindowEntry } from './driver.ts';
import { customEditor, edit, richEdit } from './edit.ts';
import { header } from './header.ts';
import { link } from './link.ts';
import { listBox } from './list-box.ts';
import { listView } from './list-view/index.ts';
import { pickers } from './picker.ts';
import { positions } from './position.ts';
import { tab } from './tab.ts';
import { toolBar, toolTip } from './tool-bar.ts';
import { treeView } from './tree-view.ts';

const DRIVERS: readonly Driver[] = [
  [button, edit, richEdit, customEditor, combo, listBox, listView, treeView, tab, header, toolBar, toolTip, link],
  positions,
  pickers,
  bars,
].flat();

const OF_KIND = new Map<ControlKind, Driver>(DRIVERS.flatMap((driver) => driver.kinds.map((kind) => [kind, driver])));
const OF_ITEM = new Map<ItemKind, Driver>(
  DRIVERS.flatMap((driver) => (driver.item === undefined ? [] : [[driver.item, driver]])),
);

for (const { kinds, asks, changes } of DRIVERS) {
  admitAsks(kinds, asks);
  admitChanges(kinds, changes ?? []);
}

export const driverOf = (kind: ControlKind): Driver | undefined => OF_KIND.get(kind);
export const driverOfItem = (item: ItemKind): Driver | undefined => OF_ITEM.get(item);

/** Reads one control if its thread answers: some Windows functions would wait for it. */
export function readControl(entry: WindowEntry, context: ReadContext): void {
  const read = driverOf(entry.kind)?.read;
  if (read !== undefined && context.asker.answers(entry.info.hwnd)) read(entry, context);
}

/** What a field shows while it is empty. */
export function cueOf(entry: WindowEntry, context: Pick<ReadContext, 'asker' | 'remote'>): string | null {
  // GetComboBoxInfo waits for a program that hangs.
  if (!context.asker.answers(entry.info.hwnd)) return null;
  return driverOf(entry.kind)?.cue?.(entry, context) ?? null;
}

/** Reserved for reading the found items after the search time is over. */
const FOUND_MS = 1000;

/** A control's items with the time and memory to read them. */
export type OpenItems = NonNullable<ReturnType<typeof openItems>>;

/**
 * Null for controls without items, and where items cannot be read: the program does not answer, or its memory may not
 * be used.
 * @param node the control's node in the tree that its items are added to
 */
export function openItems({ info, kind }: WindowEntry, node: TreeNode, budgetMs: number, mayUseMemory: boolean) {
  const end = performance.now() + budgetMs;
  const asker = new Asker(budgetMs + FOUND_MS);
  const remote = new RemoteBlocks(mayUseMemory);
  const free = (): void => remote[Symbol.dispose]();
  const list = asker.answers(info.hwnd) ? (driverOf(kind)?.items?.({ info, node, asker, remote }) ?? null) : null;
  if (list !== null)
    return {
      list,
      asker,
      /** The search time is over; found items can still be read. */
      get isOver(): boolean {
        return performance.now() >= end || asker.isPartial;
      },
      [Symbol.dispose]: free,
    };
  free();
  return null;
}
