/** A ladder: ways to do one thing, tried in order until one is delivered. */
import type { Attempt, DeliveryRung } from '../../../contract/outcome.ts';

/** One way. It says what came of it; it does not throw for what a next rung may do better. */
export type Rung<T> = (target: T) => Attempt | Promise<Attempt>;

export const delivered = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'delivered', reason });
export const refused = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'refused', reason });
export const failed = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'failed', reason });
export const notApplicable = (rung: DeliveryRung, reason: string): Attempt => ({ rung, result: 'not_applicable', reason });

export interface Climb {
  /** The rung that delivered; null when none did. */
  readonly delivered: Attempt | null;
  readonly attempts: readonly Attempt[];
}

/** Tries one after the other. What was refused is not tried another way: the target said no. */
export async function climb<T>(rungs: ReadonlyArray<Rung<T>>, target: T): Promise<Climb> {
  const attempts: Attempt[] = [];
  for (const rung of rungs) {
    const attempt = await rung(target);
    attempts.push(attempt);
    if (attempt.result === 'delivered') return { delivered: attempt, attempts };
    if (attempt.result === 'refused') break;
  }
  return { delivered: null, attempts };
}
