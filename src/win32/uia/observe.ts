/** Reads one window: every source in its turn, merged into one tree. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { liveWindow } from '../windows/record.ts';
import { Asker } from './ask.ts';
import { labelFields } from './labels.ts';
import { readChildWindows, type WindowTree } from './sources/child-windows.ts';
import { readControl } from './sources/controls/index.ts';
import { RemoteBlocks } from './remote-memory.ts';
import { clipToAncestors, markCovered, type TreeNode } from './tree.ts';

export interface Observed {
  readonly root: TreeNode;
  readonly windows: WindowTree;
  /** Something did not answer or time ran out. */
  readonly partial: boolean;
  /** One more question within the same budget. */
  ask(hwnd: number, message: number): number | null;
}

export interface ReadOptions {
  readonly budgetMs: number;
  /** Policy: structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
  /** All items of every control, not only those in view. */
  readonly allItems?: boolean;
  /** Only this window and those above it: to look at one element again. */
  readonly only?: number;
  /** An item of that window which must be among those read. */
  readonly item?: { readonly index: number; readonly handle: number };
}

/** Errors: window_gone. */
export function readWindow(record: BindingRecord, options: ReadOptions): Observed {
  const hwnd = liveWindow(record);
  const asker = new Asker(options.budgetMs);
  using remote = new RemoteBlocks(options.remoteControlMemory);
  const windows = readChildWindows(hwnd, asker, options.only ?? null);
  if (windows === null) throw new UiaHostError('window_gone', `The window “${record.title}” (${record.hwnd}) no longer exists.`);
  const context = { asker, remote, allItems: options.allItems ?? false, wanted: options.item ?? null, windows };
  for (const entry of windows.entries.values()) {
    if (options.only === undefined || entry.info.hwnd === options.only) readControl(entry, context);
  }
  const { root } = windows;
  labelFields(root, scaleOf(hwnd));
  clipToAncestors(root);
  markCovered(root);
  return { root, windows, partial: asker.isPartial, ask: (window, message) => asker.ask(window, message) };
}

/** 1 at 96 DPI. */
function scaleOf(hwnd: number): number {
  const dpi = user32.has('GetDpiForWindow') ? user32.GetDpiForWindow(hwnd) : 0;
  return dpi === 0 ? 1 : dpi / 96;
}
