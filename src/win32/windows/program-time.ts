/**
 * Time as a program has it. What an action changes is looked for during a short while; on a machine that others use, the
 * program or this process may stand still for most of it. So only time counts in which both run: the program answers
 * between two looks, and a round that took far longer than it should counts as one.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Delivery } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';
import { sendWithin } from './ask.ts';
import { pause } from './waiting.ts';
import { answers } from './ping.ts';

const WM_NULL = 0;
/** How long Windows itself lets a window not answer before it calls it hung. */
export const STALL_MS = 5000;
/** Timers of Windows are so coarse: a round that sleeps takes up to so much longer than it asks for. */
const TICK_MS = 16;
/** A thread that is not busy answers well within it; this process waits itself for so long at most. */
const AT_ONCE_MS = 20;

/** The question is on another thread and has an end of its own, which an aborted call does not wait for. */
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
 * Waits until a window's thread has taken about as many messages as were posted to it. Sent messages overtake posted ones,
 * so one answer says nothing of them; but a thread answers between two posted messages, so it answers often enough when it
 * has taken them. Without it an outcome could be told before its effect on the foreground has happened. False where it
 * stays silent all that time, or the call is aborted; a window that is gone has nothing left to take.
 * Source: learn.microsoft.com/windows/win32/winmsg/about-messages-and-message-queues
 */
export async function taken(hwnd: number, posted: number, milliseconds: number, call: CallContext): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (let said = 0; said <= posted; said += 1) {
    const left = end - performance.now();
    if (left <= 0 || call.signal.aborted) return false;
    if (sendWithin(hwnd, WM_NULL, 0, 0, Math.min(left, AT_ONCE_MS)) !== null) continue;
    if (!(await answersUnlessAborted(hwnd, end - performance.now(), call))) return !user32.IsWindow(hwnd);
  }
  return true;
}

interface Round {
  readonly hwnd: number;
  readonly everyMs: number;
  /** Longer than this it does not take, whoever stands still. */
  readonly leftMs: number;
  readonly call: CallContext;
  readonly delivery?: Delivery;
}

/** Sleeps once, until the program answers again; tells how much of it counts. Errors: cancelled. */
export async function oneRound({ hwnd, everyMs, leftMs, call, delivery }: Round): Promise<number> {
  const start = performance.now();
  await pause(Math.min(everyMs, leftMs), call, delivery);
  if (sendWithin(hwnd, WM_NULL, 0, 0, AT_ONCE_MS) === null)
    await answersUnlessAborted(hwnd, leftMs - (performance.now() - start), call);
  return Math.min(performance.now() - start, everyMs + TICK_MS);
}

/** Asks `look` until it answers something other than null, or the program had the time: then null. Asked at least once, and after every standstill. */
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
