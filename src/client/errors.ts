// The client's errors: what the host refused, and a connection that failed. Each says whether input was delivered.
import type { Problem } from './api.generated.ts';

/** Whether input reached the target. `unknown`: it may have; look before you repeat the call. */
export type Delivery = Problem['delivery'];

/** What every error of the client has. */
export abstract class ClientError extends Error {
  abstract readonly code: string;
  /** The same call may succeed later. */
  abstract readonly retryable: boolean;
  /** The key of an action whose answer did not arrive: repeating the call with it gets that answer and runs nothing twice. */
  idempotencyKey?: string | undefined;
  abstract readonly delivery: Delivery;
  /** What to try. */
  abstract readonly hint: string;
}

/** The host answered with a problem (RFC 9457). */
export class ProblemError extends ClientError {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  /** The response body, unchanged. */
  readonly text: string;

  constructor(problem: Problem, text: string = JSON.stringify(problem)) {
    super(problem.detail);
    this.problem = problem;
    this.text = text;
  }

  get code(): Problem['code'] {
    return this.problem.code;
  }
  get status(): number {
    return this.problem.status;
  }
  get retryable(): boolean {
    return this.problem.retryable;
  }
  get delivery(): Delivery {
    return this.problem.delivery;
  }
  get hint(): string {
    return this.problem.hint;
  }
  /** The action that failed; none where the request did not become one. */
  get actionId(): string | undefined {
    return this.problem.actionId;
  }
  /** Where a choice is needed: the elements or windows that fit. */
  get candidates(): NonNullable<Problem['candidates']> {
    return this.problem.candidates ?? [];
  }
}

/** No answer came: the host could not be reached, the connection broke, or what answered is not a host. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection_failed';
  readonly retryable: boolean;
  readonly delivery: Delivery;
  readonly hint: string;

  constructor(message: string, delivery: Delivery, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.delivery = delivery;
    this.retryable = delivery === 'not_delivered';
    this.hint =
      delivery === 'not_delivered'
        ? 'Check that the host runs (`uiahost status`), then repeat the call.'
        : 'Repeat the call with the error’s idempotencyKey: it gets the first answer and runs nothing twice.';
  }
}

/** The call took longer than its `timeoutMs`. */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';
  readonly code = 'client_timeout';
  readonly retryable = false;
  readonly delivery = 'unknown';
  readonly hint = 'Take a snapshot to see what was done. To wait for a person, use a longer time or none.';
}

/** No host of this data directory answers. Says what was found instead, and what to do. */
export class HostNotFoundError extends ClientError {
  override readonly name = 'HostNotFoundError';
  readonly code = 'host_not_found';
  readonly retryable = false;
  readonly delivery = 'not_delivered';
  readonly hint: string;
  /** Another program answers where the host should: starting one would not help. */
  readonly isPlaceTaken: boolean;

  constructor(message: string, hint: string, isPlaceTaken = false) {
    super(message);
    this.hint = hint;
    this.isPlaceTaken = isPlaceTaken;
  }
}

/** Whether a body is a problem: enough of it to say what happened. */
function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { code, detail, status, hint, delivery, retryable } = value as Record<string, unknown>;
  const areTexts = [code, detail, hint, delivery].every((each) => typeof each === 'string');
  return areTexts && typeof status === 'number' && typeof retryable === 'boolean';
}

/** The error of an answer that is not a success. */
export function errorOf(response: Response, text: string): ClientError {
  try {
    const body: unknown = JSON.parse(text);
    if (isProblem(body)) return new ProblemError(body, text);
  } catch {
    // Not JSON: handled below.
  }
  return new ConnectionError(`The host answered ${response.status} without a reason.`, 'unknown');
}
