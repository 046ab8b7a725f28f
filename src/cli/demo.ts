// `uiahost demo`: opens the window of standard controls to practise on, in a process that outlives the command.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { DemoReport } from '../contract/process/demo.ts';
import { adding, type Answer, type CliContext } from './flags.ts';
import { FailedError } from './output.ts';
import { findNode, packageFolder } from './start.ts';
import { dataDirectoryOf } from '../client/locate.ts';

/** A window is shown in well under a second; a machine that is busy may take longer. */
const SHOWN_WITHIN_MS = 30_000;

export interface DemoFlags {
  readonly another?: boolean;
}

export function addDemoCommand(program: Command, context: CliContext): void {
  const open = async (flags: DemoFlags): Promise<Answer> => {
    const { report } = await openDemo(context.env, flags);
    const { hwnd, pid, title, wasOpen } = report;
    return { value: report, text: `${title} is ${wasOpen ? 'already open' : 'open'}: hwnd ${hwnd}, process ${pid}` };
  };
  adding(program, context)('demo', open)
    .description('open "uiahost demo", a window of standard controls to practise on')
    .helpGroup('Host:')
    .option('--another', 'open one more where one is open already')
    .addHelpText(
      'after',
      '\nIt is a process of its own and needs no host. It stays open until its window is closed, and on Linux until node scripts/start.mjs ends.',
    );
}

/**
 * Opens the demo, or finds the open one. `child` is its process, or on Linux its starter.
 * Errors: FailedError with what the process wrote.
 */
export async function openDemo(
  env: NodeJS.ProcessEnv,
  { another }: DemoFlags,
): Promise<{ report: DemoReport; child: ChildProcess }> {
  const words = another === true ? ['--another'] : [];
  const child = startDemoProcess(env, words, 'ignore');
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout! });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      const failed = (what: string): void => reject(new FailedError(`The demo did not open: ${what}`, hint(errors)));
      const timer = setTimeout(() => failed('no window within 30 s.'), SHOWN_WITHIN_MS);
      lines.once('line', (first) => {
        clearTimeout(timer);
        resolve(first);
      });
      child.once('error', (error) => failed(error.message));
      // 'close' comes after its last output.
      child.once('close', (code) => failed(errors.trim() === '' ? `it ended with status ${code}.` : errors.trim()));
    });
    return { report: JSON.parse(line) as DemoReport, child };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    // The demo outlives this command.
    lines.close();
    child.stdout!.destroy();
    child.stderr!.destroy();
    child.unref();
  }
}

/** The demo's process with these arguments, its output piped. Errors: FailedError if this machine cannot run it. */
export function startDemoProcess(
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  input: 'pipe' | 'ignore',
): ChildProcess {
  const [program, args] = launcher();
  // Not windowsHide: it would hide the demo's window too. Detached, it gets no console.
  return spawn(program, [...args, ...words], {
    env: { ...env, UIAHOST_DATA_DIR: dataDirectoryOf(env) },
    detached: true,
    stdio: [input, 'pipe', 'pipe'],
  });
}

const hint = (errors: string): string | undefined =>
  errors.includes('try:') ? undefined : 'uiahost doctor lists what prevents windows on this machine.';

/** Errors: FailedError if this machine cannot show it. */
function launcher(): [program: string, args: string[]] {
  const folder = packageFolder();
  const bundle = join(folder, 'dist', 'demo.mjs');
  const script = join(folder, 'scripts', 'demo.mjs');
  if (process.platform === 'win32' && existsSync(bundle)) return [findNode(folder), [bundle]];
  if (existsSync(script)) return [process.execPath, [script]];
  throw new FailedError(
    'This installation cannot show the demo on this system: it needs Windows, or a checkout with Wine.',
    'On Linux: clone the repository and run node scripts/start.mjs in it, which opens the demo.',
  );
}
