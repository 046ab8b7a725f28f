/** The closed table of errors, and the typed error that every layer throws. */
import { visible } from './json/quoted.ts';

/** Whether input reached the target when an action failed. `unknown`: it may have. */
export const DELIVERIES = ['not_delivered', 'delivered', 'unknown'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly title: string;
  readonly hint: string;
}

const row = (status: number, retryable: boolean, title: string, hint: string): ErrorRow => ({
  status,
  retryable,
  title,
  hint,
});

/**
 * The one table of errors: code → HTTP status, whether the same request may succeed later, title, and what to try.
 * It is closed: no interface answers with any other code.
 */
export const ERRORS = {
  invalid_argument: row(
    400,
    false,
    'The input is not valid',
    'Correct the input as the detail says; GET /v1/actions has the schema of every action.',
  ),
  unauthenticated: row(
    401,
    false,
    'No valid token',
    'Send `Authorization: Bearer TOKEN`; `uiahost token` prints where the token is.',
  ),
  permission_denied: row(
    403,
    false,
    'The permission level does not allow this',
    'Ask an operator to raise the level (PATCH /v1/policy), or use an action that only observes.',
  ),
  approval_denied: row(
    403,
    false,
    'The approval was denied',
    'Do not repeat it unchanged; explain to the person why it is needed, or find another way.',
  ),
  // Not worth repeating: an unattended agent would keep asking an empty room.
  approval_expired: row(
    403,
    false,
    'No decision came before the deadline, which counts as a denial',
    'Do not repeat it. Say what you need, and ask again when a person is at the machine.',
  ),
  blocked_by_policy: row(
    403,
    false,
    'The policy forbids this',
    'An operator can change the policy; another way to the goal may be open.',
  ),
  grant_flag_required: row(
    403,
    false,
    'This needs a flag that has not been granted',
    'Ask for the flag with request-access.',
  ),
  app_not_granted: row(
    403,
    false,
    'This application is not granted',
    'Ask for it with request-access, or work in a granted application.',
  ),
  tier_insufficient: row(
    403,
    false,
    'The tier granted for this application is too low',
    'Ask for a higher tier with request-access.',
  ),
  key_blocked: row(
    403,
    false,
    'This key combination is blocked',
    'Use an element or window action instead, or ask for the flag systemKeyCombos.',
  ),
  target_elevated: row(
    403,
    false,
    'The window runs with higher integrity than the host',
    'Windows discards the host’s input to it; start the program without elevation.',
  ),
  host_not_allowed: row(403, false, 'The Host header names another host', 'Call the address that host.json gives.'),
  origin_not_allowed: row(
    403,
    false,
    'Requests from this origin are refused',
    'Call the API from a program, not from a web page.',
  ),
  not_found: row(
    404,
    false,
    'There is nothing at this address',
    'GET /v1/openapi.json lists every route, GET /v1/actions every action.',
  ),
  target_not_found: row(404, true, 'No such window or element', 'Look again with list-visible-windows or snapshot.'),
  session_not_found: row(
    404,
    false,
    'No such session',
    'GET /v1/computer-use/sessions lists the sessions of this token.',
  ),
  approval_not_found: row(404, false, 'No such approval', 'GET /v1/approvals?status=all lists them.'),
  artifact_not_found: row(404, false, 'No such artifact', 'It may be past its retention; take a new screenshot.'),
  action_not_found: row(404, false, 'No such action record', 'Records are kept for 24 hours.'),
  method_not_allowed: row(
    405,
    false,
    'This address does not take that method',
    'GET /v1/openapi.json lists the methods of every route.',
  ),
  review_required: row(
    409,
    false,
    'The action was not run; it needs another proposal',
    'See the reason, and propose the action on an element.',
  ),
  not_bound: row(409, false, 'No window is bound', 'Bind one with bind-to-window.'),
  target_ambiguous: row(409, false, 'More than one target fits', 'Choose one of the candidates by its ref or hwnd.'),
  target_disabled: row(409, true, 'The element is disabled', 'Do what enables it first, or wait for it with wait-for.'),
  target_readonly: row(409, false, 'The element is read-only', 'Nothing was overwritten; choose an editable element.'),
  target_offscreen: row(
    409,
    true,
    'The element is not in view and cannot be scrolled into view',
    'Scroll its container or resize the window, then look again.',
  ),
  element_stale: row(409, true, 'The element of this ref is gone', 'Take a new snapshot and use its refs.'),
  state_conflict: row(
    409,
    true,
    'The current state does not allow this',
    'See the detail, bring the window into the required state, and try again.',
  ),
  still_open: row(409, true, 'The window is still open', 'It shows a dialog; answer that first.'),
  session_ended: row(409, false, 'The session has ended', 'Start a new session.'),
  approval_conflict: row(409, false, 'The approval was decided the other way', 'The first decision is final.'),
  action_limit_exceeded: row(
    409,
    false,
    'The session has used all its actions',
    'Start a new session with a higher limit.',
  ),
  duration_exceeded: row(409, false, 'The session has used all its time', 'Start a new session with a longer limit.'),
  stopped: row(
    409,
    false,
    'The emergency stop is on',
    'An operator releases it with POST /v1/resume; if cards are answered only on the overlay, a person is asked there.',
  ),
  user_active: row(
    409,
    true,
    'A person is using the machine',
    'Foreground input yields to them; try again later or deliver in the background.',
  ),
  cancelled: row(409, false, 'The action was cancelled', 'Send it again if it is still wanted.'),
  lock_held: row(
    409,
    false,
    'Another host runs in this user session',
    'Use that host (host.json has its address), or stop it first.',
  ),
  window_gone: row(410, false, 'The bound window no longer exists', 'Bind a window again.'),
  payload_too_large: row(413, false, 'The body is too large', 'Bodies may have at most 1 MiB.'),
  unsupported_media_type: row(415, false, 'The body is not JSON', 'Send `Content-Type: application/json`.'),
  idempotency_mismatch: row(
    422,
    false,
    'This Idempotency-Key was used with a different body before',
    'Use a new key for a new request.',
  ),
  rate_limited: row(429, true, 'Too many requests', 'Wait as Retry-After says.'),
  internal: row(500, true, 'The host failed', 'See the log for the cause, and please report it.'),
  unsupported: row(501, false, 'This system cannot do that', 'The detail says what is missing; find another way.'),
  launch_failed: row(
    502,
    false,
    'The program could not be started',
    'Check that it is installed and the folder exists.',
  ),
  capture_failed: row(502, true, 'No picture could be taken', 'Try again; `uiahost doctor` shows possible causes.'),
  capture_blank: row(
    502,
    true,
    'The picture would be blank',
    'Restore the window if it is minimised; a protected window cannot be captured.',
  ),
  desktop_unavailable: row(
    503,
    true,
    'There is no desktop to act on',
    'Unlock or connect the session; `uiahost doctor` names the cause.',
  ),
  worker_restarted: row(
    503,
    true,
    'The desktop worker was restarted',
    'Look again before repeating: input may have been delivered.',
  ),
  audit_unavailable: row(
    503,
    true,
    'The audit cannot be written',
    'Free disk space or repair the audit folder; until then no action runs.',
  ),
  window_hung: row(504, true, 'The window does not respond', 'Wait until its program answers again.'),
  deadline_exceeded: row(
    504,
    true,
    'The deadline passed',
    'Look at the state first; raise deadlineMs if the action needs longer.',
  ),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** A window or element to choose from where a query was ambiguous. */
export interface Candidate {
  ref?: string | undefined;
  hwnd?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  automationId?: string | undefined;
  title?: string | undefined;
}

/**
 * `application/problem+json` as every interface answers it (RFC 9457 with our members). Its schema is in problem.ts.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  retryable: boolean;
  delivery: Delivery;
  hint: string;
  actionId?: string | undefined;
  candidates?: Candidate[] | undefined;
  /** Names similar to an unknown one. */
  suggestions?: string[] | undefined;
  partialResult?: unknown;
}

export interface ErrorDetails {
  /** Default `not_delivered`. */
  delivery?: Delivery | undefined;
  /** Replaces the table's hint. */
  hint?: string | undefined;
  candidates?: Candidate[] | undefined;
  suggestions?: string[] | undefined;
  partialResult?: unknown;
  actionId?: string | undefined;
  /** With rate_limited: when to try again. HTTP sends it in Retry-After. */
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * The typed error of every layer. Its message says what happened and the state now: one line without hidden characters,
 * whatever text went into it.
 */
export class UiaHostError extends Error {
  override readonly name = 'UiaHostError';
  readonly code: ErrorCode;
  readonly delivery: Delivery;
  readonly hint: string;
  readonly retryable: boolean;
  readonly candidates: Candidate[] | undefined;
  readonly suggestions: string[] | undefined;
  readonly partialResult: unknown;
  readonly retryAfterSeconds: number | undefined;
  actionId: string | undefined;

  constructor(code: ErrorCode, detail: string, more: ErrorDetails = {}) {
    super(visible(detail), more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.delivery = more.delivery ?? 'not_delivered';
    this.hint = more.hint === undefined ? ERRORS[code].hint : visible(more.hint);
    // Whatever was delivered, or may have been, would be done twice.
    this.retryable = ERRORS[code].retryable && this.delivery === 'not_delivered';
    this.candidates = more.candidates;
    this.suggestions = more.suggestions?.length === 0 ? undefined : more.suggestions;
    this.partialResult = more.partialResult;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.actionId = more.actionId;
  }

  /**
   * The error that a problem was made from, as far as it is known here. Its hint and delivery are the problem's own.
   */
  static fromProblem(problem: Problem, more: ErrorDetails = {}): UiaHostError {
    return new UiaHostError(problem.code, problem.detail, { ...problem, ...more });
  }

  /** The same error with another text or other details: what a step of a batch adds to the error of its action. */
  with({ detail, ...more }: ErrorDetails & { readonly detail?: string }): UiaHostError {
    return new UiaHostError(this.code, detail ?? this.message, { ...this, cause: this.cause, ...more });
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  toProblem(): Problem {
    return {
      type: `urn:uiahost:error:${this.code}`,
      title: ERRORS[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      retryable: this.retryable,
      delivery: this.delivery,
      hint: this.hint,
      ...(this.actionId === undefined ? {} : { actionId: this.actionId }),
      ...(this.candidates === undefined ? {} : { candidates: this.candidates }),
      ...(this.suggestions === undefined ? {} : { suggestions: this.suggestions }),
      ...(this.partialResult === undefined ? {} : { partialResult: this.partialResult }),
    };
  }
}

/** Why a signal was aborted: its typed reason, else `cancelled` with this text. */
export function abortReason(signal: AbortSignal | undefined, otherwise = 'The call was cancelled.'): UiaHostError {
  return signal?.reason instanceof UiaHostError ? signal.reason : new UiaHostError('cancelled', otherwise);
}

/**
 * Makes a typed error from anything thrown; a foreign error becomes `internal` without its text, which may contain
 * secrets.
 */
export function toUiaHostError(thrown: unknown): UiaHostError {
  if (thrown instanceof UiaHostError) return thrown;
  return new UiaHostError('internal', 'Unexpected fault in the host; see the log.', {
    delivery: 'unknown',
    cause: thrown,
  });
}

/** What the caller gave cannot be used. */
export const badInput = (detail: string, more?: ErrorDetails): UiaHostError =>
  new UiaHostError('invalid_argument', detail, more);
