/** The windowed test programs of test/fixtures, started on the desktop, with their journals as second witnesses. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixture, windowsPath, type Desktop } from './desktop.ts';
import { Journal, type JournalEvent } from './journal.ts';
import { runFixture, startProgram, type Program } from './programs.ts';

export interface FixtureOptions {
  readonly title?: string;
  /** Runs a copy under this file name: applications are known by theirs. */
  readonly as?: string;
  /** Further options of the program: `['--many', 300]`. */
  readonly args?: readonly (string | number)[];
  /** Default: the desktop that the run shares. */
  readonly desktop?: Desktop | undefined;
}

export interface Fixture extends AsyncDisposable {
  readonly hwnd: string;
  /** As Windows programs see it. */
  readonly pid: number;
  readonly title: string;
  readonly journal: Journal;
  readonly program: Program;
  /** Screen rectangles at the start: [left, top, right, bottom]. */
  readonly ready: JournalEvent;
  /** Gives it a command (test/fixtures/tell.c). Errors: the program does not know it, or does not answer. */
  tell(command: string): Promise<void>;
  /** What every control contains now, as the program reports it: id → state. */
  dump(): Promise<Map<number, JournalEvent>>;
}

let count = 0;

/** Starts `controls`, `sentinel`, `accessible`, `provider`, `editor`, `dialogs`, `names`, `workbook`, `labels`, `places` or `unread`, and waits until its window is there. */
export async function startFixture(
  name:
    | 'controls'
    | 'sentinel'
    | 'accessible'
    | 'provider'
    | 'editor'
    | 'dialogs'
    | 'names'
    | 'workbook'
    | 'labels'
    | 'places'
    | 'unread',
  { title, as, args = [], desktop }: FixtureOptions = {},
): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-fixture-'));
  count += 1;
  const shown = title ?? `${name} ${process.pid}-${count}`;
  const journal = new Journal(join(folder, 'journal.jsonl'));
  const file = as === undefined ? fixture(`${name}.exe`) : join(folder, as);
  if (as !== undefined) copyFileSync(fixture(`${name}.exe`), file);
  const program = startProgram(file, ['--title', shown, '--journal', windowsPath(journal.file), ...args.map(String)], {
    desktop,
  });
  const end = async (): Promise<void> => {
    program.thaw();
    await program.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const ready = await journal.waitFor({ event: 'ready' }, 20_000);
    const hwnd = String(ready['hwnd']);
    const tell = async (command: string): Promise<void> => {
      const status = await runFixture('tell.exe', [hwnd, command], { desktop });
      if (status !== 0)
        throw new Error(`${name} ${status === 1 ? 'does not know' : 'did not answer'} the command "${command}"`);
    };
    return {
      hwnd,
      pid: ready['pid'] as number,
      title: shown,
      journal,
      program,
      ready,
      tell,
      async dump() {
        const before = journal.events({ event: 'dumped' }).length;
        await tell('dump');
        await journal.waitFor(() => journal.events({ event: 'dumped' }).length > before);
        const events = journal.events();
        const last = events.findLastIndex(({ event }) => event === 'told');
        return new Map(
          events
            .slice(last)
            .filter(({ event }) => event === 'state')
            .map((state) => [state['id'] as number, state]),
        );
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
