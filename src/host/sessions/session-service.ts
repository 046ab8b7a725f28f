/** Sessions of the computer-use protocol, as edges see them; a request with an idempotency key is carried out once. */
import { badInput, type Problem, toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type {
  ComputerUseControlRequest,
  ComputerUseInput,
  ComputerUseStreamEvent,
  SessionView,
} from '../../contract/gate/session.ts';
import type { Store } from '../../store/client.ts';
import type { SessionRecord } from '../../store/records.ts';
import type { AnswerSeal } from '../access/sealed.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { EventHub } from '../events/event-hub.ts';
import { type Caller, newId } from '../face/caller.ts';
import type { RunOptions, SessionPage, SessionService, StreamItem } from '../face/host.ts';
import type { RequestHash } from '../face/request-hash.ts';
import type { SessionStreams } from '../face/session-stream.ts';
import { evidenceOf, hasEnded } from './live-session.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';

interface KeyedRequest {
  readonly tokenId: string;
  readonly key: string;
  /** Keyed hash of the request. */
  readonly bodyHash: string;
  /** Identifies the request while it runs. */
  readonly id: string;
}

/** What became of the first request with this key. Errors: idempotency_mismatch. */
async function beginKeyed({ idempotency }: Pick<Store, 'idempotency'>, { id, key, ...request }: KeyedRequest) {
  const answer = await idempotency.begin({ ...request, key, actionId: id, at: new Date().toISOString() });
  if (answer.kind !== 'mismatch') return answer;
  throw new UiaHostError('idempotency_mismatch', `The Idempotency-Key ${key} was used before with a different body.`);
}

/** Answers may contain what windows showed, so they are sealed on disk. */
type SealedAnswer = { readonly sealed: string };
type Answered<T> = { readonly answer: T } | { readonly error: Problem };

/** For requests whose answer contains more than an action's result. */
class AnsweredOnce {
  readonly #store: Pick<Store, 'idempotency'>;
  readonly #seal: AnswerSeal;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(store: Pick<Store, 'idempotency'>, seal: AnswerSeal) {
    this.#store = store;
    this.#seal = seal;
  }

  /**
   * Errors: idempotency_mismatch; state_conflict if the first request was interrupted and its effect is unknown; those
   * of `work`.
   */
  async answer<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T> {
    const { id } = request;
    const before = await beginKeyed(this.#store, request);
    switch (before.kind) {
      case 'interrupted':
        throw new UiaHostError(
          'state_conflict',
          'The first request with this key was interrupted; it may have been delivered.',
          { delivery: 'unknown' },
        );
      case 'replay':
        return given(answerIn<T>(before.response as SealedAnswer | { error: Problem }, this.#seal));
      case 'running': {
        const first = this.#underWay.get(before.actionId);
        if (first === undefined)
          throw new UiaHostError('state_conflict', 'The first request with this key is still running.');
        return first as Promise<T>;
      }
      default: {
        const working = this.#carryOut(request, work);
        this.#underWay.set(id, working);
        return working.finally(() => this.#underWay.delete(id));
      }
    }
  }

  async #carryOut<T>({ tokenId, key }: KeyedRequest, work: () => Promise<T>): Promise<T> {
    // Answered even if the answer cannot be stored: a repeated request is then refused, not carried out again.
    const keep = (answered: Answered<T>): Promise<void> =>
      this.#store.idempotency
        .finish(tokenId, key, { sealed: this.#seal.close(answered) } satisfies SealedAnswer)
        .catch(() => {});
    try {
      const answer = await work();
      await keep({ answer });
      return answer;
    } catch (thrown) {
      const error = toUiaHostError(thrown);
      await keep({ error: error.toProblem() });
      throw error;
    }
  }
}

/** Not sealed: its host was killed, and the next one wrote how it ended. */
const answerIn = <T>(response: SealedAnswer | { readonly error: Problem }, seal: AnswerSeal): Answered<T> | undefined =>
  'error' in response ? response : (seal.read(response.sealed) as Answered<T> | undefined);

function given<T>(kept: Answered<T> | undefined): T {
  if (kept === undefined) {
    throw new UiaHostError(
      'state_conflict',
      'The first request with this key was answered by a host that has ended; its answer is no longer available.',
      { delivery: 'unknown', hint: 'Look at the window again.' },
    );
  }
  if ('answer' in kept) return kept.answer;
  throw UiaHostError.fromProblem(kept.error);
}

interface SessionParts {
  readonly store: Pick<Store, 'sessions' | 'approvals' | 'idempotency'>;
  readonly streams: SessionStreams;
  readonly lifecycle: SessionLifecycle;
  readonly approvals: Approvals;
  readonly hub: Pick<EventHub, 'publish'>;
  readonly requestHash: RequestHash;
  readonly seal: AnswerSeal;
  /** Errors: invalid_argument or blocked_by_policy for addresses that may not be touched. */
  assertUrls(urls: readonly string[]): void;
  /** Errors: stopped, while nothing could run in a session. */
  assertNotStopped(): void;
  propose(caller: Caller, proposal: unknown, options: RunOptions & { readonly actionId: string }): Promise<unknown>;
  onFault(error: unknown, where: string): void;
}

const LIST_LIMIT = 200;

export class Sessions implements SessionService {
  readonly #parts: SessionParts;
  readonly #once: AnsweredOnce;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#once = new AnsweredOnce(parts.store, parts.seal);
  }

  async start(
    caller: Caller,
    input: ComputerUseInput,
    idempotencyKey?: string,
  ): Promise<{ computerUseSessionId: string }> {
    const { lifecycle, store, onFault } = this.#parts;
    this.#parts.assertUrls(input.urls);
    const id = newId('cus');
    const earlier = idempotencyKey === undefined ? null : await this.#earlier(caller, id, input, idempotencyKey);
    if (earlier !== null) return { computerUseSessionId: earlier };
    try {
      this.#parts.assertNotStopped();
      await lifecycle.start(caller, id, input);
      if (idempotencyKey !== undefined)
        await store.idempotency.finish(caller.tokenId, idempotencyKey, { computerUseSessionId: id });
    } catch (error) {
      await lifecycle
        .end(id, 'failed', 'The session could not be started: its start could not be recorded.')
        .catch((failure: unknown) => onFault(failure, 'end of a session that did not start'));
      // The key belongs to a session that did not start: repeating the request starts a new one.
      if (idempotencyKey !== undefined)
        await store.idempotency
          .abandon(caller.tokenId, idempotencyKey)
          .catch((failure: unknown) => onFault(failure, 'key of a session that did not start'));
      throw error;
    }
    this.#parts.hub.publish('session.started', { computerUseSessionId: id, tokenId: caller.tokenId });
    return { computerUseSessionId: id };
  }

  /**
   * The session that an earlier request with this key started; null for the first request. Errors:
   * idempotency_mismatch.
   */
  async #earlier({ tokenId }: Caller, id: string, input: ComputerUseInput, key: string): Promise<string | null> {
    const bodyHash = this.#parts.requestHash('computer-use/sessions', input);
    const answer = await beginKeyed(this.#parts.store, { tokenId, key, bodyHash, id });
    // The id is written with the key, so a repeated request names the same session.
    return answer.kind === 'new' ? null : answer.actionId;
  }

  async list(caller: Caller, page: SessionPage = {}): Promise<{ sessions: SessionView[]; nextCursor: string | null }> {
    const { sessions, nextCursor } = await this.#parts.store.sessions.list({
      limit: page.limit ?? LIST_LIMIT,
      ...(caller.scope === 'operator' ? {} : { tokenId: caller.tokenId }),
      ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    });
    return { sessions: sessions.map((record) => this.#view(record)), nextCursor };
  }

  async get(caller: Caller, id: string): Promise<SessionView> {
    const record = await this.#record(caller, id);
    // A refusal may have said already that it has ended, before that is stored.
    const ending = this.#parts.lifecycle.find(id)?.ending ?? null;
    if (ending === null) return this.#view(record);
    await ending.catch(() => {});
    return this.#view(await this.#record(caller, id));
  }

  async control(caller: Caller, id: string, request: ComputerUseControlRequest): Promise<{ status: string }> {
    const record = await this.#record(caller, id);
    if (request.computerUseSessionId !== id) {
      throw badInput('The body names a different session than the URL.');
    }
    if (request.action === 'abort') {
      if (record.status === 'running' || this.#parts.lifecycle.find(id) !== undefined)
        await this.#parts.lifecycle.end(
          id,
          'aborted',
          request.reason === undefined || request.reason === '' ? 'Aborted by the client.' : request.reason,
        );
      return { status: (await this.#record(caller, id)).status };
    }
    if (caller.scope !== 'operator')
      throw new UiaHostError('permission_denied', 'Decisions need the operator’s token; the approval is unchanged.');
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
    // The key names the action that the proposal leads to, whose record says how far it came.
    const actionId = newId('act');
    const work = async (): Promise<unknown> => {
      if (record.status !== 'running') throw hasEnded(record.status);
      return this.#parts.propose({ ...caller, session: id }, proposal, { ...options, actionId });
    };
    if (idempotencyKey === undefined) return work();
    // The key belongs to the proposal: its answer includes the gate's judgement, which the action's own does not.
    const bodyHash = this.#parts.requestHash(`computer-use/propose\n${id}`, proposal);
    return this.#once.answer({ tokenId: caller.tokenId, key: idempotencyKey, bodyHash, id: actionId }, work);
  }

  async complete(caller: Caller, id: string, summary: string): Promise<SessionView> {
    const record = await this.#record(caller, id);
    if (record.status !== 'running') throw hasEnded(record.status);
    await this.#parts.lifecycle.end(id, 'completed', summary === '' ? 'Completed.' : summary);
    return this.get(caller, id);
  }

  async isReadToEnd(caller: Caller, id: string, afterSequence: number): Promise<boolean> {
    await this.#record(caller, id);
    return this.#parts.streams.isReadToEnd(id, afterSequence);
  }

  async *stream(
    caller: Caller,
    id: string,
    afterSequence: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<StreamItem<ComputerUseStreamEvent>> {
    await this.#record(caller, id);
    yield* this.#parts.streams.read(id, afterSequence, signal);
  }

  async #record(caller: Caller, id: string): Promise<SessionRecord> {
    const record = await this.#parts.store.sessions.get(id);
    if (record === null || (caller.scope !== 'operator' && record.tokenId !== caller.tokenId)) {
      throw new UiaHostError('session_not_found', `There is no session ${id} of this token.`);
    }
    return record;
  }

  #view(record: SessionRecord): SessionView {
    const live = this.#parts.lifecycle.find(record.sessionId);
    const endedAt = record.endedAt === null ? Date.now() : Date.parse(record.endedAt);
    return {
      computerUseSessionId: record.sessionId,
      status: record.status,
      summary: summaryOf(record),
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

function summaryOf({ summary, status }: SessionRecord): string {
  if (summary !== '') return summary;
  return status === 'running' ? 'Running.' : `Ended: ${status}.`;
}
