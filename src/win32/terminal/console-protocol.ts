/** Plain data between the desktop worker and its console helper. */
import type { Problem } from '../../contract/errors.ts';
import type { Permit } from '../../contract/gate/exit.ts';
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext } from '../../desktop/call.ts';

/** A console, identified by a process in it and by its window. */
export interface ConsolePlace {
  readonly pid: number;
  readonly hwnd: number;
}

export type KeyName = 'enter' | 'escape' | 'tab' | 'up' | 'down';

/** A named key, or one UTF-16 unit of a text. */
export type Stroke = { readonly key: KeyName } | { readonly unit: number };

/** A key as a keyboard reports it; `state`: dwControlKeyState of a KEY_EVENT_RECORD, with the held modifiers. */
export interface ConsoleKey {
  readonly vk: number;
  readonly scan: number;
  readonly state: number;
}

/** What is read beyond the visible rows. */
export interface ReadWanted {
  readonly scrollback: boolean;
  /** Which parts have another colour or style. */
  readonly styles: boolean;
}

export type ConsoleRequest =
  /** The first of these processes whose console has that window. */
  | { readonly op: 'find'; readonly hwnd: number; readonly pids: readonly number[] }
  /** The window of a process's console; 0 if it has none yet. */
  | { readonly op: 'window'; readonly pid: number }
  /** The consoles of these processes, each once, in the order of the processes. */
  | { readonly op: 'list'; readonly pids: readonly number[] }
  | ({ readonly op: 'read' } & ReadWanted & ConsolePlace)
  | ({ readonly op: 'look' } & ConsolePlace)
  | ({ readonly op: 'write'; readonly strokes: readonly Stroke[] } & ConsolePlace)
  /**
   * A key combination; `layout`: the keyboard layout that determines what it types, 0 for the helper's; `isSignalMade`:
   * this console turns a Ctrl+C written into its input into a signal.
   */
  | ({
      readonly op: 'press';
      readonly keys: readonly ConsoleKey[];
      readonly layout: number;
      readonly isSignalMade: boolean;
    } & ConsolePlace);

export interface ConsoleScreen {
  /** Visible rows from the top, at most as wide as the screen buffer, including trailing blanks. */
  readonly rows: readonly string[];
  /** Columns of the screen buffer. */
  readonly width: number;
  /** Relative to the visible part; outside it if a person has scrolled. */
  readonly cursor: { readonly x: number; readonly y: number };
  /** Rows above the visible part, oldest first; null if they were not requested. */
  readonly above: readonly string[] | null;
  /** Texts of the visible part in another style than the rest, if requested; null where a program's sequences say it as text. */
  readonly styles?: readonly StyledText[] | null;
}

/** The visible part as one text; a full row continues in the next. */
export function consoleText({ rows, width }: ConsoleScreen): string {
  return rows
    .map((row) => {
      const text = row.trimEnd();
      return text.length >= width ? text : `${text}\n`;
    })
    .join('')
    .trim();
}

/** A screen, and how much input its program has not read. */
export interface ConsoleLook {
  readonly screen: ConsoleScreen;
  /** Pressed keys that the program has not read yet, at most some hundred. */
  readonly unread: number;
}

/**
 * Why a console could not be reached: `gone` it does not exist, `other` it has another window, `failed` Windows
 * refused.
 */
export type ConsoleProblem = 'gone' | 'other' | 'failed';

/** How a key combination was delivered: as key events, or as the signal for Ctrl+C. */
export interface ConsolePressed {
  readonly as: 'keys' | 'signal';
}

/** A console, its window, and that window's owner: the terminal that draws the console, else the same window. */
export interface ConsoleOwner extends ConsolePlace {
  readonly owner: number;
}

export interface ConsoleAnswers {
  find: { readonly pid: number };
  window: { readonly hwnd: number };
  list: { readonly consoles: readonly ConsoleOwner[] };
  read: ConsoleScreen;
  look: ConsoleLook;
  /** Number of strokes written. */
  write: { readonly written: number };
  press: ConsolePressed;
}

export interface ToConsoleHelper {
  readonly id: number;
  readonly request: ConsoleRequest;
  /** The permit of the call that it belongs to; null for a request that reads. */
  readonly permit: Permit | null;
}

/** What became of a request. `problem`: Windows did not reach the console; `error`: the helper itself did not do it. */
export type ConsoleServed =
  | { readonly kind: 'answer'; readonly value: ConsoleAnswers[keyof ConsoleAnswers] }
  | { readonly kind: 'problem'; readonly problem: ConsoleProblem; readonly error: number }
  | { readonly kind: 'error'; readonly error: Problem };

export type FromConsoleHelper = { readonly kind: 'ready' } | ({ readonly id: number } & ConsoleServed);

export interface BoundConsole {
  /** Reads the screen; null if the window is not a console, or cannot be read within the call's deadline. */
  look(record: BindingRecord, call: CallContext): Promise<ConsoleLook | null>;
  /**
   * Presses a key combination, with the held modifiers in each key's state; null if the window is not a console, and
   * nothing was pressed. `layout` as in `GetKeyboardLayout`. Errors: those of a console that cannot be reached.
   */
  press(
    record: BindingRecord,
    keys: readonly ConsoleKey[],
    layout: number,
    call: CallContext,
  ): Promise<ConsolePressed | null>;
  /** Writes text into the console of a bound window; false for every other window, and nothing was written. */
  type(record: BindingRecord, text: string, call: CallContext): Promise<boolean>;
}

/** For hosts without consoles. */
export const noConsole: BoundConsole = { look: async () => null, press: async () => null, type: async () => false };
