/** A ladder: ways to do one thing, tried in order until one delivers. */
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, DeliveryWay } from '../../contract/outcome.ts';
import { beginWay } from '../exits/leaving.ts';

/**
 * Result of one way. `isUnfinished`: the program was asked and has not confirmed completion; it may have acted or may
 * act later.
 */
export type Tried = Attempt & { readonly isUnfinished?: true };

/** One way. It returns its result and does not throw for what a later way may do better. */
export type Way<T> = (target: T) => Tried | Promise<Tried>;

export const delivered = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'delivered', reason });
/** Counts as delivered, since another way might do it twice. */
export const unfinished = (way: DeliveryWay, name: string, why = ''): Tried => ({
  ...delivered(way, `${name}, which has not returned${why}`),
  isUnfinished: true,
});
export const refused = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'refused', reason });
export const failed = (way: DeliveryWay, reason: string): Attempt => ({ rung: way, result: 'failed', reason });
export const notApplicable = (way: DeliveryWay, reason: string): Attempt => ({
  rung: way,
  result: 'not_applicable',
  reason,
});

/** For a text that a control cannot hold. `form`: what it takes. */
export const unfit = (description: string, form: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${description} takes ${form}. It was left unchanged.`);

export interface Climb {
  /** The way that delivered; null when none did. */
  readonly delivered: Attempt | null;
  readonly attempts: readonly Attempt[];
  /** The delivered call has not returned: it may take effect later. */
  readonly isUnfinished?: true;
}

/**
 * Tries the ways in order. Stops at a refusal, since the target said no, and at anything that may have taken effect.
 */
export async function climb<T>(ways: ReadonlyArray<Way<T>>, target: T): Promise<Climb> {
  const attempts: Attempt[] = [];
  for (const way of ways) {
    beginWay();
    const { isUnfinished, ...attempt } = await way(target);
    attempts.push(attempt);
    if (attempt.result === 'delivered')
      return { delivered: attempt, attempts, ...(isUnfinished === true ? { isUnfinished } : {}) };
    if (attempt.result === 'refused') break;
  }
  return { delivered: null, attempts };
}

/** What each way said, for an error. */
export const saidBy = (attempts: readonly Attempt[]): string =>
  attempts.map(({ rung, reason }) => `${rung}: ${reason}`).join('; ');
