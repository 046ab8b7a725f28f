/**
 * Deadlines, pauses, polling and long loops within a call, and waits that count only the time in which both the program and
 * this process run. An action's effect is looked for during a short time; on a busy machine either may not be scheduled for
 * most of it. So the program must answer between two checks, and a round that took far longer than planned counts as one.
 */
import { UiaHostError, type Delivery } from '../../contract/errors.ts';
import { TEXT_STAYS_MS } from '../../contract/patience.ts';
import { WM_NULL } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { CallContext } from '../../desktop/call.ts';
import { answers, AT_ONCE_MS, askWithin } from './ask.ts';

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

/** Time without an answer after which Windows considers a window hung. */
export const STALL_MS = 5000;
/** Resolution of Windows' timers: a sleep may take this much longer than requested. */
const TICK_MS = 16;

/** The ping runs on another thread with its own time limit; an aborted call does not wait for it. */
async function answersUnlessAborted(hwnd: number, withinMs: number, call: CallContext): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const giveUp = (): void => resolve(false);
  call.signal.addEventListener('abort', giveUp, { once: true });
  if (call.signal.aborted) giveUp();
  else void answers(hwnd, Math.max(1, withinMs)).then(resolve, giveUp);
  try {
    return await promise;
  } finally {
    call.signal.removeEventListener('abort', giveUp);
  }
}

/**
 * Waits until a window's thread has processed about as many messages as were posted to it. Sent messages overtake posted
 * ones, so one answer proves nothing; but a thread answers between two posted messages, so after enough answers it has
 * processed them. Without this wait an outcome could be reported before its effect on the foreground. False if the thread
 * does not answer in time or the call is aborted; a closed window has no messages left.
 * Source: learn.microsoft.com/windows/win32/winmsg/about-messages-and-message-queues
 */
export async function taken(hwnd: number, posted: number, milliseconds: number, call: CallContext): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (let said = 0; said <= posted; said += 1) {
    const left = end - performance.now();
    if (left <= 0 || call.signal.aborted) return false;
    if (askWithin(hwnd, WM_NULL, 0, 0, Math.min(left, AT_ONCE_MS)) !== null) continue;
    if (!(await answersUnlessAborted(hwnd, end - performance.now(), call))) return !user32.IsWindow(hwnd);
  }
  return true;
}

/**
 * Waits until a program that heard of a change has processed a message that it may have posted to itself.
 * @param isKept false: nothing will look at the change again, so programs that react later get a while
 */
export async function heardBy(hwnd: number, deadline: Deadline, isKept = true): Promise<void> {
  if (isKept) await taken(hwnd, 1, deadline.share(STALL_MS, ANSWER_RESERVE_MS), deadline.call);
  else await pause(deadline.share(TEXT_STAYS_MS, ANSWER_RESERVE_MS), deadline.call, 'delivered');
}

interface Round {
  readonly hwnd: number;
  readonly everyMs: number;
  /** Upper limit of the round, whichever process is not scheduled. */
  readonly leftMs: number;
  readonly call: CallContext;
  readonly delivery?: Delivery;
}

/** Sleeps once and until the program answers; returns how many milliseconds count. Errors: cancelled. */
export async function oneRound({ hwnd, everyMs, leftMs, call, delivery }: Round): Promise<number> {
  const start = performance.now();
  await pause(Math.min(everyMs, leftMs), call, delivery);
  if (askWithin(hwnd, WM_NULL, 0, 0, AT_ONCE_MS) === null)
    await answersUnlessAborted(hwnd, leftMs - (performance.now() - start), call);
  return Math.min(performance.now() - start, everyMs + TICK_MS);
}

/** Calls `look` until it returns something other than null, or null when the program has had `withinMs`. Called at least once, and after every stall. */
export async function waitForProgram<T>(
  look: () => T | null | Promise<T | null>,
  options: Omit<Round, 'leftMs'> & { readonly withinMs: number; readonly atMostMs: number },
): Promise<T | null> {
  const end = performance.now() + options.atMostMs;
  for (let had = 0; ;) {
    const seen = await look();
    if (seen !== null) return seen;
    const leftMs = end - performance.now();
    if (had >= options.withinMs || leftMs <= 0) return null;
    had += await oneRound({
      ...options,
      everyMs: Math.min(options.everyMs, Math.max(1, options.withinMs - had)),
      leftMs,
    });
  }
}

/**
 * The same after something was sent, for as long as the call has time.
 * @param reserveMs part of the deadline for the steps after
 */
export const seenWithin = <T>(
  hwnd: number,
  withinMs: number,
  look: () => T | null | Promise<T | null>,
  deadline: Deadline,
  { everyMs = 20, reserveMs = ANSWER_RESERVE_MS }: { readonly everyMs?: number; readonly reserveMs?: number } = {},
): Promise<T | null> =>
  waitForProgram(look, {
    hwnd,
    withinMs,
    atMostMs: deadline.share(STALL_MS, reserveMs),
    everyMs,
    call: deadline.call,
    delivery: 'delivered',
  });
