/** The programs of the task catalogue: how each is started for one task, and which of its settings it saves. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, windowsPath } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import { startProgram } from '../support/programs.ts';
import { type Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { SeenWindow } from '../support/witness.ts';
import type { ProgramName } from './program-names.ts';
import type { Place } from './task.ts';

/** A running program. */
export interface Running extends AsyncDisposable {
  readonly hwnd: string;
  readonly pid: number;
  readonly journal: Journal | null;
  hasEnded(): Promise<boolean>;
}

interface Recipe {
  start(scene: Scene, place: Place, args: readonly string[]): Promise<Running>;
  /** Keys below HKEY_CURRENT_USER where the program, or the system for it, saves positions, sizes and recent files. */
  readonly keeps: readonly string[];
}

/** The system's file dialogs remember their last folder. */
const FILE_DIALOGS = [
  String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\ComDlg32`,
  String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\RecentDocs`,
];
const SETTLED_MS = 20_000;

async function run(
  scene: Scene,
  program: string,
  args: readonly string[],
  journal: Journal | null,
  isIt: (window: SeenWindow) => boolean,
): Promise<Running> {
  const before = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
  const running = startProgram(program, args);
  const isGone = async (hwnd: string): Promise<boolean> =>
    (await scene.witness.windows()).every((window) => window.hwnd !== hwnd);
  try {
    const { hwnd, pid } = await scene.window((window) => isIt(window) && !before.has(window.hwnd), SETTLED_MS);
    return {
      hwnd,
      pid,
      journal,
      hasEnded: () => isGone(hwnd),
      async [Symbol.asyncDispose]() {
        // a console's window belongs to a different process from the started one
        if (!(await isGone(hwnd))) await scene.witness.close(hwnd);
        await running.kill();
        await until(
          async () => (await scene.witness.windows()).filter((window) => window.pid === pid),
          (left) => left.length === 0,
          SETTLED_MS,
        );
      },
    };
  } catch (error) {
    await running.kill();
    throw error;
  }
}

/** One of our own, with its journal next to the task's folder. */
const own = (name: string, keeps: readonly string[] = []): Recipe => ({
  keeps,
  async start(scene, _place, args) {
    const journal = new Journal(join(scene.folder(), `${name}.jsonl`));
    const started = run(
      scene,
      fixture(`${name}.exe`),
      ['--journal', windowsPath(journal.file), ...args],
      journal,
      ({ hwnd }) =>
        existsSync(journal.file) && journal.events({ event: 'ready' }).some((ready) => String(ready['hwnd']) === hwnd),
    );
    return started;
  },
});
const app = (name: string): Recipe => {
  const { start } = own(name);
  return {
    keeps: [],
    start: (scene, place, args) => start(scene, place, ['--folder', place.path(), '--key', place.key, ...args]),
  };
};
const ofSystem = (program: string, isIt: (window: SeenWindow) => boolean, keeps: readonly string[]): Recipe => ({
  keeps,
  start: (scene, _place, args) => run(scene, program, args, null, isIt),
});

export const RECIPES: Readonly<Record<ProgramName, Recipe>> = {
  notepad: ofSystem('notepad.exe', ({ className }) => className === 'Notepad', [
    String.raw`Software\Microsoft\Notepad`,
    ...FILE_DIALOGS,
  ]),
  wordpad: ofSystem(
    String.raw`C:\Program Files\Windows NT\Accessories\wordpad.exe`,
    ({ className }) => className === 'WORDPADTOP',
    [String.raw`Software\Microsoft\Windows\CurrentVersion\Applets\Wordpad`, ...FILE_DIALOGS],
  ),
  regedit: ofSystem('regedit.exe', ({ className }) => className === 'RegEdit_RegEdit', [
    String.raw`Software\Microsoft\Windows\CurrentVersion\Applets\Regedit`,
  ]),
  winecfg: ofSystem('winecfg.exe', ({ title }) => title === 'Wine configuration', []),
  taskmgr: ofSystem('taskmgr.exe', ({ title }) => title === 'Task Manager', [
    String.raw`Software\Wine\TaskManager`,
    String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\RunMRU`,
    'Console',
  ]),
  uninstaller: ofSystem('uninstaller.exe', ({ title }) => title === 'Add/Remove Programs', []),
  console: ofSystem('wineconsole.exe', ({ className }) => className === 'WineConsoleClass', ['Console']),
  editor: own('editor', FILE_DIALOGS),
  wizard: app('wizard'),
  sheet: app('sheet'),
  shelf: app('shelf'),
  notes: app('notes'),
  tabs: app('tabs'),
  picks: app('picks'),
  ribbon: app('ribbon'),
  loops: app('loops'),
};
