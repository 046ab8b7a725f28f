/** The second witness: a program of our own (test/fixtures/look.c) that reads other windows by plain Windows calls. */
import { createInterface } from 'node:readline';
import { fixture } from './desktop.ts';
import { startProgram } from './programs.ts';

export interface SeenWindow {
  readonly hwnd: string;
  readonly pid: number;
  readonly title: string;
  readonly className: string;
  readonly minimized: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Witness extends AsyncDisposable {
  /** Text of a window, or of its first descendant of a class: `text(notepad, 'Edit')`. */
  text(hwnd: string, className?: string): Promise<string>;
  selection(hwnd: string, className?: string): Promise<{ from: number; to: number }>;
  /** The first descendant of a class. */
  child(hwnd: string, className: string): Promise<string>;
  /** Visible top-level windows, front to back. */
  windows(): Promise<SeenWindow[]>;
  /** The window in the foreground, and the cursor in screen pixels. */
  where(): Promise<{ foreground: string; title: string; x: number; y: number }>;
  /** The window at a point of the screen, its root, and the control ids from it up to the root. */
  at(x: number, y: number): Promise<{ hwnd: string; root: string; ids: number[] }>;
  /** Asks a window to close, as its × does. */
  close(hwnd: string): Promise<void>;
}

export function startWitness(): Witness {
  const program = startProgram(fixture('look.exe'), [], { streams: 'piped' });
  const { stdin, stdout } = program.process;
  if (!stdin || !stdout) throw new Error('look.exe has no standard streams');
  stdin.on('error', () => {});
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const ask = (command: string): Promise<any> => {
    const answer = last.then(async () => {
      stdin.write(`${command}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`look.exe ended before it answered "${command}"`);
      const parsed = JSON.parse(value) as { error?: string };
      if (parsed.error !== undefined) throw new Error(`${command}: ${parsed.error}`);
      return parsed;
    });
    last = answer.catch(() => {});
    return answer;
  };
  return {
    async text(hwnd, className = '') { return (await ask(`text ${hwnd} ${className}`)).text as string; },
    selection: (hwnd, className = '') => ask(`select ${hwnd} ${className}`),
    async child(hwnd, className) { return (await ask(`child ${hwnd} ${className}`)).hwnd as string; },
    async windows() { return (await ask('windows')).windows as SeenWindow[]; },
    where: () => ask('where'),
    at: (x, y) => ask(`at ${Math.round(x)} ${Math.round(y)}`),
    async close(hwnd) { await ask(`close ${hwnd}`); },
    [Symbol.asyncDispose]: () => program.kill(),
  };
}
