import type { Stroke } from './key-strokes.ts';

/** Plain data between the desktop worker and its console helper. A console is named by a process in it and by its window. */
export interface ConsolePlace {
  readonly pid: number;
  readonly hwnd: number;
}

/** A key as a keyboard reports it, with what is held beside it: dwControlKeyState of a KEY_EVENT_RECORD. */
export interface ConsoleKey {
  readonly vk: number;
  readonly scan: number;
  readonly state: number;
}

export type ConsoleRequest =
  /** The first of these processes whose console has that window. */
  | { readonly op: 'find'; readonly hwnd: number; readonly pids: readonly number[] }
  /** The window of a process's console; 0 where it has none yet. */
  | { readonly op: 'window'; readonly pid: number }
  /** The consoles that these processes are in, each once, in the order of the processes. */
  | { readonly op: 'list'; readonly pids: readonly number[] }
  | ({ readonly op: 'read'; readonly scrollback: boolean } & ConsolePlace)
  | ({ readonly op: 'look' } & ConsolePlace)
  | ({ readonly op: 'write'; readonly strokes: readonly Stroke[] } & ConsolePlace)
  /**
   * A key combination; `layout`: the keyboard layout that says what it types, 0 for the helper's own; `isSignalMade`:
   * this console makes a signal of a Ctrl+C that is written into its input.
   */
  | ({
      readonly op: 'press';
      readonly keys: readonly ConsoleKey[];
      readonly layout: number;
      readonly isSignalMade: boolean;
    } & ConsolePlace);

export interface ConsoleScreen {
  /** Visible rows from the top, each as wide as the screen buffer or less, blanks at the end kept. */
  readonly rows: readonly string[];
  /** Columns of the screen buffer. */
  readonly width: number;
  /** Of the visible part; outside of it where a person has scrolled. */
  readonly cursor: { readonly x: number; readonly y: number };
  /** Rows above the visible part, oldest first; null where they were not asked for. */
  readonly above: readonly string[] | null;
}

/** The visible part as one text; a row that is full goes on in the next. */
export function consoleText({ rows, width }: ConsoleScreen): string {
  return rows
    .map((row) => {
      const text = row.trimEnd();
      return text.length >= width ? text : `${text}\n`;
    })
    .join('')
    .trim();
}

/** A screen, and how far its program is with its input. */
export interface ConsoleLook {
  readonly screen: ConsoleScreen;
  /** Pressed keys that the program has not read yet, at most some hundred. */
  readonly unread: number;
}

/** Why a console could not be reached: `gone` there is none to attach to, `other` it has another window, `failed` the system said no. */
export type ConsoleProblem = 'gone' | 'other' | 'failed';

/** How a key combination went in: as key events, or as the signal that the console makes of Ctrl+C. */
export interface ConsolePressed {
  readonly as: 'keys' | 'signal';
}

/** A console, its window, and the window that owns that one: a terminal that draws the console itself; else the same window. */
export interface ConsoleOwner extends ConsolePlace {
  readonly owner: number;
}

export interface ConsoleAnswers {
  find: { readonly pid: number };
  window: { readonly hwnd: number };
  list: { readonly consoles: readonly ConsoleOwner[] };
  read: ConsoleScreen;
  look: ConsoleLook;
  /** Strokes that went in. */
  write: { readonly written: number };
  press: ConsolePressed;
}

export interface ToConsoleHelper {
  readonly id: number;
  readonly request: ConsoleRequest;
}

export type FromConsoleHelper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly value: ConsoleAnswers[keyof ConsoleAnswers] }
  | { readonly kind: 'problem'; readonly id: number; readonly problem: ConsoleProblem; readonly error: number };
