/** The programs of the catalogue: how each is started, and its second witness. */
import { join } from 'node:path';
import { fixture, windowsPath } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { Journal } from '../support/journal.ts';
import { startProgram } from '../support/programs.ts';
import { type Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import type { SeenWindow } from '../support/witness.ts';
import type { TargetName } from './row.ts';
import { STEPS } from './rows/console.ts';

/** A running target. */
export interface Target extends AsyncDisposable {
  readonly hwnd: string;
  /** As Windows programs see it: the process whose other windows belong to the target. */
  readonly pid: number;
  /** The program's own journal; null for the system's programs, which have none. */
  readonly journal: Journal | null;
  readonly fixture: Fixture | null;
}

interface Recipe {
  start(scene: Scene): Promise<Target>;
}

/** Ends a program and waits until its window is gone too: its handle may soon be reused. */
async function endWith(scene: Scene, hwnd: string, end: () => Promise<void>): Promise<void> {
  await end();
  await until(
    () => scene.witness.windows(),
    (windows) => windows.every((window) => window.hwnd !== hwnd),
    20_000,
  );
}

async function started(
  scene: Scene,
  program: string,
  args: readonly string[],
  isIt: (window: SeenWindow) => boolean,
): Promise<Target> {
  const before = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
  const running = startProgram(program, args);
  try {
    const { hwnd, pid } = await scene.window((window) => isIt(window) && !before.has(window.hwnd), 20_000);
    return {
      hwnd,
      pid,
      journal: null,
      fixture: null,
      [Symbol.asyncDispose]: () => endWith(scene, hwnd, () => running.kill()),
    };
  } catch (error) {
    await running.kill();
    throw error;
  }
}

async function ofOurs(
  scene: Scene,
  name: 'controls' | 'provider' | 'accessible',
  args: readonly (string | number)[] = [],
): Promise<Target> {
  const made = await scene.fixture(name, { args });
  if (name === 'controls') await made.journal.waitFor({ event: 'late_shown' });
  return {
    hwnd: made.hwnd,
    pid: made.pid,
    journal: made.journal,
    fixture: made,
    [Symbol.asyncDispose]: () =>
      endWith(scene, made.hwnd, async () => {
        await made[Symbol.asyncDispose]();
      }),
  };
}

/** A console program with prompts, in its own console window. */
async function consoleWith(scene: Scene, steps: readonly string[]): Promise<Target> {
  const journal = new Journal(join(scene.folder(), 'prompt.jsonl'));
  const running = startProgram('wineconsole.exe', [
    fixture('prompt.exe'),
    '--journal',
    windowsPath(journal.file),
    ...steps,
  ]);
  try {
    const ready = await journal.waitFor({ event: 'ready' }, 20_000);
    const { hwnd, pid } = await scene.window((window) => window.hwnd === String(ready['hwnd']), 20_000);
    await journal.waitFor({ event: 'asked' }, 20_000);
    return {
      hwnd,
      pid,
      journal,
      fixture: null,
      [Symbol.asyncDispose]: () =>
        endWith(scene, hwnd, async () => {
          await scene.witness.close(hwnd);
          await running.kill();
        }),
    };
  } catch (error) {
    await running.kill();
    throw error;
  }
}

const WORDPAD = String.raw`C:\Program Files\Windows NT\Accessories\wordpad.exe`;

export const RECIPES: Readonly<Record<TargetName, Recipe>> = {
  controls: { start: (scene) => ofOurs(scene, 'controls') },
  accessible: { start: (scene) => ofOurs(scene, 'accessible') },
  provider: { start: (scene) => ofOurs(scene, 'provider', ['--small']) },
  notepad: { start: (scene) => started(scene, 'notepad.exe', [], ({ className }) => className === 'Notepad') },
  wordpad: { start: (scene) => started(scene, WORDPAD, [], ({ className }) => className === 'WORDPADTOP') },
  regedit: { start: (scene) => started(scene, 'regedit.exe', [], ({ className }) => className === 'RegEdit_RegEdit') },
  winecfg: { start: (scene) => started(scene, 'winecfg.exe', [], ({ title }) => title === 'Wine configuration') },
  taskmgr: { start: (scene) => started(scene, 'taskmgr.exe', [], ({ title }) => title === 'Task Manager') },
  console: { start: (scene) => consoleWith(scene, STEPS) },
};
