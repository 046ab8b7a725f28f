import { UiaHostError, type Delivery } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';

/** Throws `cancelled` once the call is aborted. `delivery` says what is known of input sent so far. */
export function throwIfAborted(call: CallContext, delivery: Delivery = 'not_delivered'): void {
  if (call.signal.aborted) throw new UiaHostError('cancelled', 'The action was cancelled while it ran.', { delivery });
}

/** Less than the ten seconds that a call has unless its caller says otherwise. */
const MOST_PATIENCE_MS = 8000;

/** The time that a call may still take. Starts when it is made. */
export class Deadline {
  readonly #end: number;
  readonly #whole: number;
  constructor(call: CallContext) {
    this.#whole = call.deadlineMs;
    this.#end = performance.now() + call.deadlineMs;
  }

  /** Milliseconds left, never negative; `reserve` is kept back for what comes after. */
  remaining(reserve = 0): number {
    return Math.max(0, this.#end - performance.now() - reserve);
  }

  /** At most `wanted` milliseconds, less where the deadline is nearer. */
  share(wanted: number, reserve = 50): number {
    return Math.min(wanted, this.remaining(reserve));
  }

  /**
   * The same, but a third of the whole time where that is more: a caller who waits longer has slow programs read as well. Never so long that
   * somebody else's call, which waits for this process meanwhile, outlives its usual deadline.
   */
  patience(usual: number): number {
    return this.share(Math.max(usual, Math.min(this.#whole / 3, MOST_PATIENCE_MS)));
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

/** Asks `look` until it answers something other than null, or the time is over: then null. Asked at least once. */
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
