/** A ladder: ways to do one thing, tried in order until one is delivered. */
import type { Attempt, DeliveryRung } from '../../contract/outcome.ts';

/** What came of one way. `isUnfinished`: the program was asked and has not said that it is done; it may have been, or may be yet. */
export type Step = Attempt & { readonly isUnfinished?: true };

/** One way. It says what came of it; it does not throw for what a next rung may do better. */
export type Rung<T> = (target: T) => Step | Promise<Step>;

export const delivered = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'delivered', reason });
/** Delivered, since another way might do it a second time. */
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
  /** What was delivered has not come back: it may take effect later. */
  readonly isUnfinished?: true;
}

/** Tries one after the other. What was refused is not tried another way, since the target said no; nor what may have been done. */
export async function climb<T>(rungs: ReadonlyArray<Rung<T>>, target: T): Promise<Climb> {
  const attempts: Attempt[] = [];
  for (const rung of rungs) {
    const { isUnfinished, ...attempt } = await rung(target);
    attempts.push(attempt);
    if (attempt.result === 'delivered')
      return { delivered: attempt, attempts, ...(isUnfinished === true ? { isUnfinished } : {}) };
    if (attempt.result === 'refused') break;
  }
  return { delivered: null, attempts };
}
