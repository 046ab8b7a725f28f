/** The record of every action, in the store and in the audit, with its pictures apart. */
import type { ActionDefinition } from '../../actions/index.ts';
import type { AuditEntryInput, AuditReceipt } from '../../audit/entry.ts';
import type { Redactor } from '../../audit/redact.ts';
import { UiaHostError, type Problem } from '../../contract/errors.ts';
import { hasActed, type ActionResult } from '../../contract/outcome.ts';
import type { GatePassed, GateRecord } from '../../policy/gate/index.ts';
import type { Store } from '../../store/client.ts';
import type { ActionDelivery } from '../../contract/gate/session-status.ts';
import type { ActionPatch, ActionRecord as StoredAction } from '../../store/records.ts';
import type { Caller } from '../face/caller.ts';
import type { ActionRun } from '../face/host.ts';
import { createRequestHash, type RequestHash } from '../face/request-hash.ts';
import { createRedactor } from '../access/recorded-input.ts';
import type { AnswerSize, RunScope } from './run-scope.ts';
import { AnswerSeal, type KeptProblem, type KeptResult } from '../access/sealed.ts';

/** The field that stored results lack: pictures are artifacts with their own quotas, or are not stored at all. */
const PICTURE = 'base64';
const ARTIFACT_PREFIX = 'artifact://';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The artifact that a value names as its picture. */
function artifactOf(value: unknown): string | null {
  const uri = isFields(value) ? value['artifact'] : undefined;
  return typeof uri === 'string' ? uri.slice(ARTIFACT_PREFIX.length) : null;
}

/** A result to store: without its own picture and those of a batch's steps. */
function withoutPictures(result: ActionResult): ActionResult {
  return { ...result, value: valueToKeep(result.value) };
}

function valueToKeep(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value).filter(
    ([field, content]) => !(field === PICTURE && typeof content === 'string'),
  );
  return Object.fromEntries(
    fields.map(([field, content]) => [
      field,
      field === 'completed' && Array.isArray(content)
        ? content.map((step: ActionResult) => withoutPictures(step))
        : content,
    ]),
  );
}

/** A stored result with its pictures restored, as far as their artifacts still exist: the first answer. */
async function withPictures(
  result: ActionResult,
  read: (contentHash: string) => Promise<Uint8Array | null>,
): Promise<ActionResult> {
  return { ...result, value: await valueAsGiven(result.value, read) };
}

async function valueAsGiven(
  value: unknown,
  read: (contentHash: string) => Promise<Uint8Array | null>,
): Promise<unknown> {
  if (!isFields(value)) return value;
  if (Array.isArray(value['completed'])) {
    return {
      ...value,
      completed: await Promise.all(value['completed'].map((step: ActionResult) => withPictures(step, read))),
    };
  }
  const hash = artifactOf(value);
  if (hash === null || PICTURE in value) return value;
  const bytes = await read(hash);
  return bytes === null ? value : { [PICTURE]: Buffer.from(bytes).toString('base64'), ...value };
}

interface AuditSink {
  append(entry: AuditEntryInput): Promise<AuditReceipt>;
}

/** Bytes of an artifact; null if it is no longer kept. */
type ReadPicture = (contentHash: string) => Promise<Uint8Array | null>;

export interface LedgerOptions {
  readonly store: Store;
  readonly audit: AuditSink;
  readonly readPicture?: ReadPicture;
  readonly requestHash?: RequestHash;
  readonly redactor?: Redactor;
  readonly seal?: AnswerSeal;
}

/** An action that has begun and has not ended. */
interface OpenAction {
  /** `queued` until it, or an action that is part of it, is delivered: it waits for its turn, the gate or a person. */
  stage: 'queued' | 'delivering';
  /** Its record on the way to the disk; the delivery waits for it. */
  readonly written: Promise<unknown>;
  readonly key: { readonly tokenId: string; readonly key: string } | null;
  /** What the gate allowed, which is written with the delivery. */
  decision: AuditEntryInput | null;
}

/**
 * Records every action: the store's record (24 hours), the idempotency key, the audit. It writes when the action begins,
 * before it is delivered (with the gate's decision, in one flush), and when it has ended.
 */
export class ActionLedger {
  readonly #store: Store;
  readonly #audit: AuditSink;
  readonly #readPicture: ReadPicture;
  readonly #requestHash: RequestHash;
  readonly #redactor: Redactor;
  readonly #seal: AnswerSeal;
  readonly #open = new Map<string, OpenAction>();
  readonly #inFlight = new Map<string, ActionRun>();

  constructor({
    store,
    audit,
    readPicture = async () => null,
    requestHash = createRequestHash(),
    redactor = createRedactor(),
    seal = new AnswerSeal(),
  }: LedgerOptions) {
    this.#store = store;
    this.#audit = audit;
    this.#readPicture = readPicture;
    this.#requestHash = requestHash;
    this.#redactor = redactor;
    this.#seal = seal;
  }

  /**
   * Starts an action's record. A repeated idempotency key gets the answer of the first request; while the first is
   * still running, `onFollow` gets its run, and its answer is awaited. Errors: idempotency_mismatch; state_conflict if
   * the first request was interrupted and its effect is unknown.
   */
  async begin(
    start: {
      caller: Caller;
      actionId: string;
      definition: ActionDefinition;
      rawInput: unknown;
      idempotencyKey: string | undefined;
    },
    onFollow: (first: ActionRun) => void = () => {},
  ): Promise<ActionResult | null> {
    const { caller, actionId, definition, rawInput, idempotencyKey } = start;
    const now = new Date().toISOString();
    if (idempotencyKey !== undefined) {
      const bodyHash = this.#requestHash(`${definition.name}\n${caller.session}`, rawInput);
      const answer = await this.#store.idempotency.begin({
        tokenId: caller.tokenId,
        key: idempotencyKey,
        bodyHash,
        actionId,
        at: now,
      });
      if (answer.kind === 'mismatch')
        throw new UiaHostError(
          'idempotency_mismatch',
          `The Idempotency-Key ${idempotencyKey} was used before with a different action or input.`,
        );
      if (answer.kind === 'interrupted') {
        throw new UiaHostError(
          'state_conflict',
          `The first request with this key was interrupted (action ${answer.actionId}); it may have been delivered.`,
          { delivery: 'unknown', actionId: answer.actionId },
        );
      }
      if (answer.kind === 'replay') return this.#replayed(answer.response);
      if (answer.kind === 'running') return this.#follow(answer.actionId, onFollow);
    }
    const written = this.#store.actions.create({
      actionId,
      tokenId: caller.tokenId,
      sessionId: caller.session,
      action: definition.name,
      status: 'running',
      createdAt: now,
    });
    // The delivery gets its error.
    written.catch(() => {});
    const key = idempotencyKey === undefined ? null : { tokenId: caller.tokenId, key: idempotencyKey };
    this.#open.set(actionId, { stage: 'queued', written, key, decision: null });
    return null;
  }

  /** A request for an action that does not exist. */
  async refusedUnknown(caller: Caller, actionId: string, action: string, error: UiaHostError): Promise<void> {
    await this.#audit.append({
      kind: 'request',
      actor: { tokenId: caller.tokenId, surface: caller.surface },
      sessionId: caller.session,
      actionId,
      action: action.slice(0, 100),
      decision: 'refused',
      errorCode: error.code,
    });
  }

  /** Lets a second request with the same key wait for the first one's answer. */
  follow(run: ActionRun): void {
    const { actionId, result } = run;
    this.#inFlight.set(actionId, run);
    void result.catch(() => {}).finally(() => this.#inFlight.delete(actionId));
  }

  /**
   * A person is asked. An action that has already delivered a part is not pending, even if a person is asked about the
   * rest.
   */
  pending(actionId: string, approvalId: string): void {
    const status = this.#open.get(actionId)?.stage === 'delivering' ? 'running' : 'pending';
    void this.#store.actions
      .update(actionId, { status, updatedAt: new Date().toISOString(), approvalId })
      .catch(() => {});
  }

  /**
   * Right before delivery: from here on no record may say that this action, or the one it is part of, waits for a person.
   * A look delivers nothing, whenever the host is killed. Errors: the store's and the audit's; the action must not be
   * delivered then.
   */
  async delivering(scope: RunScope, passed: GatePassed): Promise<void> {
    const isLook = scope.definition.effect === 'observe';
    // Called in one turn, so that they share a flush.
    await Promise.all([
      this.#open.get(scope.actionId)?.written,
      isLook ? null : this.#leaveQueue(scope.actionId),
      isLook || scope.outerId === null ? null : this.#leaveQueue(scope.outerId),
      this.#auditDecision(scope.actionId),
      isLook ? null : this.#auditDelivery(scope, passed),
    ]);
  }

  async #leaveQueue(actionId: string): Promise<void> {
    const open = this.#open.get(actionId);
    if (open === undefined || open.stage === 'delivering') return;
    open.stage = 'delivering';
    await this.#store.actions.update(actionId, {
      status: 'running',
      delivery: 'delivering',
      updatedAt: new Date().toISOString(),
    });
  }

  async #auditDecision(actionId: string): Promise<void> {
    const open = this.#open.get(actionId);
    if (open === undefined || open.decision === null) return;
    const { decision } = open;
    open.decision = null;
    await this.#audit.append(decision);
  }

  async #auditDelivery(scope: RunScope, passed: GatePassed): Promise<void> {
    await this.#audit.append({
      kind: 'delivery',
      ...auditedAs(scope, passed),
      details: {
        approvalId: passed.approvalId,
        window: passed.binding === null ? null : { hwnd: passed.binding.hwnd, pid: passed.binding.pid },
      },
    });
  }

  /** How far an action has come that is under way. */
  deliveryOf(actionId: string): ActionDelivery {
    return this.#open.get(actionId)?.stage ?? 'queued';
  }

  hashText(text: string): string | null {
    return this.#redactor.hash(text);
  }

  /**
   * One outcome of the gate. A refusal or a question to a person is on disk before anyone sees it; `execute` is written
   * with the delivery, which waits for both.
   */
  async gateRecord(record: GateRecord, caller: Caller, isLook: boolean): Promise<void> {
    // An allowed read is recorded once, at its end.
    if (isLook && record.outcome === 'execute') return;
    const { input, without } = this.#redactor.recorded(record.action, record.arguments, record.chosen);
    const entry: AuditEntryInput = {
      kind:
        record.outcome === 'asked' ||
        record.outcome === 'approved' ||
        record.outcome === 'denied' ||
        record.outcome === 'void'
          ? 'approval'
          : 'decision',
      actor: { tokenId: record.tokenId, surface: record.decidedBy ?? caller.surface },
      sessionId: record.sessionId,
      actionId: record.actionId,
      action: record.action,
      decision:
        record.outcome === 'refused' || record.outcome === 'approved' || record.outcome === 'denied'
          ? record.outcome
          : record.decision,
      riskLevel: record.riskLevel,
      riskTags: record.riskTags,
      why: [record.reason, ...record.why.map((reason) => `${reason.kind}: ${reason.text}`)].map(without),
      errorCode: record.code,
      input,
      digest: record.digest,
      text:
        record.content === null || record.content.hmac === null
          ? null
          : { length: record.content.length, hmac: record.content.hmac },
      details: {
        step: record.step,
        stepName: record.stepName,
        outcome: record.outcome,
        flags: record.flags,
        claims: record.claims,
        app: record.app,
        window: record.window,
        element: record.element,
        approvalId: record.approvalId,
        scope: record.scope,
      },
    };
    const open = this.#open.get(record.actionId);
    if (record.outcome === 'execute' && open !== undefined) open.decision = entry;
    else await this.#audit.append(entry);
  }

  async succeeded(scope: RunScope, result: ActionResult, passed: GatePassed): Promise<AnswerSize> {
    const { kept, textLength } = this.#seal.result(withoutPictures(result));
    await Promise.all([
      this.#audit.append({
        kind: 'outcome',
        ...auditedAs(scope, passed),
        outcome: auditOutcome(result),
        artifacts: [artifactOf(result.value)].filter((hash) => hash !== null),
      }),
      this.#end(scope.actionId, { status: 'succeeded', result: kept }),
    ]);
    this.#open.delete(scope.actionId);
    return { textLength, pictures: isFields(result.value) && typeof result.value[PICTURE] === 'string' ? 1 : 0 };
  }

  /** A refusal or failure. Never throws: the caller gets the original error. */
  async failed(scope: RunScope, error: UiaHostError, passed: GatePassed | null, input: unknown): Promise<void> {
    const whole = error.toProblem();
    const problem = this.#seal.problem(
      whole.partialResult === undefined ? whole : { ...whole, partialResult: valueToKeep(whole.partialResult) },
    );
    const status = error.code === 'cancelled' ? 'cancelled' : 'failed';
    await Promise.allSettled([
      this.#auditDecision(scope.actionId),
      this.#audit.append({
        kind: 'outcome',
        ...auditedAs(scope, passed),
        errorCode: error.code,
        outcome: { delivery: error.delivery },
        details: { inputKeys: typeof input === 'object' && input !== null ? Object.keys(input).slice(0, 40) : [] },
      }),
      this.#end(scope.actionId, { status, error: problem }),
    ]);
    this.#open.delete(scope.actionId);
  }

  async find(actionId: string): Promise<StoredAction | null> {
    const kept = await this.#store.actions.get(actionId);
    if (kept === null) return null;
    return {
      ...kept,
      ...(kept.result === null
        ? {}
        : { result: await withPictures(this.#seal.open(kept.result as KeptResult).answer, this.#readPicture) }),
      // Made again: an earlier version’s may say that a delivery which is unknown can be repeated.
      ...(kept.error === null
        ? {}
        : { error: await this.#asGiven(UiaHostError.fromProblem(this.#seal.open(kept.error).answer).toProblem()) }),
    };
  }

  async #replayed(response: unknown): Promise<ActionResult> {
    const first = response as { result?: KeptResult; error?: KeptProblem };
    if (first.result !== undefined) {
      const { answer, isWhole } = this.#seal.open(first.result);
      // For an action that acted, the outline is a sufficient answer; for a read it is not.
      if (isWhole || answer.value !== null) return withPictures(answer, this.#readPicture);
      throw new UiaHostError(
        'state_conflict',
        `The first request with this key was carried out (action ${answer.actionId}) by a host that has ended; its answer is no longer available.`,
        {
          delivery: hasActed(answer.outcome) ? 'delivered' : 'not_delivered',
          hint: 'Look at the window again.',
          actionId: answer.actionId,
        },
      );
    }
    if (first.error === undefined) throw new UiaHostError('internal', 'The kept answer for this key cannot be read.');
    throw UiaHostError.fromProblem(await this.#asGiven(this.#seal.open(first.error).answer));
  }

  async #asGiven(problem: Problem): Promise<Problem> {
    return problem.partialResult === undefined
      ? problem
      : { ...problem, partialResult: await valueAsGiven(problem.partialResult, this.#readPicture) };
  }

  async #follow(actionId: string, onFollow: (first: ActionRun) => void): Promise<ActionResult> {
    const first = this.#inFlight.get(actionId);
    if (first === undefined)
      throw new UiaHostError('state_conflict', `The first request with this key is still running as ${actionId}.`, {
        actionId,
      });
    onFollow(first);
    return first.result;
  }

  /** In the record, and for the next request with the same key. */
  async #end(actionId: string, end: Omit<ActionPatch, 'updatedAt'>): Promise<void> {
    const key = this.#open.get(actionId)?.key ?? null;
    const { status: _, ...response } = end;
    await Promise.all([
      this.#store.actions.update(actionId, { ...end, updatedAt: new Date().toISOString() }),
      key === null ? null : this.#store.idempotency.finish(key.tokenId, key.key, response),
    ]);
  }
}

/** What each audit record of a run says of it; `passed` is null for a run that the gate did not let through. */
function auditedAs(scope: RunScope, passed: GatePassed | null): Omit<AuditEntryInput, 'kind'> {
  return {
    actor: { tokenId: scope.caller.tokenId, surface: scope.caller.surface },
    sessionId: scope.caller.session,
    actionId: scope.actionId,
    action: scope.definition.method,
    decision: passed === null ? 'refused' : 'execute',
    riskLevel: passed?.decision.riskLevel ?? null,
    riskTags: passed?.decision.riskTags ?? [],
    digest: passed?.digest ?? null,
  };
}

/** Outcome for the audit: ways and effect, no text of windows and no typed text. */
function auditOutcome(result: ActionResult): Record<string, unknown> {
  const { outcome } = result;
  return {
    effect: outcome.effect,
    delivery: outcome.delivery,
    focusChanged: outcome.focusChanged,
    cursorMoved: outcome.cursorMoved,
    readBack: outcome.readBack ?? null,
    evidence: outcome.evidence.map((each) => each.kind),
    attempts: outcome.attempts.map((each) => `${each.rung}:${each.result}`),
    durationMs: result.durationMs,
  };
}
