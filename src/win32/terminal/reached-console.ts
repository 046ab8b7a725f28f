/** A console that can be reached, whichever window shows it: its screen, and keys written into its input. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext } from '../../desktop/call.ts';
import { Deadline, pause, throwIfAborted, waitUntil } from '../windows/waiting.ts';
import { classNameOf } from '../windows/window-info.ts';
import { type ConsoleHelper, ConsoleUnreachable } from './console-helper.ts';
import type {
  ConsoleKey,
  ConsoleLook,
  ConsolePlace,
  ConsolePressed,
  ConsoleScreen,
  Stroke,
} from './console-protocol.ts';
import { chunksOf } from './console-keys.ts';
import { makesSignalsOfInput } from '../windows/classes.ts';
import { growFamily, parentProcesses } from '../system/process.ts';

/** How long (ms) the program may take to read a key before the next one is written anyway. */
const READ_MS = 500;
const READ_POLL_MS = 15;
/** Between two keys (ms): programs that draw with each key take the next one when they have drawn. */
const KEY_GAP_MS = 40;

/** Runs `work` in the console; `hasBegun`: some keys were written already. Errors: those of the methods below. */
export type Reach = <T>(call: CallContext, work: (place: ConsolePlace) => Promise<T>, hasBegun?: boolean) => Promise<T>;

export class ReachedConsole {
  readonly #helper: ConsoleHelper;
  readonly #reach: Reach;

  constructor(helper: ConsoleHelper, reach: Reach) {
    this.#helper = helper;
    this.#reach = reach;
  }

  /** Visible rows, cursor, and the rows above and styles if requested. Errors: window_gone, window_hung, state_conflict. */
  async read(scrollback: boolean, call: CallContext, styles = false): Promise<ConsoleScreen> {
    return this.#reach(call, (place) => this.#helper.ask({ op: 'read', ...place, scrollback, styles }, call));
  }

  /** The visible rows, and the number of keys that the program has not read. Errors: those of `read`. */
  async look(call: CallContext): Promise<ConsoleLook> {
    return this.#reach(call, (place) => this.#helper.ask({ op: 'look', ...place }, call));
  }

  /** Writes key events into the console's input in chunks, and stops between them on an abort. Errors: those of `read`, cancelled. */
  async write(strokes: readonly Stroke[], call: CallContext): Promise<void> {
    let written = 0;
    for (const chunk of chunksOf(strokes)) {
      throwIfAborted(call, written > 0 ? 'delivered' : 'not_delivered');
      // After the first chunk the console is known: another search would hide that it is gone.
      const answer = await this.#reach(
        call,
        (place) => this.#helper.ask({ op: 'write', ...place, strokes: chunk }, call),
        written > 0,
      ).catch((error: unknown) => {
        if (!(error instanceof UiaHostError) || written === 0 || error.delivery !== 'not_delivered') throw error;
        throw error.with({ delivery: 'delivered' });
      });
      written += answer.written;
      if (answer.written < chunk.length) {
        throw new UiaHostError('state_conflict', `The console accepted ${written} of ${strokes.length} keys.`, {
          delivery: written > 0 ? 'delivered' : 'not_delivered',
        });
      }
    }
  }

  /**
   * Writes text, then keys one by one, each once the program has read what was written before: programs that read
   * several keys together mistake them for one, or for pasted text. Errors: those of `write`.
   */
  async writeInTurn(text: readonly Stroke[], keys: readonly Stroke[], call: CallContext): Promise<void> {
    const deadline = new Deadline(call);
    const parts = [...(text.length > 0 ? [text] : []), ...keys.map((key) => [key])];
    for (const [index, part] of parts.entries()) {
      const hasTime = deadline.remaining(call.deadlineMs / 2) > 0;
      await this.write(hasTime ? part : parts.slice(index).flat(), call);
      if (!hasTime) return;
      if (index === parts.length - 1) return;
      await this.#waitUntilRead(deadline);
      await pause(KEY_GAP_MS, call, 'delivered');
    }
  }

  /** Waits a moment for the program to read all that was written. */
  async #waitUntilRead(deadline: Deadline): Promise<void> {
    const { call } = deadline;
    await waitUntil(
      // an answer may have ended the program
      async () => ((await this.look(call).catch(() => null))?.unread === 0 ? true : null),
      { withinMs: deadline.share(READ_MS, call.deadlineMs / 2), everyMs: READ_POLL_MS, call, delivery: 'delivered' },
    );
  }

  /** Presses a key combination in the console; see ConsoleKey. Errors: those of `read`. */
  async press(keys: readonly ConsoleKey[], layout: number, call: CallContext): Promise<ConsolePressed> {
    return this.#reach(call, (place) =>
      this.#helper.ask(
        { op: 'press', ...place, keys, layout, isSignalMade: makesSignalsOfInput(classNameOf(place.hwnd)) },
        call,
      ),
    );
  }
}

/** The error for a window whose console could not be reached. */
export function unreachable(record: BindingRecord, error: ConsoleUnreachable, hasBegun: boolean): UiaHostError {
  const delivery = hasBegun ? 'delivered' : 'not_delivered';
  if (error.problem === 'failed') {
    return new UiaHostError(
      'state_conflict',
      `Windows denies access to the console of ${quoted(record.title)} (Windows error ${error.code}).`,
      {
        delivery,
        hint: 'The host cannot use a console of another user or with more rights.',
      },
    );
  }
  return new UiaHostError(
    'window_gone',
    `The console ${quoted(record.title)} (${record.hwnd}) has no program left through which it could be reached.`,
    { delivery },
  );
}

// Bound windows that the console host draws, reached by the helper through one of the processes in the console.

/** Attaching takes a millisecond or less; a desktop has some hundred processes. */
const FIND_MS = 8000;

/**
 * Which processes may be in the console that a window shows: every one, likely ones first. A classic console's window belongs
 * to the first program in it on Windows, to that program's console host on Wine; a terminal starts its programs itself. So: its
 * descendants and its parent's, then all.
 */
export function likelyMembers(pid: number, isOwn: (pid: number) => boolean): number[] {
  const parents = parentProcesses();
  const parent = parents.get(pid);
  const family = new Set([pid, ...(parent === undefined ? [] : [parent])]);
  growFamily(family, parents);
  return [...new Set([...family, ...parents.keys()])].filter((candidate) => candidate > 4 && !isOwn(candidate));
}

export class ClassicConsoles {
  readonly #helper: ConsoleHelper;
  readonly #isOwn: (pid: number) => boolean;
  /** The process through which a console was last reached: window → process. */
  readonly #members = new Map<number, number>();

  constructor(helper: ConsoleHelper, isOwn: (pid: number) => boolean) {
    this.#helper = helper;
    this.#isOwn = isOwn;
  }

  /** A process known from its start: saves the search. */
  remember(hwnd: number, pid: number): void {
    this.#members.set(hwnd, pid);
  }

  /** The console of a bound window. Nothing is attached before it is used. */
  of(record: BindingRecord): ReachedConsole {
    return new ReachedConsole(this.#helper, (call, work, hasBegun = false) =>
      this.#reach(record, call, work, hasBegun),
    );
  }

  async #reach<T>(
    record: BindingRecord,
    call: CallContext,
    work: (place: ConsolePlace) => Promise<T>,
    hasBegun: boolean,
  ): Promise<T> {
    const hwnd = Number(record.hwnd);
    const known = this.#members.get(hwnd);
    if (known !== undefined) {
      try {
        return await work({ pid: known, hwnd });
      } catch (error) {
        if (!(error instanceof ConsoleUnreachable)) throw error;
        if (hasBegun || error.problem === 'failed') throw unreachable(record, error, hasBegun);
        this.#members.delete(hwnd);
      }
    }
    try {
      const { pid } = await this.#helper.ask(
        { op: 'find', hwnd, pids: likelyMembers(record.pid, this.#isOwn) },
        call,
        FIND_MS,
      );
      this.#members.set(hwnd, pid);
      return await work({ pid, hwnd });
    } catch (error) {
      if (error instanceof ConsoleUnreachable) throw unreachable(record, error, hasBegun);
      throw error;
    }
  }
}
