/** When the same request may be sent again: where the table allows it, and nothing of it was delivered. */
import { expect, test } from 'vitest';
import { DELIVERIES, ERROR_CODES, ERRORS, UiaHostError } from '../../../src/contract/errors.ts';

test('[errors.retryable] no error whose delivery is unknown or complete is retryable, however it is made', () => {
  for (const code of ERROR_CODES)
    for (const delivery of DELIVERIES) {
      const made = new UiaHostError(code, 'what happened', { delivery });
      const problem = { ...made.toProblem(), retryable: true };
      const ways = [made, made.with({ detail: 'more' }), UiaHostError.fromProblem(problem)];
      const changed = new UiaHostError(code, 'what happened').with({ delivery });
      for (const error of [...ways, changed])
        expect([code, delivery, error.retryable, error.toProblem().retryable]).toEqual([
          code,
          delivery,
          ERRORS[code].retryable && delivery === 'not_delivered',
          ERRORS[code].retryable && delivery === 'not_delivered',
        ]);
    }
});
