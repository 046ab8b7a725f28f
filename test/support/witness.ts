/** The second witness: a program of our own (test/fixtures/look.c) that reads other windows by plain Windows calls. */
import { createInterface } from 'node:readline';
import { fixture, type Desktop } from './desktop.ts';
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

/** What the sentinel noticed since the last query; `isForeground` is 1 or 0. */
export interface SentinelCounts {
  readonly focusLosses: number;
  readonly activationLosses: number;
  readonly foregroundChanges: number;
  readonly cursorMoves: number;
  readonly keys: number;
  readonly chars: number;
  readonly mouse: number;
  readonly clipboardChanges: number;
  readonly isForeground: number;
}

/** A part of a window is its first descendant of a class (`Edit`), or the one with a control id (`#1012`). */
export interface Witness extends AsyncDisposable {
  /** Text of a window, or of a part of it: `text(notepad, 'Edit')`. */
  text(hwnd: string, part?: string): Promise<string>;
  /** Sets the text of a part by WM_SETTEXT. */
  put(hwnd: string, part: string, text: string): Promise<void>;
  selection(hwnd: string, part?: string): Promise<{ from: number; to: number }>;
  child(hwnd: string, part: string): Promise<string>;
  /** The result of a window message whose parameters are plain numbers. */
  ask(hwnd: string, part: string, message: number, wParam?: number, lParam?: number): Promise<number>;
  /** The client area, screen pixels. */
  area(hwnd: string): Promise<{ x: number; y: number; width: number; height: number; visible: boolean }>;
  /** The colour that the screen shows at a point, 0xRRGGBB. */
  pixel(x: number, y: number): Promise<number>;
  /** Milliseconds since the system saw any input. */
  idle(): Promise<number>;
  /** Gives a test program a command, as tell.exe does. Errors: it does not know it. */
  tell(hwnd: string, command: string): Promise<void>;
  /** Returns the sentinel's counters and resets them to zero. */
  counts(sentinel: string): Promise<SentinelCounts>;
  /** Visible top-level windows, front to back. */
  windows(): Promise<SeenWindow[]>;
  /** The top-level window, visible or not, whose class begins so; null: none. */
  named(className: string): Promise<string | null>;
  /** Posts a message whose parameters are plain numbers. */
  post(hwnd: string, message: number, wParam: number, lParam: number): Promise<void>;
  /** The window in the foreground, and the cursor in screen pixels. */
  where(): Promise<{ foreground: string; title: string; x: number; y: number }>;
  /** The window at a point of the screen, its root, and the control ids from it up to the root. */
  at(x: number, y: number): Promise<{ hwnd: string; root: string; ids: number[] }>;
  /**
   * Everything in the current user's registry below a key (all of it: ''), by its whole name; binary data as `hex:…`.
   */
  registry(key: string): Promise<Readonly<Record<string, string | number | null>>>;
  /** Null deletes the value. */
  writeRegistry(key: string, name: string, data: string | number | null): Promise<void>;
  /** Deletes a key with everything below it. */
  forgetRegistry(key: string): Promise<void>;
  /** Asks a window to close, as its × does. */
  close(hwnd: string): Promise<void>;
}

/** On the desktop that the run shares, or on another. */
export function startWitness(desktop?: Desktop): Witness {
  const program = startProgram(fixture('look.exe'), [], { streams: 'piped', desktop });
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
    async text(hwnd, part = '') {
      return (await ask(`text ${hwnd} ${part}`)).text as string;
    },
    async put(hwnd, part, text) {
      await ask(
        `put ${hwnd} ${part} = ${text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}`,
      );
    },
    selection: (hwnd, part = '') => ask(`select ${hwnd} ${part}`),
    async child(hwnd, part) {
      return (await ask(`child ${hwnd} ${part}`)).hwnd as string;
    },
    async ask(hwnd, part, message, wParam = 0, lParam = 0) {
      return (await ask(`ask ${message} ${wParam} ${lParam} ${hwnd} ${part}`)).answer as number;
    },
    area: (hwnd) => ask(`area ${hwnd}`),
    async pixel(x, y) {
      return (await ask(`pixel ${Math.round(x)} ${Math.round(y)}`)).colour as number;
    },
    async idle() {
      return (await ask('idle')).idle as number;
    },
    async tell(hwnd, command) {
      if (!(await ask(`tell ${hwnd} ${command}`)).known)
        throw new Error(`${hwnd} does not know the command "${command}"`);
    },
    counts: (sentinel) => ask(`counts ${sentinel}`),
    async windows() {
      return (await ask('windows')).windows as SeenWindow[];
    },
    async named(className) {
      const { hwnd } = await ask(`named ${className}`);
      return hwnd === '0' ? null : (hwnd as string);
    },
    async post(hwnd, message, wParam, lParam) {
      if (!(await ask(`post ${message} ${wParam} ${lParam} ${hwnd}`)).posted) throw new Error(`${hwnd} is gone`);
    },
    where: () => ask('where'),
    at: (x, y) => ask(`at ${Math.round(x)} ${Math.round(y)}`),
    async registry(key) {
      return (await ask(`registry ${key}`)).values as Record<string, string | number | null>;
    },
    async writeRegistry(key, name, data) {
      if (
        !(
          await ask(
            `registry-write ${key}|${name}|${data === null ? '-' : typeof data === 'number' ? `#${data}` : data}`,
          )
        ).done
      )
        throw new Error(`${key}\\${name} cannot be written`);
    },
    async forgetRegistry(key) {
      if (!(await ask(`registry-forget ${key}`)).done) throw new Error(`${key} cannot be deleted`);
    },
    async close(hwnd) {
      await ask(`close ${hwnd}`);
    },
    [Symbol.asyncDispose]: () => program.kill(),
  };
}
