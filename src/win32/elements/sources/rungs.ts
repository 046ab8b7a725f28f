/** A ladder: ways to do one thing, tried in order until one delivers. */
import type { Attempt, DeliveryRung } from '../../../contract/outcome.ts';
import { beginWay } from '../../exits/leaving.ts';

/**
 * Result of one rung. `isUnfinished`: the program was asked and has not confirmed completion; it may have acted or may
 * act later.
 */
export type Step = Attempt & { readonly isUnfinished?: true };

/** One way. It returns its result and does not throw for what a later rung may do better. */
export type Rung<T> = (target: T) => Step | Promise<Step>;

export const delivered = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'delivered', reason });
/** Counts as delivered, since another way might do it twice. */
export const unfinished = (rung: DeliveryRung, name: string, why = ''): Step => ({
  ...delivered(rung, `${name}, which has not returned${why}`),
  isUnfinished: true,
});
export const refused = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'refused', reason });
export const failed = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'failed', reason });
export const notApplicable = (rung: DeliveryRung, reason: string): Attempt => ({
  rung,
  result: 'not_applicable',
  reason,
});

export interface Climb {
  /** The rung that delivered; null when none did. */
  readonly delivered: Attempt | null;
  readonly attempts: readonly Attempt[];
  /** The delivered call has not returned: it may take effect later. */
  readonly isUnfinished?: true;
}

/**
 * Tries the rungs in order. Stops at a refusal, since the target said no, and at anything that may have taken effect.
 */
export async function climb<T>(rungs: ReadonlyArray<Rung<T>>, target: T): Promise<Climb> {
  const attempts: Attempt[] = [];
  for (const rung of rungs) {
    beginWay();
    const { isUnfinished, ...attempt } = await rung(target);
    attempts.push(attempt);
    if (attempt.result === 'delivered')
      return { delivered: attempt, attempts, ...(isUnfinished === true ? { isUnfinished } : {}) };
    if (attempt.result === 'refused') break;
  }
  return { delivered: null, attempts };
}
