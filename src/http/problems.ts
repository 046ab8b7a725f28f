// Sends errors as problem details (RFC 9457).
import type { Response } from 'express';
import { toUiaHostError, UiaHostError } from '../contract/errors.ts';

/** Default, if the error has no time of its own. */
const RETRY_AFTER_SECONDS = 1;

interface HttpError {
  readonly status?: unknown;
  readonly type?: unknown;
}

/** Converts errors of express and its router, which have a status instead of our codes. */
export function toProblemError(thrown: unknown): UiaHostError {
  if (thrown instanceof UiaHostError) return thrown;
  if (thrown instanceof URIError || (thrown as HttpError | null)?.status === 400) {
    return new UiaHostError('invalid_argument', 'The URL has an invalid percent escape.', { cause: thrown });
  }
  return toUiaHostError(thrown);
}

/** Sends the problem. If the answer has begun, cuts the connection instead, which no client mistakes for a complete answer. */
export function sendProblem(
  response: Response,
  error: UiaHostError,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer realm="uiahost"');
  if (error.code === 'rate_limited')
    response.setHeader('Retry-After', String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(error.status).type('application/problem+json').send(JSON.stringify(error.toProblem()));
}
