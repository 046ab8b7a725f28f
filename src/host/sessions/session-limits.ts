/** How much a session may do and how long it may last: what it says itself, under what the policy says now. */
import { UiaHostError } from '../../contract/errors.ts';
import { SESSION_DEFAULTS, type ComputerUseInput } from '../../contract/session.ts';

/** The policy's part; null = the policy says nothing. */
export interface PolicyLimits {
  readonly maxActions: number | null;
  readonly maxDurationMs: number | null;
}

export interface SessionLimits {
  readonly maxActions: number;
  readonly maxDurationMs: number;
}

/** What a computer-use session gets that asks for this: never more than the policy says. */
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

/** Names are the clients' to make up: of so many sessions the count is kept, the longest unused goes first. */
const MOST_PLAIN = 4096;

interface PlainSession {
  readonly startedAt: number;
  executed: number;
}

/** Plain sessions have no start of their own: theirs is their first action. Only the policy limits them. */
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
    const hint = 'Go on in a session of another name, or ask an operator for more (limits of the policy).';
    if (maxDurationMs !== null && this.#now() - session.startedAt >= maxDurationMs) {
      throw new UiaHostError(
        'duration_exceeded',
        `The policy gives a session ${maxDurationMs} ms, and this one has used them; nothing was done.`,
        { hint },
      );
    }
    if (maxActions !== null && changesSomething && session.executed >= maxActions) {
      throw new UiaHostError(
        'action_limit_exceeded',
        `The policy gives a session ${maxActions} actions, and this one has used them; nothing was done.`,
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
    if (this.#sessions.size > MOST_PLAIN) this.#sessions.delete(this.#sessions.keys().next().value ?? '');
    return session;
  }
}
