/** The programs that `npm run programs` got, and how tests start them. */
import path from 'node:path';
import type { Scene } from '../support/scene.ts';
import { startProgram } from '../support/programs.ts';
import type { SeenWindow } from '../support/witness.ts';

interface Toolkit {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** Errors: not started by `npm run programs`. */
function toolkit(name: string): Toolkit {
  const all = JSON.parse(process.env['UIAHOST_TOOLKITS'] ?? '{}') as Record<string, Toolkit>;
  const found = all[name];
  if (found === undefined) throw new Error(`No folder for ${name}: run these tests by node scripts/programs.mjs.`);
  return found;
}

/** Under Wine each element of another process costs a dozen calls across processes: minutes for a large window. */
export const PATIENT = { deadlineMs: 120_000 };
export const patiently = <T extends object>(input: T): T & typeof PATIENT => ({ ...input, ...PATIENT });

/** A program of a toolkit with its window; ended where its block ends. */
export interface Opened extends AsyncDisposable {
  readonly window: SeenWindow;
}

/** Starts a program and waits until a window with this title shows. */
export async function open(scene: Scene, file: string, title: string, args: readonly string[] = []): Promise<Opened> {
  const program = startProgram(file, args);
  try {
    const window = await scene.window((each) => each.title === title, 90_000);
    return { window, [Symbol.asyncDispose]: () => program.kill() };
  } catch (error) {
    await program.kill();
    throw error;
  }
}

export const inside = (name: string, ...parts: readonly string[]): string => path.join(toolkit(name).folder, ...parts);
