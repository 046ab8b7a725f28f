/** Values, states and items of the standard controls, asked of the controls themselves. */
import type { Asker } from '../../ask.ts';
import type { ControlKind } from '../../classes.ts';
import type { WindowEntry, WindowTree } from '../child-windows.ts';
import { readButton } from './button.ts';
import { readEdit } from './edit.ts';

export interface ReadContext {
  readonly asker: Asker;
  /** Policy: memory in the target may be used. */
  readonly remoteControlMemory: boolean;
}

/** Adds to the entry's node what its messages tell. */
export type ControlReader = (entry: WindowEntry, context: ReadContext) => void;

const READERS: Partial<Record<ControlKind, ControlReader>> = {
  'button': readButton,
  'edit': readEdit,
  'rich-edit': readEdit,
};

export function readControls(windows: WindowTree, context: ReadContext): void {
  for (const entry of windows.entries.values()) READERS[entry.kind]?.(entry, context);
}
