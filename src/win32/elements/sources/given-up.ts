/** What is remembered of programs that did not answer UI Automation: calls that still run there, and parts that keep failing. */
import { WM_NULL } from '../../../../native-bindings/win32/constants.ts';
import { sendWithin } from '../../windows/ask.ts';
import { threadOf } from '../../windows/handle.ts';

/** More threads than have calls that were given up; those of ended programs are among them. */
const MOST_THREADS = 64;

/**
 * Calls that were given up at their time-out. Such a call still runs in its program, on the thread of its window, and
 * further questions to it only wait behind it. Source: learn.microsoft.com/windows/win32/winauto/uiauto-threading
 */
export class GivenUpCalls {
  readonly #threads = new Set<number>();

  note(hwnd: number): void {
    if (this.#threads.size >= MOST_THREADS) this.#threads.clear();
    this.#threads.add(threadOf(hwnd).thread);
  }

  /** Whether none of them runs in the window's thread any more; waits for that at most this long (ms). */
  haveEnded(hwnd: number, withinMs: number): boolean {
    if (this.#threads.size === 0) return true;
    const { thread } = threadOf(hwnd);
    if (!this.#threads.has(thread)) return true;
    if (sendWithin(hwnd, WM_NULL, 0, 0, withinMs) === null) return false;
    this.#threads.delete(thread);
    return true;
  }
}

/** A part that fails this often in a row is asked after the others. */
const OFTEN = 2;
/** Parts whose failures are remembered. */
const MOST_PARTS = 1000;

/** How often parts of windows, by their identity, have failed in a row. */
export class FailedParts {
  readonly #failures = new Map<string, number>();

  note(identity: string, isRead: boolean): void {
    if (isRead) this.#failures.delete(identity);
    else if (this.#failures.size < MOST_PARTS) this.#failures.set(identity, (this.#failures.get(identity) ?? 0) + 1);
  }

  /** Whether it is better asked last, so that it takes no time from the others. */
  hasFailedOften(identity: string): boolean {
    return (this.#failures.get(identity) ?? 0) >= OFTEN;
  }
}
