/** Tells an effect from what a program changes by itself: a clock goes on, an effect stays. */
import type { CallContext } from '../../desktop/index.ts';
import { pause, type Deadline } from '../windows/waiting.ts';

/** Clocks tick once a second. */
const STAYS_MS = 1100;

export interface Change {
  /** False for what the program may as well have changed by itself. */
  readonly isSure: boolean;
}

/**
 * What is there of a change after it had the time to change again: a sure one at once, an unsure one if it is the same at
 * the second look. Null where it is not, or where the deadline leaves no time to see.
 * @param shown what must be the same
 */
export async function lasting<C extends Change>(
  look: () => C | null,
  shown: (change: C) => unknown,
  deadline: Deadline,
  call: CallContext,
): Promise<C | null> {
  const first = look();
  if (first === null || first.isSure) return first;
  if (deadline.remaining() < 2 * STAYS_MS) return null;
  await pause(STAYS_MS, call, 'delivered');
  const later = look();
  return later !== null && (later.isSure || Object.is(shown(later), shown(first))) ? later : null;
}
