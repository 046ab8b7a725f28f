/** Bound windows that the console host draws, reached by the helper through one of the processes in the console. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext } from '../../desktop/call.ts';
import { growFamily, parentProcesses } from '../system/process.ts';
import { ConsoleUnreachable, type ConsoleHelper } from './console-helper.ts';
import type { ConsolePlace } from './console-protocol.ts';
import { ReachedConsole, unreachable } from './reached-console.ts';

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
