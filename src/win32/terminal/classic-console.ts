import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';
import { growFamily, parentProcesses } from '../apps/process-tree.ts';
import { throwIfAborted } from '../waiting.ts';
import { ConsoleUnreachable, type ConsoleHelper } from './console-helper.ts';
import type { ConsoleKey, ConsoleLook, ConsolePressed, ConsoleScreen } from './console-protocol.ts';
import { chunksOf, type Stroke } from './key-strokes.ts';
import { makesSignalsOfInput } from './kinds.ts';

/** Joining takes a millisecond or less; a desktop has some hundred processes. */
const FIND_MS = 8000;

/** A bound classic console, reached through the helper by one of the processes in it. */
export class ClassicConsole {
  readonly #helper: ConsoleHelper;
  readonly #isOwn: (pid: number) => boolean;
  /** The process that a console was last reached by: window → process. */
  readonly #members = new Map<number, number>();

  constructor(helper: ConsoleHelper, isOwn: (pid: number) => boolean) {
    this.#helper = helper;
    this.#isOwn = isOwn;
  }

  /** Known from its start: saves the search. */
  remember(hwnd: number, pid: number): void {
    this.#members.set(hwnd, pid);
  }

  /** Visible rows, cursor, and the rows above where they are asked for. Errors: window_gone, window_hung, state_conflict. */
  async read(record: BindingRecord, scrollback: boolean, call: CallContext): Promise<ConsoleScreen> {
    return this.#reach(record, call, (pid, hwnd) => this.#helper.ask({ op: 'read', pid, hwnd, scrollback }, call));
  }

  /** The visible rows, and what the program has not read yet. Errors: those of `read`. */
  async look(record: BindingRecord, call: CallContext): Promise<ConsoleLook> {
    return this.#reach(record, call, (pid, hwnd) => this.#helper.ask({ op: 'look', pid, hwnd }, call));
  }

  /** Writes key events into the console's input; looks between parts whether to stop. Errors: those of `read`, cancelled. */
  async write(record: BindingRecord, strokes: readonly Stroke[], call: CallContext): Promise<void> {
    let written = 0;
    for (const chunk of chunksOf(strokes)) {
      throwIfAborted(call, written > 0 ? 'delivered' : 'not_delivered');
      // After the first part the console is known: a search in the middle would hide that it has gone.
      const answer = await this.#reach(record, call, (pid, hwnd) => this.#helper.ask({ op: 'write', pid, hwnd, strokes: chunk }, call), written > 0);
      written += answer.written;
      if (answer.written < chunk.length) {
        throw new UiaHostError('state_conflict', `The console took ${written} of ${strokes.length} keys.`, { delivery: written > 0 ? 'delivered' : 'not_delivered' });
      }
    }
  }

  /** Presses keys together in the console; see ConsoleKey. Errors: those of `read`. */
  async press(record: BindingRecord, keys: readonly ConsoleKey[], layout: number, call: CallContext): Promise<ConsolePressed> {
    return this.#reach(record, call, (pid, hwnd) => this.#helper.ask({ op: 'press', pid, hwnd, keys, layout, isSignalMade: makesSignalsOfInput(record) }, call));
  }

  async #reach<T>(record: BindingRecord, call: CallContext, work: (pid: number, hwnd: number) => Promise<T>, isUnderWay = false): Promise<T> {
    const hwnd = Number(record.hwnd);
    const known = this.#members.get(hwnd);
    if (known !== undefined) {
      try {
        return await work(known, hwnd);
      } catch (error) {
        if (!(error instanceof ConsoleUnreachable)) throw error;
        if (isUnderWay || error.problem === 'failed') throw unreachable(record, error, isUnderWay);
        this.#members.delete(hwnd);
      }
    }
    try {
      const { pid } = await this.#helper.ask({ op: 'find', hwnd, pids: this.#candidates(record.pid) }, call, FIND_MS);
      this.#members.set(hwnd, pid);
      return await work(pid, hwnd);
    } catch (error) {
      if (error instanceof ConsoleUnreachable) throw unreachable(record, error, isUnderWay);
      throw error;
    }
  }

  /**
   * Processes that may be in the console, likely ones first: Windows names the first program in it as the window's process,
   * Wine the console host that this program started; then their families, then everyone.
   */
  #candidates(pid: number): number[] {
    const parents = parentProcesses();
    const parent = parents.get(pid);
    const family = new Set([pid, ...(parent === undefined ? [] : [parent])]);
    growFamily(family, parents);
    return [...new Set([...family, ...parents.keys()])].filter((candidate) => candidate > 4 && !this.#isOwn(candidate));
  }
}

function unreachable(record: BindingRecord, error: ConsoleUnreachable, isUnderWay: boolean): UiaHostError {
  const delivery = isUnderWay ? 'delivered' : 'not_delivered';
  if (error.problem === 'failed') {
    return new UiaHostError('state_conflict', `Windows does not give access to the console of “${record.title}” (error ${error.code}).`, {
      delivery, hint: 'A console of another user or with higher rights cannot be joined.',
    });
  }
  return new UiaHostError('window_gone', `No program is left in the console “${record.title}” (${record.hwnd}) that could be asked.`, { delivery });
}
