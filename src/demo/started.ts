/** Programs that the selftest's witness starts, and the question that the demo asks in a console. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { StartedProgram } from '../contract/process/demo.ts';

/** The demo's switch for it. */
export const ASKS = 'asks';

/** Where Windows has them. */
const PLACES: Readonly<Record<string, ReadonlyArray<readonly [variable: string, path: string]>>> = {
  powershell: [['SystemRoot', String.raw`System32\WindowsPowerShell\v1.0\powershell.exe`]],
  edge: ['ProgramFiles(x86)', 'ProgramFiles'].map((each) => [each, String.raw`Microsoft\Edge\Application\msedge.exe`]),
};
const started = new Map<number, ChildProcess>();
const folders: string[] = [];

/** Its process; null where it is not on this machine. */
export function startProgram({ words: [name = '', ...args], input, page }: StartedProgram): number | null {
  const places = PLACES[name]?.map(([variable, path]) => join(process.env[variable] ?? '', path)) ?? [name];
  const program = places.find(existsSync);
  if (program === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-selftest-'));
  folders.push(folder);
  const file = join(folder, 'page.html');
  if (page !== undefined) writeFileSync(file, page);
  const filled = args.map((word) => word.replace('{folder}', folder).replace('{page}', pathToFileURL(file).href));
  // Windows gives a console program a console, which is hidden; a program with windows would hide its first one.
  const child = spawn(program, filled, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: input !== undefined });
  child.on('error', () => {});
  child.stdin.on('error', () => {}).end(input ?? '');
  const { pid } = child;
  if (pid === undefined) return null;
  started.set(pid, child);
  child.on('exit', () => started.delete(pid));
  return pid;
}

export const hasEnded = (pid: number): boolean => !started.has(pid);

/** Ends them all; a folder that is still in use stays. */
export function endStarted(): void {
  for (const child of started.values()) child.kill();
  started.clear();
  for (const folder of folders.splice(0))
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The next clean-up of temporary files takes it.
    }
}

/** Asks a question in its own console, and shows what was answered until that console is closed. */
export function askInConsole(): void {
  process.stdout.write('uiahost selftest\nProceed? (y/n) ');
  createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`Answer: ${line}\n`));
}
