/** Deadlines, pauses, polling and long loops within a call. */
import { UiaHostError, type Delivery } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';

/** Throws `cancelled` once the call is aborted. `delivery`: whether input was sent so far. */
export function throwIfAborted(call: CallContext, delivery: Delivery = 'not_delivered'): void {
  if (call.signal.aborted) throw new UiaHostError('cancelled', 'The action was cancelled while it ran.', { delivery });
}

/** Part of a deadline (ms) that a step leaves for turning what it observed into the answer. */
export const ANSWER_RESERVE_MS = 100;

/** The time left to a call. Starts when it is constructed. */
export class Deadline {
  readonly call: CallContext;
  readonly #end: number;
  readonly #whole: number;
  constructor(call: CallContext) {
    this.call = call;
    this.#whole = call.deadlineMs;
    this.#end = performance.now() + call.deadlineMs;
  }

  /** Milliseconds left, never negative, without `reserve`, which is for the steps after. */
  remaining(reserve = 0): number {
    return Math.max(0, this.#end - performance.now() - reserve);
  }

  /** `wanted` milliseconds, or fewer if the deadline is nearer. */
  share(wanted: number, reserve = 50): number {
    return Math.min(wanted, this.remaining(reserve));
  }

  /**
   * The same, but a third of the whole time if that is more: a longer deadline lets slow programs be read. Another call
   * that waits for this process meanwhile may exceed its own deadline; then nothing was sent for it.
   */
  patience(usual: number): number {
    return this.share(Math.max(usual, this.#whole / 3));
  }
}

/** Sleeps; ends early and throws `cancelled` when the call is aborted. */
export async function pause(
  milliseconds: number,
  call: CallContext,
  delivery: Delivery = 'not_delivered',
): Promise<void> {
  throwIfAborted(call, delivery);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const wake = (): void => resolve();
  call.signal.addEventListener('abort', wake, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', wake);
  }
  throwIfAborted(call, delivery);
}

/** Calls `look` until it returns something other than null, or null when the time is over. Called at least once. */
export async function waitUntil<T>(
  look: () => T | null | Promise<T | null>,
  options: {
    readonly withinMs: number;
    readonly everyMs: number;
    readonly call: CallContext;
    readonly delivery?: Delivery;
  },
): Promise<T | null> {
  const end = performance.now() + options.withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    const left = end - performance.now();
    if (left <= 0) return null;
    await pause(Math.min(options.everyMs, left), options.call, options.delivery);
  }
}

// Long loops in slices, so that other calls of this process run in between and an abort takes effect.

/** Long enough to cost little, short enough not to be noticed. */
const SLICE_MS = 20;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Yields to other calls whenever a slice is over. */
export class Turns {
  #since = performance.now();

  /** True if it yielded. */
  async next(): Promise<boolean> {
    if (performance.now() - this.#since < SLICE_MS) return false;
    await turn();
    this.#since = performance.now();
    return true;
  }
}

/** Runs `each` for all steps, until it returns false. Errors: cancelled. */
export async function inSlices<T>(
  steps: Iterable<T>,
  call: CallContext,
  each: (step: T) => boolean | void,
): Promise<void> {
  const turns = new Turns();
  for (const step of steps) {
    if (each(step) === false) return;
    if (await turns.next()) throwIfAborted(call);
  }
}
