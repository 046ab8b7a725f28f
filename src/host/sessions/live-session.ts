/** A computer-use session in the host's memory until its end is stored, and the limits and rates that hold for it. */
import { UiaHostError } from '../../contract/errors.ts';
import type { SessionEndStatus } from '../../contract/gate/session-status.ts';
import { type ComputerUseInput, SESSION_DEFAULTS } from '../../contract/gate/session.ts';

/** Share of a token's actions that a session beyond its fair share leaves to the other sessions, later ones too. */
const LEFT_SHARE = 0.1;

/** Counts of the last minute, by the second: no timer, bounded memory. */
class LastMinute {
  readonly #perSecond: number[] = Array.from({ length: 60 }, () => 0);
  #second = 0;

  #to(second: number): void {
    for (let passed = Math.min(60, second - this.#second); passed > 0; passed -= 1)
      this.#perSecond[(second - passed + 1) % 60] = 0;
    this.#second = Math.max(second, this.#second);
  }

  total(second: number): number {
    this.#to(second);
    return this.#perSecond.reduce((sum, each) => sum + each, 0);
  }

  add(second: number, count: 1 | -1): void {
    this.#to(second);
    const slot = second % 60;
    this.#perSecond[slot] = Math.max(0, (this.#perSecond[slot] ?? 0) + count);
  }

  /** Seconds until the oldest counts no more. */
  waitAt(second: number): number {
    const age = [...this.#perSecond.keys()].findLast((back) => (this.#perSecond[(second - back + 60) % 60] ?? 0) > 0);
    return Math.max(1, 60 - (age ?? 59));
  }
}

interface TokenCount {
  readonly all: LastMinute;
  readonly bySession: Map<string, LastMinute>;
}

/** An action that was counted. */
export interface CountedAction {
  /** It failed before it reached the desktop: that counts by itself. */
  failedEarly(): void;
}

/**
 * The actions of each token in the last minute, shared fairly among its sessions: a session that has had its part leaves a
 * tenth to the others. What fails before it reaches the desktop has a limit of its own, of the same size and shared
 * likewise, so that an agent whose window is gone takes nothing from the others.
 */
export class RateLimit {
  readonly #actions = new Map<string, TokenCount>();
  readonly #failures = new Map<string, TokenCount>();

  /** Counts one action. Errors: rate_limited, with the seconds to wait. */
  take(tokenId: string, session: string, perMinute: number, now: number = Date.now()): CountedAction {
    const second = Math.floor(now / 1000);
    const failures = countOf(this.#failures, tokenId);
    assertShare(failures, session, perMinute, second, 'failed actions');
    const actions = countOf(this.#actions, tokenId);
    assertShare(actions, session, perMinute, second, 'actions');
    add(actions, session, second, 1);
    let isCounted = true;
    return {
      failedEarly: () => {
        if (!isCounted) return;
        isCounted = false;
        add(actions, session, second, -1);
        add(failures, session, second, 1);
      },
    };
  }
}

function countOf(counts: Map<string, TokenCount>, tokenId: string): TokenCount {
  let count = counts.get(tokenId);
  if (count === undefined) counts.set(tokenId, (count = { all: new LastMinute(), bySession: new Map() }));
  return count;
}

function add({ all, bySession }: TokenCount, session: string, second: number, by: 1 | -1): void {
  all.add(second, by);
  let own = bySession.get(session);
  if (own === undefined) bySession.set(session, (own = new LastMinute()));
  own.add(second, by);
}

/** Errors: rate_limited. */
function assertShare(count: TokenCount, session: string, perMinute: number, second: number, what: string): void {
  const { all, bySession } = count;
  const total = all.total(second);
  for (const [name, of] of bySession) if (of.total(second) === 0) bySession.delete(name);
  const own = bySession.get(session);
  // A session still to come counts too: it finds room.
  const isBeyond = own !== undefined && own.total(second) >= perMinute / (bySession.size + 1);
  const most = isBeyond ? perMinute - Math.floor(perMinute * LEFT_SHARE) : perMinute;
  if (total < most) return;
  const wait = (own ?? all).waitAt(second);
  throw new UiaHostError(
    'rate_limited',
    `The policy allows ${perMinute} ${what} a minute to all sessions of a token, and ${isBeyond ? 'this session has had its share' : 'they have used them'}.`,
    { hint: `Wait ${wait} s.`, retryAfterSeconds: wait },
  );
}

/** The policy's part; null = no limit in the policy. */
export interface PolicyLimits {
  readonly maxActions: number | null;
  readonly maxDurationMs: number | null;
}

interface SessionLimits {
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

/** A token that did nothing for this long begins again. */
const IDLE_MS = 3_600_000;

interface PlainUse {
  readonly startedAt: number;
  usedAt: number;
  executed: number;
}

/**
 * What each token did without a computer-use session. Only the policy limits it, and for all its plain sessions together:
 * clients choose the names of those.
 */
export class PlainSessions {
  readonly #uses = new Map<string, PlainUse>();
  readonly #policy: () => PolicyLimits;
  readonly #now: () => number;

  constructor(policy: () => PolicyLimits, now: () => number = Date.now) {
    this.#policy = policy;
    this.#now = now;
  }

  /** Before an action. Errors: duration_exceeded, action_limit_exceeded. */
  assertWithin(tokenId: string, changesSomething: boolean): void {
    const use = this.#of(tokenId);
    const { maxActions, maxDurationMs } = this.#policy();
    const hint =
      'Ask an operator to raise the policy’s limits, or wait: after an hour without an action the count begins again.';
    if (maxDurationMs !== null && this.#now() - use.startedAt >= maxDurationMs) {
      throw new UiaHostError(
        'duration_exceeded',
        `The policy allows a token ${maxDurationMs} ms, and this one has used them; nothing was done.`,
        { hint },
      );
    }
    if (maxActions !== null && changesSomething && use.executed >= maxActions) {
      throw new UiaHostError(
        'action_limit_exceeded',
        `The policy allows a token ${maxActions} actions, and this one has used them; nothing was done.`,
        { hint },
      );
    }
  }

  /** Right before the delivery of an action that changes something. */
  count(tokenId: string): void {
    const use = this.#of(tokenId);
    use.executed += 1;
    use.usedAt = this.#now();
  }

  #of(tokenId: string): PlainUse {
    const now = this.#now();
    const known = this.#uses.get(tokenId);
    if (known !== undefined && now - known.usedAt < IDLE_MS) return known;
    const use = { startedAt: now, usedAt: now, executed: 0 };
    this.#uses.set(tokenId, use);
    return use;
  }
}

const SESSION_PREFIX = 'cus_';

/** Whether this is the id of such a session; any other name is a plain session, which has no start and no end. */
export const isSessionId = (name: string): boolean => name.startsWith(SESSION_PREFIX);

export interface LiveSession extends SessionLimits {
  readonly id: string;
  readonly tokenId: string;
  readonly input: ComputerUseInput;
  readonly startedAt: number;
  /** Fires at its end, or when storing its end must be tried again. */
  timer: NodeJS.Timeout;
  /** Tokens that have acted in it: its own, and operators'. */
  readonly actors: Set<string>;
  executed: number;
  denialsInRow: number;
  denials: number;
  approvals: number;
  artifacts: number;
  auditFrom: number | null;
  auditTo: number | null;
  ended: SessionEndStatus | null;
  summary: string | null;
  /** While its end is being stored. */
  ending: Promise<void> | null;
}

export function newLiveSession(
  start: Pick<LiveSession, 'id' | 'tokenId' | 'input' | 'startedAt' | 'timer'> & SessionLimits,
): LiveSession {
  return {
    ...start,
    actors: new Set([start.tokenId]),
    executed: 0,
    denialsInRow: 0,
    denials: 0,
    approvals: 0,
    artifacts: 0,
    auditFrom: null,
    auditTo: null,
    ended: null,
    summary: null,
    ending: null,
  };
}

/** The evidence of the session. */
export function evidenceOf(session: LiveSession): Record<string, unknown> {
  return {
    artifacts: session.artifacts,
    audit: { from: session.auditFrom, to: session.auditTo },
    denials: session.denials,
    approvals: session.approvals,
  };
}

export function hasEnded(status: string): UiaHostError {
  return new UiaHostError('session_ended', `The session has ended (${status}).`);
}
