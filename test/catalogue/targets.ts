/** The programs of the catalogue: how each is started, and what stands behind its second witness. */
import { join } from 'node:path';
import { fixture, windowsPath } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { Journal } from '../support/journal.ts';
import { startProgram } from '../support/programs.ts';
import type { Scene } from '../support/scene.ts';
import type { SeenWindow } from '../support/witness.ts';
import type { TargetName } from './row.ts';

/** A running target. */
export interface Target extends AsyncDisposable {
  readonly hwnd: string;
  /** As Windows programs see it: whose further windows are the target's own. */
  readonly pid: number;
  /** What the program itself writes down; null for the system's programs, which write nothing. */
  readonly journal: Journal | null;
  readonly fixture: Fixture | null;
}

interface Recipe {
  /** Said in the report. */
  readonly is: string;
  start(scene: Scene): Promise<Target>;
}

async function started(scene: Scene, program: string, args: readonly string[], isIt: (window: SeenWindow) => boolean): Promise<Target> {
  const before = new Set((await scene.witness.windows()).map(({ hwnd }) => hwnd));
  const running = startProgram(program, args);
  try {
    const { hwnd, pid } = await scene.window((window) => isIt(window) && !before.has(window.hwnd), 20_000);
    return { hwnd, pid, journal: null, fixture: null, [Symbol.asyncDispose]: () => running.kill() };
  } catch (error) {
    await running.kill();
    throw error;
  }
}

async function ofOurs(scene: Scene, name: 'controls' | 'provider' | 'accessible', args: readonly (string | number)[] = []): Promise<Target> {
  const made = await scene.fixture(name, { args });
  if (name === 'controls') await made.journal.waitFor({ event: 'late_shown' });
  return { hwnd: made.hwnd, pid: made.pid, journal: made.journal, fixture: made, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}

/** A console program that asks, in a console window of its own. */
async function consoleWith(scene: Scene, steps: readonly string[]): Promise<Target> {
  const journal = new Journal(join(scene.folder(), 'prompt.jsonl'));
  const running = startProgram('wineconsole.exe', [fixture('prompt.exe'), '--journal', windowsPath(journal.file), ...steps]);
  try {
    const ready = await journal.waitFor({ event: 'ready' }, 20_000);
    const { hwnd, pid } = await scene.window((window) => window.hwnd === String(ready['hwnd']), 20_000);
    await journal.waitFor({ event: 'asked' }, 20_000);
    return { hwnd, pid, journal, fixture: null, [Symbol.asyncDispose]: () => running.kill() };
  } catch (error) {
    await running.kill();
    throw error;
  }
}

const WORDPAD = String.raw`C:\Program Files\Windows NT\Accessories\wordpad.exe`;

export const RECIPES: Readonly<Record<TargetName, Recipe>> = {
  controls: { is: 'a window with every common control (test/fixtures/controls)', start: (scene) => ofOurs(scene, 'controls') },
  accessible: { is: 'a window that serves its own IAccessible (test/fixtures/accessible.c)', start: (scene) => ofOurs(scene, 'accessible') },
  provider: { is: 'a window that answers UI Automation itself (test/fixtures/provider)', start: (scene) => ofOurs(scene, 'provider', ['--small']) },
  notepad: { is: 'the system’s Notepad', start: (scene) => started(scene, 'notepad.exe', [], ({ className }) => className === 'Notepad') },
  wordpad: { is: 'WordPad: a rich edit control', start: (scene) => started(scene, WORDPAD, [], ({ className }) => className === 'WORDPADTOP') },
  regedit: { is: 'the registry editor: a tree and a list view', start: (scene) => started(scene, 'regedit.exe', [], ({ className }) => className === 'RegEdit_RegEdit') },
  winecfg: { is: 'winecfg: property pages of dialog controls', start: (scene) => started(scene, 'winecfg.exe', [], ({ title }) => title === 'Wine configuration') },
  taskmgr: { is: 'the task manager: a dialog that redraws itself', start: (scene) => started(scene, 'taskmgr.exe', [], ({ title }) => title === 'Task Manager') },
  console: { is: 'a console window with a program that asks (test/fixtures/prompt.c)', start: (scene) => consoleWith(scene, Array.from({ length: 40 }, () => 'text')) },
};
