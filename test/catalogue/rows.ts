/** The whole catalogue. */
import type { Row, TargetName } from './row.ts';
import { accessible } from './rows/accessible.ts';
import { console } from './rows/console.ts';
import { controls } from './rows/controls.ts';
import { notepad } from './rows/notepad.ts';
import { provider } from './rows/provider.ts';
import { regedit } from './rows/regedit.ts';
import { taskmgr } from './rows/taskmgr.ts';
import { winecfg } from './rows/winecfg.ts';
import { wordpad } from './rows/wordpad.ts';

export const CATALOGUE: Readonly<Record<TargetName, readonly Row[]>> = {
  controls,
  accessible,
  provider,
  notepad,
  wordpad,
  regedit,
  winecfg,
  taskmgr,
  console,
};
