import type { BindingRecord } from '../../contract/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../uia/ask.ts';
import { activeOf, focusOf } from '../uia/window-info.ts';
import type { Deadline } from '../waiting.ts';
import { taken, waitForProgram } from '../windows/program-time.ts';
import type { Witness } from '../witness.ts';

/** How much later than the focus the foreground comes, on a busy machine. */
const LATER_MS = 150;
/** And where the thread has become active with it: the window system may bring it forward by a way of its own, which takes longer. */
const ACTIVE_MS = 700;
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

/**
 * Remembers the focus of a bound window before background input. A program that gives the focus to another of its parts
 * may come forward with it a moment later: where the window system is a server of its own, both are asked for apart. The
 * outcome waits until the program has taken what was sent, and for that moment where the focus has moved.
 */
export function followFocus(record: BindingRecord, witness: Witness, call: CallContext, deadline: Deadline): FocusFollower {
  const hwnd = Number(record.hwnd);
  const { thread } = threadOf(hwnd);
  const before = { focus: focusOf(thread), active: activeOf(thread) };
  const isForward = (): boolean | null => (witness.seen().focusChanged ? true : null);
  return async (outcome, isLikely = false) => {
    if (outcome.focusChanged) return outcome;
    const rest = (): number => deadline.share(STALL_MS, RESERVE_MS);
    await taken(hwnd, 1, rest(), call);
    const hasBecomeActive = activeOf(thread) !== before.active;
    if (isLikely || hasBecomeActive || focusOf(thread) !== before.focus) {
      await waitForProgram(isForward, { hwnd, withinMs: hasBecomeActive ? ACTIVE_MS : LATER_MS, atMostMs: rest(), everyMs: LOOK_EVERY_MS, call, delivery: 'delivered' });
    }
    return { ...outcome, ...witness.seen() };
  };
}
