import type { BindingRecord } from '../../contract/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../uia/ask.ts';
import { focusOf } from '../uia/window-info.ts';
import { Deadline, waitUntil } from '../waiting.ts';
import { answers } from '../windows/ping.ts';
import type { Witness } from '../witness.ts';

/** How much later than the focus the foreground comes, on a busy machine. */
const LATER_MS = 150;
const LOOK_EVERY_MS = 15;
/** Kept back from the deadline for the answer. */
const RESERVE_MS = 100;

/** Completes an outcome with what comes of the focus that the input has moved. */
export type FocusFollower = (outcome: Outcome) => Promise<Outcome>;

/**
 * Remembers the focus of a bound window before background input. A program that gives the focus to another of its parts
 * may come forward with it a moment later: where the window system is a server of its own, both are asked for apart. The
 * outcome waits for that moment, and only where the focus has moved.
 */
export function followFocus(record: BindingRecord, witness: Witness, call: CallContext): FocusFollower {
  const deadline = new Deadline(call);
  const hwnd = Number(record.hwnd);
  const { thread } = threadOf(hwnd);
  const before = focusOf(thread);
  return async (outcome) => {
    if (outcome.focusChanged || focusOf(thread) === before) return outcome;
    const isForward = (): boolean | null => (witness.seen().focusChanged ? true : null);
    const wait = { everyMs: LOOK_EVERY_MS, call, delivery: 'delivered' as const };
    // A thread that answers has taken what the window system told it meanwhile.
    if (await waitUntil(isForward, { ...wait, withinMs: deadline.share(LATER_MS, RESERVE_MS) }) === null) await answers(hwnd, deadline.share(LATER_MS, RESERVE_MS));
    return { ...outcome, ...witness.seen() };
  };
}
