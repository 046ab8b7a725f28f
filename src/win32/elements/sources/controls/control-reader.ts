/** What every reader of a standard control receives. */
import type { Asker } from '../../../windows/ask.ts';
import type { RemoteBlocks } from '../../tree/remote-memory.ts';
import type { WindowEntry, WindowTree } from '../child-windows.ts';

export interface ReadContext {
  readonly asker: Asker;
  readonly remote: RemoteBlocks;
  readonly windows: WindowTree;
  /** The rows of a long list are left out: the caller asks for those it needs. */
  readonly omitsRows?: boolean | undefined;
}

/** Adds what the control's messages report to the entry's node. */
export type ControlReader = (entry: WindowEntry, context: ReadContext) => void;
