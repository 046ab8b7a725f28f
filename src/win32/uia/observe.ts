/** Reads one window: every source in its turn, merged into one tree. */
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { liveWindow } from '../windows/record.ts';
import { Asker } from './ask.ts';
import { labelFields } from './labels.ts';
import { readChildWindows, type WindowTree } from './sources/child-windows.ts';
import { readControls } from './sources/controls/index.ts';
import { clipToAncestors, markCovered, type TreeNode } from './tree.ts';

export interface Observed {
  readonly root: TreeNode;
  readonly windows: WindowTree;
  readonly asker: Asker;
  /** Something did not answer or time ran out. */
  readonly partial: boolean;
}

export interface ReadOptions {
  readonly budgetMs: number;
  /** Policy: structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
}

/** Errors: window_gone. */
export function readWindow(record: BindingRecord, options: ReadOptions): Observed {
  const hwnd = liveWindow(record);
  const asker = new Asker(options.budgetMs);
  const windows = readChildWindows(hwnd, asker);
  if (windows === null) throw new UiaHostError('window_gone', `The window “${record.title}” (${record.hwnd}) no longer exists.`);
  readControls(windows, { asker, remoteControlMemory: options.remoteControlMemory });
  const { root } = windows;
  labelFields(root, 1);
  clipToAncestors(root);
  markCovered(root);
  return { root, windows, asker, partial: asker.isPartial };
}
