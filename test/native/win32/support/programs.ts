/** Starts and ends the programs that native tests act on, and waits for what they do. */
import type { Permit } from '../../../../src/contract/gate/exit.ts';
import { enterPermit } from '../../../../src/win32/exits/leaving.ts';
import { everyExit } from './permits.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { answers } from '../../../../src/win32/windows/ask.ts';
import { journalLines } from '../../../support/journal.ts';
import { until } from '../../../support/until.ts';

/** Programs that tests act on, started for one test and ended with it (`await using`). */

/** What no gate gives: a permit for every exit. Tests that need a real one give it with their call. */
const EVERYTHING: Permit = everyExit();

/** A call as the host makes it, except that it may send anything. */
export function newCall(overrides: Partial<CallContext> = {}): CallContext {
  enterPermit(EVERYTHING);
  return {
    owner: 'test/default',
    deadlineMs: 10_000,
    signal: new AbortController().signal,
    remoteControlMemory: true,
    ...overrides,
  };
}

/** Whether its thread takes no message now: what was answered while it did was not held up by it. */
export const hangs = async (hwnd: number): Promise<boolean> => !(await answers(hwnd, 50));

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill();
  await gone;
}

/** A Windows program by name or path. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcess;
  constructor(file: string, args: readonly string[] = [], options: { cwd?: string } = {}) {
    this.child = spawn(file, args, { stdio: 'ignore', ...options });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.child);
  }
}

function fixture(name: string): string {
  const folder = process.env['UIAHOST_FIXTURES'];
  const file = path.join(folder ?? '', `${name}.exe`);
  if (folder === undefined || !existsSync(file))
    throw new Error(
      `The test program ${name}.exe is not there. UIAHOST_FIXTURES must name the folder that scripts/build-fixtures.mjs fills.`,
    );
  return file;
}

/** A fixture's own journal. */
export interface JournalEntry {
  readonly event: string;
  readonly [key: string]: unknown;
}

/** A test program with a journal (test/fixtures). Shown without taking the foreground, unless `--activate` is given. */
export class Fixture extends Program {
  readonly #folder: string;
  hwnd = 0;

  private constructor(file: string, args: readonly string[], folder: string) {
    super(file, [...args, '--ready', path.join(folder, 'ready.json'), '--journal', path.join(folder, 'journal.jsonl')]);
    this.#folder = folder;
  }

  /** `program`: a copy of it, to be another application. */
  static async start(
    name:
      | 'controls'
      | 'sentinel'
      | 'accessible'
      | 'provider'
      | 'editor'
      | 'clipboard'
      | 'ribbon'
      | 'dialogs'
      | 'names'
      | 'picks'
      | 'notes'
      | 'panes'
      | 'terminals'
      | 'picker'
      | 'receivers'
      | 'workbook'
      | 'labels'
      | 'answers'
      | 'unread'
      | 'places'
      | 'java-stand-in',
    args: readonly string[] = [],
    program: string = fixture(name),
  ): Promise<Fixture> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-fixture-'));
    const started = new Fixture(program, args, folder);
    const file = path.join(folder, 'ready.json');
    await until(() => existsSync(file), `${name}.exe`);
    started.hwnd = (JSON.parse(readFileSync(file, 'utf8')) as { hwnd: number }).hwnd;
    return started;
  }

  journal(): JournalEntry[] {
    return journalLines(path.join(this.#folder, 'journal.jsonl')).map((line) => JSON.parse(line) as JournalEntry);
  }

  /** Gives the program a command and waits until it has been taken. */
  async tell(command: string): Promise<void> {
    const child = spawn(fixture('tell'), [String(this.hwnd), command], { stdio: 'ignore' });
    const code = await new Promise((resolve) => {
      child.once('exit', resolve);
    });
    if (code !== 0) throw new Error(`the fixture did not take “${command}” (status ${String(code)})`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
