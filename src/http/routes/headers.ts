// Request headers that several routes read.
import { UiaHostError } from '../../contract/errors.ts';

export const SESSION_HEADER = {
  'Uiahost-Session': 'Session name ([A-Za-z0-9_-]{1,64}) or a computerUseSessionId; `default` when absent.',
};
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key':
    'Repeating a key with the same body returns the first answer; another body is idempotency_mismatch.',
};

/** Errors: invalid_argument for a key that is empty, too long or not printable. */
export function idempotencyKey(given: string | undefined): string | undefined {
  if (given === undefined || /^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw new UiaHostError(
    'invalid_argument',
    'Idempotency-Key: expected 1 to 255 printable ASCII characters without spaces.',
  );
}
