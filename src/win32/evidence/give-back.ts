/** Returns the foreground to the window that a person had in front, after a program came forward by itself. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../windows/handle.ts';
import { ANSWER_RESERVE_MS, pause, waitUntil, type Deadline } from '../windows/waiting.ts';
import type { Witness } from '../windows/witness.ts';

/** The window system needs a moment where it is a separate server. */
const BACK_MS = 300;
/** A program that comes forward once more does so soon. */
const STAYS_MS = 60;

/** What an outcome's details say of it. */
export interface ForegroundReport {
  /** The window that came forward by itself. */
  readonly taken: string;
  /** Whether the window that was in front before is in front again. */
  readonly givenBack: boolean;
  readonly reason?: string;
}

/** The window that a person had in front, if it can still be brought to the front; 0 if there is none. */
function windowBefore(before: number, now: number, process: number): number {
  const isUsable =
    before !== 0 && user32.IsWindow(before) && user32.IsWindowVisible(before) && !user32.IsIconic(before);
  // Another program's window in front is the person's choice, or that program's own matter. If nothing is in front, the
  // program has released the foreground.
  const isTaken = now === 0 || now === user32.GetDesktopWindow() || threadOf(now).process === process;
  const isOurs = isTaken && threadOf(before).process !== process;
  return isUsable && isOurs && now !== before ? before : 0;
}

/**
 * Background input never asks for the foreground. Where its program takes it nonetheless, the window that was in front
 * is put back by SetForegroundWindow, the documented way, which Windows may refuse; nothing is done to get round that.
 * Never where a person may have brought it forward.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow (remarks)
 * @param process the program that the input was for
 * @param onOurs called at the end: what the system counted as input since the action began was not a person's
 * @param hasSwitched whether a person did what brings a window to the front since the action began
 */
export async function giveBack(
  outcome: Outcome,
  process: number,
  hasSwitched: () => boolean,
  onOurs: () => void,
  witness: Witness,
  deadline: Deadline,
  call: CallContext,
): Promise<Outcome> {
  // Real input needs the foreground, and was asked for.
  if (!outcome.focusChanged || outcome.attempts.some(({ rung }) => rung === 'input')) return outcome;
  const now = user32.GetForegroundWindow();
  const before = windowBefore(witness.foregroundBefore, now, process);
  if (before === 0) return outcome;
  const report = (more: Omit<ForegroundReport, 'taken'>): Outcome => ({
    ...outcome,
    details: { ...outcome.details, foreground: { taken: String(now), ...more } satisfies ForegroundReport },
  });
  if (hasSwitched()) return report({ givenBack: false, reason: 'a person may have brought it forward' });
  const isBack = (): boolean => user32.GetForegroundWindow() === before;
  user32.SetForegroundWindow(before);
  await waitUntil(() => (isBack() ? true : null), {
    withinMs: deadline.share(BACK_MS, ANSWER_RESERVE_MS),
    everyMs: 10,
    call,
    delivery: 'delivered',
  });
  if (isBack()) await pause(deadline.share(STAYS_MS, ANSWER_RESERVE_MS), call, 'delivered');
  // The system may count what windows do under the pointer as input; that was us, not a person.
  onOurs();
  return report(
    isBack()
      ? { givenBack: true }
      : { givenBack: false, reason: 'Windows did not change the foreground, or the program took it again' },
  );
}
