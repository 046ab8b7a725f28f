/** How much a session may do and how long it may last: what it requests, limited by the current policy. */
import { UiaHostError } from '../../contract/errors.ts';
import { SESSION_DEFAULTS, type ComputerUseInput } from '../../contract/gate/session.ts';

/** The policy's part; null = no limit in the policy. */
export interface PolicyLimits {
  readonly maxActions: number | null;
  readonly maxDurationMs: number | null;
}

export interface SessionLimits {
  readonly maxActions: number;
  readonly maxDurationMs: number;
}

/** The limits of a computer-use session: what it requests, but never more than the policy allows. */
export function limitsFor(
  input: Pick<ComputerUseInput, 'maxActions' | 'maxDurationMs'>,
  policy: PolicyLimits,
): SessionLimits {
  return {
    maxActions: Math.min(
      input.maxActions ?? policy.maxActions ?? SESSION_DEFAULTS.maxActions,
      policy.maxActions ?? Infinity,
    ),
    maxDurationMs: Math.min(
      input.maxDurationMs ?? policy.maxDurationMs ?? SESSION_DEFAULTS.maxDurationMs,
      policy.maxDurationMs ?? Infinity,
    ),
  };
}

/**
 * Clients choose session names, so counts are kept for at most this many sessions; the least recently used go first.
 */
const MAX_PLAIN = 4096;

interface PlainSession {
  readonly startedAt: number;
  executed: number;
}

/** Plain sessions begin with their first action. Only the policy limits them. */
export class PlainSessions {
  readonly #sessions = new Map<string, PlainSession>();
  readonly #policy: () => PolicyLimits;
  readonly #now: () => number;

  constructor(policy: () => PolicyLimits, now: () => number = Date.now) {
    this.#policy = policy;
    this.#now = now;
  }

  /** Before an action. Errors: duration_exceeded, action_limit_exceeded. */
  assertWithin(owner: string, changesSomething: boolean): void {
    const session = this.#of(owner);
    const { maxActions, maxDurationMs } = this.#policy();
    const hint = 'Continue in a session of another name, or ask an operator to raise the policy’s limits.';
    if (maxDurationMs !== null && this.#now() - session.startedAt >= maxDurationMs) {
      throw new UiaHostError(
        'duration_exceeded',
        `The policy allows a session ${maxDurationMs} ms, and this one has used them; nothing was done.`,
        { hint },
      );
    }
    if (maxActions !== null && changesSomething && session.executed >= maxActions) {
      throw new UiaHostError(
        'action_limit_exceeded',
        `The policy allows a session ${maxActions} actions, and this one has used them; nothing was done.`,
        { hint },
      );
    }
  }

  /** Right before the delivery of an action that changes something. */
  count(owner: string): void {
    this.#of(owner).executed += 1;
  }

  #of(owner: string): PlainSession {
    const session = this.#sessions.get(owner) ?? { startedAt: this.#now(), executed: 0 };
    this.#sessions.delete(owner);
    this.#sessions.set(owner, session);
    if (this.#sessions.size > MAX_PLAIN) this.#sessions.delete(this.#sessions.keys().next().value ?? '');
    return session;
  }
}
