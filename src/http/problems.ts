import type { Response } from 'express';
import { toUiaHostError, UiaHostError } from '../contract/errors.ts';

/** Where the refusal names no time. */
const RETRY_AFTER_SECONDS = 1;

interface HttpError {
  readonly status?: unknown;
  readonly type?: unknown;
}

/** Express and its router throw errors of their own kind with a status; ours have a code. */
export function toProblemError(thrown: unknown): UiaHostError {
  if (thrown instanceof UiaHostError) return thrown;
  if (thrown instanceof URIError || (thrown as HttpError | null)?.status === 400) {
    return new UiaHostError('invalid_argument', 'The address has a broken percent escape.', { cause: thrown });
  }
  return toUiaHostError(thrown);
}

/** Sends the problem, unless the answer has begun: then the connection is cut, which no client takes for a whole answer. */
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
