/**
 * The console helper's side: attaches to a console, does one thing in it, detaches. It runs in a separate process,
 * because Ctrl+C in a console reaches every attached process, and a console lives until the last process detaches.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { CONSOLE_SCREEN_BUFFER_INFO, INPUT_RECORD, KEY_EVENT_RECORD } from '../../../native-bindings/win32/structs.ts';
import type {
  ConsoleAnswers,
  ConsoleOwner,
  ConsolePlace,
  ConsolePressed,
  ConsoleProblem,
  ConsoleRequest,
  ConsoleScreen,
  ConsoleServed,
  ReadWanted,
  Stroke,
} from './console-protocol.ts';
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import type { Permit } from '../../contract/gate/exit.ts';
import { sendConsoleInterrupt, writeConsoleInput } from '../exits/input.ts';
import { withPermit } from '../exits/leaving.ts';
import { isInterrupt, chordRecords, keyRecords, type KeyRecords } from './console-keys.ts';
import { rootOwner } from '../windows/window-info.ts';
import { attributedTexts, withoutSequences } from './screen-cells.ts';

/** Older scroll-back rows are omitted: classic consoles store 9,001 at most. */
const MAX_ROWS_ABOVE = 9001;
/** The console copies through a heap of 64 kB; one call requests less. */
const MOST_CELLS = 8000;
/** Input beyond this many records is not counted. */
const MAX_RECORDS = 512;
const ALL_PROCESSES = 0;
/** Windows starts a thread in each process for the signal: enough time for this process's thread to ignore it. */
const SIGNAL_MS = 50;

class ConsoleFailure extends Error {
  readonly problem: ConsoleProblem;
  readonly code: number;
  constructor(problem: ConsoleProblem, code: number) {
    super(`${problem} (${code})`);
    this.problem = problem;
    this.code = code;
  }
}

function required(isDone: boolean): asserts isDone {
  if (!isDone) throw new ConsoleFailure('failed', kernel32.GetLastError());
}

/** Null where `work` fails because of the console. */
function ifReached<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConsoleFailure) return null;
    throw error;
  }
}

/** Attaches to the console of a process while `work` runs. Source: learn.microsoft.com/windows/console/attachconsole */
function inConsole<T>(pid: number, work: () => T): T {
  if (!kernel32.AttachConsole(pid)) throw new ConsoleFailure('gone', kernel32.GetLastError());
  try {
    // Attaching restores the default handling of Ctrl+C, which ends the process.
    kernel32.SetConsoleCtrlHandler(null, true);
    return work();
  } finally {
    kernel32.FreeConsole();
  }
}

function withBuffer<T>(name: 'CONIN$' | 'CONOUT$', work: (handle: number) => T): T {
  const handle = kernel32.CreateFileW(
    name,
    (m.GENERIC_READ | m.GENERIC_WRITE) >>> 0,
    m.FILE_SHARE_READ | m.FILE_SHARE_WRITE,
    null,
    m.OPEN_EXISTING,
    0,
    0,
  );
  required(handle !== m.INVALID_HANDLE_VALUE);
  try {
    return work(handle);
  } finally {
    kernel32.CloseHandle(handle);
  }
}

const windowOf = (pid: number): number => inConsole(pid, () => kernel32.GetConsoleWindow());

const isConsoleOf = ({ hwnd }: ConsolePlace): boolean => kernel32.GetConsoleWindow() === hwnd;

function inPlace<T>(place: ConsolePlace, work: () => T): T {
  return inConsole(place.pid, () => {
    // The process may have moved to another console, or its id to another process.
    if (!isConsoleOf(place)) throw new ConsoleFailure('other', 0);
    return work();
  });
}

const plainRow = (row: string): string => row.replaceAll('\0', ' ');

/** Rows as text. A wide character fills two cells but is one character, so a block with fewer characters than cells is read row by row. */
function readRows(output: number, width: number, from: number, to: number): string[] {
  const rows: string[] = [];
  const count = Buffer.alloc(4);
  const most = Math.max(1, Math.floor(MOST_CELLS / width));
  const read = (first: number, cells: number): string => {
    const text = Buffer.alloc(cells * 2);
    required(kernel32.ReadConsoleOutputCharacterW(output, text, cells, { X: 0, Y: first }, count));
    return text.toString('utf16le', 0, count.readUInt32LE(0) * 2);
  };
  for (let first = from; first < to; first += most) {
    const block = Math.min(most, to - first);
    const text = read(first, block * width);
    if (text.length === block * width)
      for (let row = 0; row < block; row += 1) rows.push(plainRow(text.slice(row * width, (row + 1) * width)));
    else for (let row = 0; row < block; row += 1) rows.push(plainRow(read(first + row, width)));
  }
  return rows;
}

/** The colours of each row's cells. Source: learn.microsoft.com/windows/console/readconsoleoutputattribute */
function readAttributes(output: number, width: number, top: number, count: number): Uint16Array[] {
  const read = Buffer.alloc(4);
  return Array.from({ length: count }, (_, row) => {
    const attributes = new Uint16Array(width);
    const memory = Buffer.from(attributes.buffer);
    required(kernel32.ReadConsoleOutputAttribute(output, memory, width, { X: 0, Y: top + row }, read));
    return attributes.subarray(0, read.readUInt32LE(0));
  });
}

/** Source: learn.microsoft.com/windows/console/readconsoleoutputcharacter */
function readScreen({ scrollback, styles }: ReadWanted): ConsoleScreen {
  return withBuffer('CONOUT$', (output) => {
    const memory = CONSOLE_SCREEN_BUFFER_INFO.alloc();
    required(kernel32.GetConsoleScreenBufferInfo(output, memory));
    const { dwSize, dwCursorPosition, srWindow } = CONSOLE_SCREEN_BUFFER_INFO.read(memory);
    const top = Math.max(0, srWindow.Top);
    const bottom = Math.min(dwSize.Y - 1, srWindow.Bottom);
    const rows = readRows(output, dwSize.X, top, bottom + 1);
    const shown: ConsoleScreen = {
      rows,
      width: dwSize.X,
      cursor: { x: dwCursorPosition.X, y: dwCursorPosition.Y - top },
      above: scrollback ? readRows(output, dwSize.X, Math.max(0, top - MAX_ROWS_ABOVE), top) : null,
    };
    const screen = withoutSequences(shown);
    if (!styles) return screen;
    const styled = (): StyledText[] =>
      attributedTexts(rows, dwSize.X, readAttributes(output, dwSize.X, top, rows.length));
    // Where sequences are text, nothing else draws in colours.
    return { ...screen, styles: screen === shown ? styled() : null };
  });
}

/** Source: learn.microsoft.com/windows/console/writeconsoleinput */
function write(strokes: readonly Stroke[]): number {
  if (strokes.length === 0) return 0;
  return withBuffer('CONIN$', (input) => Math.floor(writeRecords(input, keyRecords(strokes)) / 2));
}

function writeRecords(input: number, { records, count }: KeyRecords): number {
  const written = writeConsoleInput(input, records, count);
  required(written !== null);
  return written;
}

/**
 * Writes a key combination. If the program leaves Ctrl+C to the console, the console turns it into a signal for every
 * process in it. Windows does that only for the keyboard's Ctrl+C, so for written input the signal is sent here. Wine's
 * console does it for written input too, and there a sent signal reaches only the sender's process group.
 * Source: learn.microsoft.com/windows/console/ctrl-c-and-ctrl-break-signals, .../console/generateconsolectrlevent
 */
function press({ keys, layout, isSignalMade }: Extract<ConsoleRequest, { op: 'press' }>): ConsolePressed {
  return withBuffer('CONIN$', (input) => {
    const mode = Buffer.alloc(4);
    required(kernel32.GetConsoleMode(input, mode));
    const isSignal = isInterrupt(keys, mode.readUInt32LE(0));
    if (isSignal && !isSignalMade) {
      required(sendConsoleInterrupt(ALL_PROCESSES));
      // The signal reaches this process too, which must ignore it before it detaches.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SIGNAL_MS);
      return { as: 'signal' };
    }
    writeRecords(input, chordRecords(keys, layout));
    return { as: isSignal ? 'signal' : 'keys' };
  });
}

/** Counts key presses that wait in the input, without reading them. Source: learn.microsoft.com/windows/console/peekconsoleinput */
function unreadKeys(): number {
  return withBuffer('CONIN$', (input) => {
    const records = INPUT_RECORD.alloc({}, MAX_RECORDS);
    const read = Buffer.alloc(4);
    required(kernel32.PeekConsoleInputW(input, records, MAX_RECORDS, read));
    let presses = 0;
    for (let index = 0; index < read.readUInt32LE(0); index += 1) {
      const place = index * INPUT_RECORD.size;
      if (
        INPUT_RECORD.read(records, place).EventType === m.KEY_EVENT &&
        KEY_EVENT_RECORD.read(records, place + INPUT_RECORD.at.Event).bKeyDown
      )
        presses += 1;
    }
    return presses;
  });
}

function find(hwnd: number, pids: readonly number[]): number {
  for (const pid of pids) if (ifReached(() => windowOf(pid)) === hwnd) return pid;
  throw new ConsoleFailure('gone', 0);
}

/**
 * Windows Terminal owns the hidden window of each console that it shows.
 * Source: github.com/microsoft/terminal/pull/12526
 */
function list(pids: readonly number[]): ConsoleOwner[] {
  const consoles = new Map<number, ConsoleOwner>();
  for (const pid of pids) {
    const hwnd = ifReached(() => windowOf(pid)) ?? 0;
    if (hwnd !== 0 && !consoles.has(hwnd)) consoles.set(hwnd, { pid, hwnd, owner: rootOwner(hwnd) });
  }
  return [...consoles.values()];
}

/** Detaches from the console that this process was started in, if any, since a process can have only one. */
export function leaveOwnConsole(): void {
  kernel32.FreeConsole();
}

/** Serves one request, with the permit of the call that it belongs to. */
export function serveConsole(request: ConsoleRequest, permit: Permit | null): ConsoleServed {
  try {
    return { kind: 'answer', value: withPermit(permit, () => serve(request)) };
  } catch (error) {
    if (error instanceof ConsoleFailure) return { kind: 'problem', problem: error.problem, error: error.code };
    return { kind: 'error', error: toUiaHostError(error).toProblem() };
  }
}

function serve(request: ConsoleRequest): ConsoleAnswers[keyof ConsoleAnswers] {
  switch (request.op) {
    case 'find':
      return { pid: find(request.hwnd, request.pids) };
    case 'window':
      return { hwnd: windowOf(request.pid) };
    case 'list':
      return { consoles: list(request.pids) };
    case 'read':
      return inPlace(request, () => readScreen(request));
    case 'look':
      return inPlace(request, () => ({
        screen: readScreen({ scrollback: false, styles: false }),
        unread: unreadKeys(),
      }));
    case 'press':
      return inPlace(request, () => press(request));
    case 'write':
      return inPlace(request, () => ({ written: write(request.strokes) }));
  }
}
