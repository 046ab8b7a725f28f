/** What each target of the catalogue is, for the report. */
import type { TargetName } from './row.ts';

export const IS: Readonly<Record<TargetName, string>> = {
  controls: 'a window with every common control (test/fixtures/controls)',
  accessible: 'a window that serves its own IAccessible (test/fixtures/accessible.c)',
  provider: 'a window that answers UI Automation itself (test/fixtures/provider)',
  notepad: 'the system’s Notepad',
  wordpad: 'WordPad: a rich edit control and tool bars',
  regedit: 'the registry editor: a tree and a list view',
  winecfg: 'winecfg: property pages of dialog controls',
  taskmgr: 'the task manager: a dialog that redraws itself continuously',
  console: 'a console window with a program that asks (test/fixtures/prompt.c)',
};
