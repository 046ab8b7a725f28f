import { UiaHostError } from '../../contract/errors.ts';
import type { RiskLevel } from '../../contract/permissions.ts';
import type { SessionEndStatus } from '../../contract/session-status.ts';
import type {
  ComputerUseControlRequest,
  ComputerUseInput,
  ComputerUseStreamEvent,
  SessionView,
} from '../../contract/session.ts';
import type { GateSession } from '../../policy/gate/index.ts';
import type { Store } from '../../store/client.ts';
import type { SessionRecord } from '../../store/records.ts';
import { AnsweredOnce } from './answered-once.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { Caller } from '../face/caller.ts';
import type { RunOptions, SessionService, StreamItem } from '../face/host.ts';
import { newId } from '../face/ids.ts';
import type { AnswerSeal } from '../access/sealed.ts';
import type { RequestHash } from '../face/request-hash.ts';
import { limitsFor, type PolicyLimits } from './session-limits.ts';
import { SessionStreams } from '../face/session-stream.ts';

const SESSION_PREFIX = 'cus_';
const DENIALS_THAT_END = 3;

interface LiveSession {
  readonly id: string;
  readonly tokenId: string;
  readonly input: ComputerUseInput;
  readonly maxActions: number;
  readonly maxDurationMs: number;
  readonly startedAt: number;
  /** At its end, or when its end is tried again. */
  timer: NodeJS.Timeout;
  /** Who has acted in it: its own token, and operators. */
  readonly actors: Set<string>;
  executed: number;
  denialsInRow: number;
  denials: number;
  approvals: number;
  artifacts: number;
  lastUrl: string | null;
  auditFrom: number | null;
  auditTo: number | null;
  ended: SessionEndStatus | null;
  summary: string | null;
  /** While its end is being recorded. */
  ending: Promise<void> | null;
}

export interface SessionParts {
  readonly store: Store;
  readonly approvals: Approvals;
  readonly requestHash: RequestHash;
  readonly seal: AnswerSeal;
  /** What the policy says now. */
  readonly limits: () => PolicyLimits;
  /** Errors: invalid_argument or blocked_by_policy for addresses that may not be touched. */
  assertUrls(urls: readonly string[]): void;
  /** Aborts what runs in a session, whoever runs it, and releases what these tokens hold in it. */
  quiesce(tokenIds: ReadonlySet<string>, sessionId: string, error: UiaHostError): Promise<void>;
  propose(caller: Caller, proposal: unknown, options: RunOptions): Promise<unknown>;
  audit(what: string, sessionId: string, tokenId: string, details: Record<string, unknown>): Promise<number>;
  publish(type: string, fields: Record<string, unknown>): void;
  onFault(error: unknown, where: string): void;
}

/** Ended sessions that are remembered without the store. */
const MOST_ENDED = 1000;
/** A disk that cannot be written is looked at again as often as this, until the session's end is stored. */
const END_AGAIN_MS = 5000;

/** Sessions of the computer-use protocol: limits, stream, control. */
export class Sessions implements SessionService {
  readonly #parts: SessionParts;
  readonly #streams: SessionStreams;
  readonly #once: AnsweredOnce;
  readonly #live = new Map<string, LiveSession>();
  /** Owner and end of the last sessions that ended, so that a late action learns why it is refused. */
  readonly #ended = new Map<string, { readonly tokenId: string; readonly status: SessionEndStatus }>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#streams = new SessionStreams(parts.store);
    this.#once = new AnsweredOnce(parts.store, parts.seal);
  }

  static isSessionId(name: string): boolean {
    return name.startsWith(SESSION_PREFIX);
  }

  async start(
    caller: Caller,
    input: ComputerUseInput,
    idempotencyKey?: string,
  ): Promise<{ computerUseSessionId: string }> {
    this.#parts.assertUrls(input.urls);
    const id = newId('cus');
    if (idempotencyKey !== undefined) {
      const bodyHash = this.#parts.requestHash('computer-use/sessions', input);
      const answer = await this.#parts.store.idempotency.begin({
        tokenId: caller.tokenId,
        key: idempotencyKey,
        bodyHash,
        actionId: id,
        at: new Date().toISOString(),
      });
      if (answer.kind === 'mismatch')
        throw new UiaHostError(
          'idempotency_mismatch',
          `The Idempotency-Key ${idempotencyKey} came with another body before.`,
        );
      // The id is written with the key, so a request that comes again names the same session.
      if (answer.kind !== 'new') return { computerUseSessionId: answer.actionId };
    }
    try {
      await this.#start(caller, id, input);
      if (idempotencyKey !== undefined)
        await this.#parts.store.idempotency.finish(caller.tokenId, idempotencyKey, { computerUseSessionId: id });
    } catch (error) {
      await this.#end(id, 'failed', 'The session could not be started: its start could not be recorded.').catch(
        this.#fault('end of a session that did not start'),
      );
      // The key names a session that never was, or is over: who sends it again gets a new one.
      if (idempotencyKey !== undefined)
        await this.#parts.store.idempotency
          .abandon(caller.tokenId, idempotencyKey)
          .catch(this.#fault('key of a session that did not start'));
      throw error;
    }
    this.#parts.publish('session.started', { computerUseSessionId: id, tokenId: caller.tokenId });
    return { computerUseSessionId: id };
  }

  async #start(caller: Caller, id: string, input: ComputerUseInput): Promise<void> {
    const { maxActions, maxDurationMs } = limitsFor(input, this.#parts.limits());
    const startedAt = Date.now();
    await this.#parts.store.sessions.create({
      sessionId: id,
      tokenId: caller.tokenId,
      goal: input.goal,
      urls: input.urls,
      hints: input.hints ?? {},
      maxActions,
      maxDurationMs,
      startedAt: new Date(startedAt).toISOString(),
    });
    const session: LiveSession = {
      id,
      tokenId: caller.tokenId,
      input,
      maxActions,
      maxDurationMs,
      startedAt,
      timer: setTimeout(
        () => this.#endSoon(id, 'duration_exceeded', `The session used its ${maxDurationMs} ms.`),
        maxDurationMs,
      ),
      actors: new Set([caller.tokenId]),
      executed: 0,
      denialsInRow: 0,
      denials: 0,
      approvals: 0,
      artifacts: 0,
      lastUrl: null,
      auditFrom: null,
      auditTo: null,
      ended: null,
      summary: null,
      ending: null,
    };
    try {
      session.auditFrom = await this.#parts.audit('session.started', id, caller.tokenId, {
        goal: input.goal,
        urls: input.urls,
        hints: input.hints ?? {},
        maxActions,
        maxDurationMs,
      });
    } finally {
      // One that failed lives too, until it is ended: its row is there already.
      this.#live.set(id, session);
    }
    await this.#streams.append(id, { type: 'session.started', computerUseSessionId: id, timestamp: now() });
  }

  async list(caller: Caller): Promise<SessionView[]> {
    const page = await this.#parts.store.sessions.list(
      caller.scope === 'operator' ? { limit: 200 } : { tokenId: caller.tokenId, limit: 200 },
    );
    return page.sessions.map((record) => this.#view(record));
  }

  async get(caller: Caller, id: string): Promise<SessionView> {
    return this.#view(await this.#record(caller, id));
  }

  async control(caller: Caller, id: string, request: ComputerUseControlRequest): Promise<{ status: string }> {
    const record = await this.#record(caller, id);
    if (request.computerUseSessionId !== id) {
      throw new UiaHostError('invalid_argument', 'The body names another session than the address.');
    }
    if (request.action === 'abort') {
      if (record.status === 'running' || this.#live.has(id))
        await this.#end(
          id,
          'aborted',
          request.reason === undefined || request.reason === '' ? 'Aborted by the client.' : request.reason,
        );
      return { status: (await this.#record(caller, id)).status };
    }
    if (caller.scope !== 'operator')
      throw new UiaHostError(
        'permission_denied',
        'Decisions need the operator’s token; the approval stands as it was.',
      );
    const cards = await this.#parts.store.approvals.findByAction(request.actionId);
    const card = cards.map((each) => each.card).find((each) => each.sessionId === id);
    if (card === undefined)
      throw new UiaHostError('approval_not_found', `The session has no approval for the action ${request.actionId}.`);
    await this.#parts.approvals.decide(card.approvalId, { decision: request.decision }, caller.tokenId, 'api');
    return { status: (await this.#record(caller, id)).status };
  }

  async propose(
    caller: Caller,
    id: string,
    proposal: unknown,
    { idempotencyKey, ...options }: RunOptions = {},
  ): Promise<unknown> {
    const record = await this.#record(caller, id);
    const work = async (): Promise<unknown> => {
      if (record.status !== 'running') throw ended(record.status);
      return this.#parts.propose({ ...caller, session: id }, proposal, options);
    };
    if (idempotencyKey === undefined) return work();
    // The key is the proposal's: its answer tells how the gate judged, which the action's own does not.
    const bodyHash = this.#parts.requestHash(`computer-use/propose\n${id}`, proposal);
    return this.#once.answer({ tokenId: caller.tokenId, key: idempotencyKey, bodyHash, id: newId('prp') }, work);
  }

  async complete(caller: Caller, id: string, summary: string): Promise<SessionView> {
    const record = await this.#record(caller, id);
    if (record.status !== 'running') throw ended(record.status);
    await this.#end(id, 'completed', summary === '' ? 'Completed.' : summary);
    return this.get(caller, id);
  }

  async isReadToEnd(caller: Caller, id: string, afterSequence: number): Promise<boolean> {
    await this.#record(caller, id);
    return this.#streams.isReadToEnd(id, afterSequence);
  }

  async *stream(
    caller: Caller,
    id: string,
    afterSequence: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<StreamItem<ComputerUseStreamEvent>> {
    await this.#record(caller, id);
    yield* this.#streams.read(id, afterSequence, signal);
  }

  /** The gate's view of a session of this protocol. Errors: session_not_found, session_ended. */
  gateSession(caller: Caller, assertHostLive: () => void, takeRate: () => void): GateSession {
    const session = this.#live.get(caller.session);
    const past = this.#ended.get(caller.session);
    if (past !== undefined && (past.tokenId === caller.tokenId || caller.scope === 'operator'))
      throw ended(past.status);
    if (session === undefined || (session.tokenId !== caller.tokenId && caller.scope !== 'operator')) {
      throw new UiaHostError('session_not_found', `There is no live session ${caller.session} of this token.`);
    }
    session.actors.add(caller.tokenId);
    return {
      id: session.id,
      tokenId: caller.tokenId,
      tokenLimits: caller.limits,
      goal: session.input.goal,
      urls: session.input.urls,
      assertLive: () => {
        assertHostLive();
        if (session.ended !== null) throw ended(session.ended);
      },
      takeAction: (changesSomething, isRecheck) => {
        // The policy may have become narrower since the session began.
        const { maxActions, maxDurationMs } = limitsFor(session, this.#parts.limits());
        if (Date.now() - session.startedAt >= maxDurationMs) {
          this.#endSoon(session.id, 'duration_exceeded', `The session used its ${maxDurationMs} ms.`);
          throw new UiaHostError('duration_exceeded', `The session used its ${maxDurationMs} ms and has ended.`);
        }
        if (changesSomething && session.executed >= maxActions) {
          this.#endSoon(session.id, 'action_limit_exceeded', `The session used its ${maxActions} actions.`);
          throw new UiaHostError('action_limit_exceeded', `The session used its ${maxActions} actions and has ended.`);
        }
        if (!isRecheck) takeRate();
      },
    };
  }

  /** Right before delivery. */
  async onAction(
    sessionId: string,
    event: {
      actionId: string;
      actionType: string;
      riskLevel: RiskLevel;
      url: string | null;
      summary: string;
      changesSomething: boolean;
    },
  ): Promise<void> {
    const session = this.#live.get(sessionId);
    if (session === undefined || session.ended !== null) return;
    if (event.url !== null) session.lastUrl = event.url;
    if (event.changesSomething) {
      session.executed += 1;
      await this.#parts.store.sessions.countAction(sessionId, event.url);
    }
    await this.#streams.append(sessionId, {
      type: 'action',
      actionId: event.actionId,
      actionType: event.actionType,
      riskLevel: event.riskLevel,
      ...(event.url === null ? {} : { url: event.url }),
      summary: event.summary,
      timestamp: now(),
    });
  }

  async onPicture(sessionId: string, sha256: string, width: number, height: number): Promise<void> {
    const session = this.#live.get(sessionId);
    if (session === undefined) return;
    session.artifacts += 1;
    await this.#streams.append(sessionId, {
      type: 'screenshot',
      url: `/v1/artifacts/${sha256}/content`,
      width,
      height,
      timestamp: now(),
    });
  }

  async onAsked(
    sessionId: string,
    event: { actionId: string; actionType: string; summary: string; url: string | null },
  ): Promise<void> {
    const session = this.#live.get(sessionId);
    if (session === undefined) return;
    session.approvals += 1;
    await this.#streams.append(sessionId, {
      type: 'approval_required',
      actionId: event.actionId,
      actionType: event.actionType,
      summary: event.summary,
      ...(event.url === null ? {} : { url: event.url }),
      timestamp: now(),
    });
  }

  /** `isDenial`: a person (or the deadline) said no; three in a row end the session. */
  async onResolved(
    sessionId: string,
    actionId: string,
    decision: 'approve' | 'deny',
    isDenial: boolean,
  ): Promise<void> {
    const session = this.#live.get(sessionId);
    if (session === undefined) return;
    await this.#streams.append(sessionId, { type: 'approval_resolved', actionId, decision, timestamp: now() });
    session.denialsInRow = isDenial ? session.denialsInRow + 1 : decision === 'approve' ? 0 : session.denialsInRow;
    if (isDenial) session.denials += 1;
    await this.#parts.store.sessions.update(sessionId, { denialsInRow: session.denialsInRow });
    if (session.denialsInRow >= DENIALS_THAT_END)
      await this.#end(sessionId, 'aborted', 'Three approvals in a row were denied.');
  }

  async onError(sessionId: string, error: UiaHostError): Promise<void> {
    const session = this.#live.get(sessionId);
    if (session === undefined || session.ended !== null) return;
    await this.#streams.append(sessionId, {
      type: 'error',
      code: error.code,
      message: error.message,
      timestamp: now(),
    });
  }

  /** Ends every live session; used by the emergency stop and at shutdown. Those whose end cannot be stored are ended all the same. */
  async endAll(status: SessionEndStatus, summary: string): Promise<number> {
    const live = [...this.#live.values()];
    const count = live.filter((session) => session.ended === null).length;
    await Promise.all(
      live.map((session) => this.#end(session.id, status, summary).catch(this.#fault('end of a session'))),
    );
    return count;
  }

  /** Ends what lives, and tries nothing again: the next host closes what could not be stored. */
  async close(): Promise<void> {
    await this.endAll('failed', 'The host was ended.');
    for (const session of this.#live.values()) clearTimeout(session.timer);
    this.#live.clear();
  }

  #endSoon(id: string, status: SessionEndStatus, summary: string): void {
    void this.#end(id, status, summary).catch(this.#fault('end of a session'));
  }

  /**
   * The first one who asks decides how it ends; nothing runs in it from then on. Whoever asks waits until that is stored, and
   * as long as it is not, asking tries again. Errors: the store's.
   */
  async #end(id: string, status: SessionEndStatus, summary: string): Promise<void> {
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

  async #close(session: LiveSession, status: SessionEndStatus, summary: string): Promise<void> {
    const { id } = session;
    const cause =
      status === 'duration_exceeded' || status === 'action_limit_exceeded'
        ? new UiaHostError(status, summary)
        : new UiaHostError('session_ended', `The session ended: ${summary}`);
    await this.#parts.quiesce(session.actors, id, cause);
    await this.#parts.approvals
      .cancelAll('session ended', new Set([id]))
      .catch(this.#fault('cards at the end of a session'));
    try {
      session.auditTo ??= await this.#parts.audit('session.ended', id, session.tokenId, {
        status,
        summary,
        actionsExecuted: session.executed,
      });
    } catch (error) {
      this.#fault('audit of the end of a session')(error);
    }
    try {
      await this.#parts.store.sessions.end(id, { status, summary, endedAt: now(), evidence: evidenceOf(session) });
      await this.#streams.end(id, { type: 'session.ended', status, summary, timestamp: now() });
    } catch (error) {
      session.timer = setTimeout(() => this.#endSoon(id, status, summary), END_AGAIN_MS).unref();
      throw new UiaHostError(
        'internal',
        'The session has ended and nothing runs in it any more, but that could not be stored; it is tried again.',
        {
          hint: 'Free the disk or mend the data folder.',
          cause: error,
        },
      );
    }
    this.#live.delete(id);
    this.#ended.set(id, { tokenId: session.tokenId, status });
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(this.#ended.keys().next().value ?? '');
    this.#parts.publish('session.ended', { computerUseSessionId: id, status });
  }

  #fault(where: string): (error: unknown) => void {
    return (error) => this.#parts.onFault(error, where);
  }

  async #record(caller: Caller, id: string): Promise<SessionRecord> {
    const record = await this.#parts.store.sessions.get(id);
    if (record === null || (caller.scope !== 'operator' && record.tokenId !== caller.tokenId)) {
      throw new UiaHostError('session_not_found', `There is no session ${id} of this token.`);
    }
    return record;
  }

  #view(record: SessionRecord): SessionView {
    const live = this.#live.get(record.sessionId);
    const endedAt = record.endedAt === null ? Date.now() : Date.parse(record.endedAt);
    return {
      computerUseSessionId: record.sessionId,
      status: record.status,
      summary:
        record.summary === ''
          ? record.status === 'running'
            ? 'Running.'
            : `Ended: ${record.status}.`
          : record.summary,
      ...(record.lastUrl === null ? {} : { lastUrl: record.lastUrl }),
      actionsExecuted: record.actionsExecuted,
      durationMs: Math.max(0, Math.round(endedAt - Date.parse(record.startedAt))),
      evidence: live === undefined ? { ...record.evidence } : evidenceOf(live),
      goal: record.goal,
      urls: [...record.urls],
      pendingApprovalIds: this.#parts.approvals.pendingOf(record.sessionId).map((card) => card.approvalId),
      startedAt: record.startedAt,
      ...(record.error === null ? {} : { error: record.error }),
    };
  }
}

function evidenceOf(session: LiveSession): Record<string, unknown> {
  return {
    artifacts: session.artifacts,
    audit: { from: session.auditFrom, to: session.auditTo },
    denials: session.denials,
    approvals: session.approvals,
  };
}

function ended(status: string): UiaHostError {
  return new UiaHostError('session_ended', `The session has ended (${status}).`);
}

const now = (): string => new Date().toISOString();
