/** Computer-use sessions from their start to their stored end, and their limits. */
import { UiaHostError } from '../../contract/errors.ts';
import type { SessionEndStatus } from '../../contract/gate/session-status.ts';
import type { ComputerUseInput } from '../../contract/gate/session.ts';
import type { GateSession } from '../../policy/gate/index.ts';
import type { Store } from '../../store/client.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { Caller } from '../face/caller.ts';
import { remember } from '../face/remember.ts';
import type { SessionStreams } from '../face/session-stream.ts';
import {
  evidenceOf,
  hasEnded,
  newLiveSession,
  type LiveSession,
  limitsFor,
  type PolicyLimits,
} from './live-session.ts';

export interface LifecycleParts {
  readonly store: Pick<Store, 'sessions'>;
  readonly streams: SessionStreams;
  readonly approvals: Approvals;
  readonly hub: Pick<EventHub, 'publish'>;
  /** The current policy. */
  limits(): PolicyLimits;
  /** Aborted when a token ends. */
  endOf(tokenId: string): AbortSignal;
  /** Aborts every caller's runs in a session, and releases what these tokens hold in it. */
  quiesce(tokenIds: ReadonlySet<string>, sessionId: string, error: UiaHostError): Promise<void>;
  /** Returns the entry's number. */
  audit(action: string, session: { id: string; tokenId: string }, details: Record<string, unknown>): Promise<number>;
  onFault(error: unknown, where: string): void;
}

/** Ended sessions that are remembered without the store. */
const MAX_ENDED = 1000;
/** How often storing the end of a session is tried again on a disk that cannot be written. */
const END_AGAIN_MS = 5000;

export class SessionLifecycle {
  readonly #parts: LifecycleParts;
  readonly #live = new Map<string, LiveSession>();
  /** Owner and end of the last ended sessions, so that a late action's refusal can say why. */
  readonly #ended = new Map<string, { readonly tokenId: string; readonly status: SessionEndStatus }>();

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  find(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** Errors: those of the store and the audit; the caller then ends the session. */
  async start({ tokenId }: Caller, id: string, input: ComputerUseInput): Promise<void> {
    const limits = limitsFor(input, this.#parts.limits());
    const { goal, urls, hints = {} } = input;
    const startedAt = Date.now();
    await this.#parts.store.sessions.create({
      sessionId: id,
      tokenId,
      goal,
      urls,
      hints,
      ...limits,
      startedAt: new Date(startedAt).toISOString(),
    });
    const timer = setTimeout(
      () => this.#endSoon(id, 'duration_exceeded', `The session used its ${limits.maxDurationMs} ms.`),
      limits.maxDurationMs,
    );
    const session = newLiveSession({ id, tokenId, input, startedAt, timer, ...limits });
    try {
      session.auditFrom = await this.#parts.audit('session.started', session, { goal, urls, hints, ...limits });
    } finally {
      // Live even if the audit failed: its row is stored, so it needs an end.
      this.#live.set(id, session);
    }
    // Its token may have ended while the start was written.
    this.#parts.endOf(tokenId).throwIfAborted();
    await this.#parts.streams.append(id, { type: 'session.started', computerUseSessionId: id, timestamp: now() });
  }

  /** The gate's view of a session. Errors: session_not_found, session_ended. */
  gateSession(caller: Caller, assertHostLive: () => void, takeRate: () => void): GateSession {
    const session = this.#live.get(caller.session);
    const past = this.#ended.get(caller.session);
    const isMine = (tokenId: string): boolean => tokenId === caller.tokenId || caller.scope === 'operator';
    if (past !== undefined && isMine(past.tokenId)) throw hasEnded(past.status);
    if (session === undefined || !isMine(session.tokenId))
      throw new UiaHostError('session_not_found', `There is no live session ${caller.session} of this token.`);
    session.actors.add(caller.tokenId);
    return {
      id: session.id,
      tokenId: caller.tokenId,
      tokenLimits: caller.limits,
      goal: session.input.goal,
      urls: session.input.urls,
      assertLive: () => {
        assertHostLive();
        if (session.ended !== null) throw hasEnded(session.ended);
      },
      takeAction: (changesSomething, isRecheck) => {
        this.#assertWithin(session, changesSomething);
        if (!isRecheck) takeRate();
      },
    };
  }

  /** A session that has used its limits ends. Errors: duration_exceeded, action_limit_exceeded. */
  #assertWithin(session: LiveSession, changesSomething: boolean): void {
    const exceed = (status: 'duration_exceeded' | 'action_limit_exceeded', used: string): never => {
      this.#endSoon(session.id, status, `The session used its ${used}.`);
      throw new UiaHostError(status, `The session used its ${used} and has ended.`);
    };
    // The policy may have become narrower since the session began.
    const { maxActions, maxDurationMs } = limitsFor(session, this.#parts.limits());
    if (Date.now() - session.startedAt >= maxDurationMs) exceed('duration_exceeded', `${maxDurationMs} ms`);
    if (changesSomething && session.executed >= maxActions) exceed('action_limit_exceeded', `${maxActions} actions`);
  }

  /**
   * The first call decides how the session ends; nothing runs in it afterwards. Each call waits until the end is
   * stored, and retries until it is. Errors: internal if it could not be stored.
   */
  async end(id: string, status: SessionEndStatus, summary: string): Promise<void> {
    const session = this.#live.get(id);
    if (session === undefined) return;
    session.ended ??= status;
    session.summary ??= summary;
    clearTimeout(session.timer);
    session.ending ??= this.#close(session, session.ended, session.summary).finally(() => {
      session.ending = null;
    });
    await session.ending;
  }

  /** Ends every live session, including sessions whose end cannot be stored. Returns their number. */
  async endAll(status: SessionEndStatus, summary: string): Promise<number> {
    const live = [...this.#live.values()];
    const count = live.filter((session) => session.ended === null).length;
    await Promise.all(
      live.map((session) => this.end(session.id, status, summary).catch(this.#fault('end of a session'))),
    );
    return count;
  }

  /** Ends the sessions that a token started. */
  async endOf(tokenId: string, summary: string): Promise<void> {
    const own = [...this.#live.values()].filter((session) => session.tokenId === tokenId);
    await Promise.all(
      own.map((session) => this.end(session.id, 'aborted', summary).catch(this.#fault('end of a session'))),
    );
  }

  /** Ends all sessions without retries: the next host closes any session whose end could not be stored. */
  async close(): Promise<void> {
    await this.endAll('failed', 'The host was ended.');
    for (const session of this.#live.values()) clearTimeout(session.timer);
    this.#live.clear();
  }

  #endSoon(id: string, status: SessionEndStatus, summary: string): void {
    void this.end(id, status, summary).catch(this.#fault('end of a session'));
  }

  async #close(session: LiveSession, status: SessionEndStatus, summary: string): Promise<void> {
    const { id } = session;
    const cause =
      status === 'duration_exceeded' || status === 'action_limit_exceeded'
        ? new UiaHostError(status, summary)
        : new UiaHostError('session_ended', `The session ended: ${summary}`);
    const withdrawn = this.#parts.approvals
      .cancelAll('session ended', new Set([id]))
      .catch(this.#fault('cards at the end of a session'));
    await this.#parts.quiesce(session.actors, id, cause);
    await withdrawn;
    await this.#storeEnd(session, status, summary);
    this.#live.delete(id);
    remember(this.#ended, id, { tokenId: session.tokenId, status }, MAX_ENDED);
    this.#parts.hub.publish('session.ended', { computerUseSessionId: id, status });
  }

  /** Errors: internal; it is retried later. */
  async #storeEnd(session: LiveSession, status: SessionEndStatus, summary: string): Promise<void> {
    const { id } = session;
    try {
      session.auditTo ??= await this.#parts.audit('session.ended', session, {
        status,
        summary,
        actionsExecuted: session.executed,
      });
    } catch (error) {
      this.#fault('audit of the end of a session')(error);
    }
    try {
      await this.#parts.store.sessions.end(id, { status, summary, endedAt: now(), evidence: evidenceOf(session) });
      await this.#parts.streams.end(id, { type: 'session.ended', status, summary, timestamp: now() });
    } catch (error) {
      session.timer = setTimeout(() => this.#endSoon(id, status, summary), END_AGAIN_MS).unref();
      throw new UiaHostError(
        'internal',
        'The session has ended and nothing runs in it any more, but its end could not be stored; the host keeps trying.',
        { hint: 'Free disk space or repair the data folder.', cause: error },
      );
    }
  }

  #fault(where: string): (error: unknown) => void {
    return (error) => this.#parts.onFault(error, where);
  }
}

const now = (): string => new Date().toISOString();
