/** Tells an effect from a program's own activity: a clock keeps changing, an effect persists. */
import { CHANGE_STAYS_MS } from '../../contract/patience.ts';
import type { CallContext } from '../../desktop/index.ts';
import { pause, type Deadline } from '../windows/waiting.ts';

export interface Change {
  /** False for a change that the program may have made by itself. */
  readonly isSure: boolean;
}

/**
 * The change that remains after it had time to change again: a certain one immediately, an uncertain one if a second
 * look finds it unchanged. Null if it does not, or if the deadline leaves no time for the second look.
 * @param shown what must stay the same
 */
export async function persistentChange<C extends Change>(
  look: () => C | null,
  shown: (change: C) => unknown,
  deadline: Deadline,
  call: CallContext,
): Promise<C | null> {
  const first = look();
  if (first === null || first.isSure) return first;
  if (deadline.remaining() < 2 * CHANGE_STAYS_MS) return null;
  await pause(CHANGE_STAYS_MS, call, 'delivered');
  const later = look();
  return later !== null && (later.isSure || Object.is(shown(later), shown(first))) ? later : null;
}
