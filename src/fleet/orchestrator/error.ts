/** What the client of a fleet throws; apart, so that a program can tell it without loading the fleet. */
type ErrorCode =
  | 'invalid_argument'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'unanswered'
  | 'not_found'
  | 'unreadable'
  | 'forbidden';

export class FleetError extends Error {
  override readonly name = 'FleetError';
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
