/**
 * Waits that count only the time in which both the program and this process run. An action's effect is looked for during a
 * short time; on a busy machine either may not be scheduled for most of it. So the program must answer between two checks,
 * and a round that took far longer than planned counts as one round.
 */
import { WM_NULL } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Delivery } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';
import { answers, AT_ONCE_MS, sendWithin } from './ask.ts';
import { pause } from './waiting.ts';

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
    if (sendWithin(hwnd, WM_NULL, 0, 0, Math.min(left, AT_ONCE_MS)) !== null) continue;
    if (!(await answersUnlessAborted(hwnd, end - performance.now(), call))) return !user32.IsWindow(hwnd);
  }
  return true;
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
  if (sendWithin(hwnd, WM_NULL, 0, 0, AT_ONCE_MS) === null)
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
