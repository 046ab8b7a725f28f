import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../windows/ask.ts';
import { activeOf, focusOf, ownerOf, topWindowsOf } from '../windows/window-info.ts';
import type { Deadline } from '../windows/waiting.ts';
import { taken, waitForProgram } from '../windows/program-time.ts';
import type { Witness } from '../windows/witness.ts';

/** How much later than the focus the foreground comes, on a busy machine. */
const LATER_MS = 150;
/** And where the thread has become active with it: the window system may bring it forward by a way of its own, which takes longer. */
const ACTIVE_MS = 700;
/** And where a window has closed: its owner goes on with what it asked for, and may come forward with it. */
const CLOSED_MS = 300;
const LOOK_EVERY_MS = 15;
/** A program that stands still is waited for once more so long: whoever sent the input has waited for it before. */
const STALL_MS = 2000;
/** Kept back from the deadline for the answer. */
const RESERVE_MS = 100;

/**
 * Completes an outcome with what comes of the focus that the input has moved.
 * @param isLikely the program is waited for also where its focus has not moved: this way of delivering brings windows forward
 */
export type FocusFollower = (outcome: Outcome, isLikely?: boolean) => Promise<Outcome>;

/** Whether an outcome itself says that one of the program's windows has closed. */
const saysClosed = ({ evidence }: Outcome): boolean => evidence.some(({ kind }) => kind === 'window-closed');

/**
 * Remembers the focus of a bound window before background input. A program that gives the focus to another of its parts
 * may come forward with it a moment later: where the window system is a server of its own, both are asked for apart. The
 * same goes for the owner of a window that closes. The outcome waits until the program has taken what was sent, and for
 * that moment where the focus has moved or a window has closed.
 */
export function followFocus(
  record: BindingRecord,
  witness: Witness,
  call: CallContext,
  deadline: Deadline,
): FocusFollower {
  const bound = Number(record.hwnd);
  const { thread, process } = threadOf(bound);
  const owner = ownerOf(bound);
  const before = { focus: focusOf(thread), active: activeOf(thread) };
  const isForward = (): boolean | null => (witness.seen().focusChanged ? true : null);
  // Once the bound window is gone, its owner is the one that may come forward, or another window of the program.
  const remaining = (): number =>
    [bound, owner, ...(user32.IsWindow(bound) ? [] : topWindowsOf(process))].find(
      (hwnd) => hwnd !== 0 && user32.IsWindow(hwnd),
    ) ?? 0;
  return async (outcome, isLikely = false) => {
    if (outcome.focusChanged) return outcome;
    const rest = (): number => deadline.share(STALL_MS, RESERVE_MS);
    await taken(bound, 1, rest(), call);
    const hwnd = remaining();
    if (hwnd === 0) return { ...outcome, ...witness.seen() };
    if (hwnd !== bound) await taken(hwnd, 1, rest(), call);
    const hasBecomeActive = activeOf(thread) !== before.active;
    const hasClosed = hwnd !== bound || saysClosed(outcome);
    if (isLikely || hasClosed || hasBecomeActive || focusOf(thread) !== before.focus) {
      const withinMs = hasBecomeActive ? ACTIVE_MS : hasClosed ? CLOSED_MS : LATER_MS;
      await waitForProgram(isForward, {
        hwnd,
        withinMs,
        atMostMs: rest(),
        everyMs: LOOK_EVERY_MS,
        call,
        delivery: 'delivered',
      });
    }
    return { ...outcome, ...witness.seen() };
  };
}
