/** What a field or a cell holds after a text was put into it. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { TEXT_STAYS_MS } from '../../contract/patience.ts';
import { ANSWER_RESERVE_MS, pause, STALL_MS, waitForProgram, type Deadline } from '../windows/waiting.ts';

/** How long (ms of the program) a text may take to arrive. */
const ARRIVES_MS = 300;
const POLL_MS = 10;

/**
 * Reads until the program has taken the text, and once more after a while: a program that hears of the text may change it
 * some time later. Null if it cannot be read.
 */
export async function heldText<T>(
  hwnd: number,
  read: () => T | null | Promise<T | null>,
  isTaken: (held: T) => boolean,
  deadline: Deadline,
  withinMs = ARRIVES_MS,
): Promise<T | null> {
  const { call } = deadline;
  const settled = await waitForProgram(
    async () => {
      const now = await read();
      return now !== null && isTaken(now) ? now : null;
    },
    {
      hwnd,
      withinMs,
      atMostMs: deadline.share(STALL_MS, ANSWER_RESERVE_MS),
      everyMs: POLL_MS,
      call,
      delivery: 'delivered',
    },
  );
  if (settled !== null) await pause(deadline.share(TEXT_STAYS_MS, ANSWER_RESERVE_MS), call, 'delivered');
  // A field that is gone holds nothing; another in its place may be empty.
  return (await read()) ?? (user32.IsWindow(hwnd) ? settled : null);
}
