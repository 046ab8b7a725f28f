/** A host without a desktop, for tests of the edges: each action answers what the test scripted. */
import { EventEmitter, on } from 'node:events';
import type { ApprovalCard, ApprovalDecision, AskPause } from '../../src/contract/gate/approval.ts';
import { toUiaHostError, UiaHostError } from '../../src/contract/errors.ts';
import { invalidArgument, parseOrRefuse } from '../../src/contract/json/issues.ts';
import { looked, type ActionResult } from '../../src/contract/outcome.ts';
import { defaultPolicy, Policy } from '../../src/contract/gate/permissions.ts';
import type { SecretView } from '../../src/contract/gate/secret.ts';
import type { ComputerUseStreamEvent, SessionView } from '../../src/contract/gate/session.ts';
import { PageSessions } from '../../src/host/access/page-sessions.ts';
import type { Caller } from '../../src/host/face/caller.ts';
import { buildCatalog } from '../../src/host/face/catalog.ts';
import type { ActionRecord, TokenView } from '../../src/contract/gate/views.ts';
import type { ActionRun, Host, HostEvent, RunOptions, StreamItem } from '../../src/host/face/host.ts';

/**
 * A host without a desktop, for tests of the edges alone: every action answers what a test scripted, approvals are kept in memory.
 * It judges nothing, since the gate has its own tests.
 */
/** The signal of tokens that never end. */
const NEVER = new AbortController().signal;
export const AGENT_TOKEN = 'agent-token-of-the-stand-in';
export const OPERATOR_TOKEN = 'operator-token-of-the-stand-in';

type Answer = (input: Record<string, unknown>, context: { caller: Caller; signal: AbortSignal }) => unknown;

export interface StandInHost extends Host {
  /** What an action answers as its value; default null. */
  readonly answers: Map<string, Answer>;
  /** Actions that ask a person first. */
  readonly asks: Set<string>;
  /** What prevents actions, as /readyz says it. */
  readonly unready: Set<string>;
  readonly runs: Array<{ caller: Caller; action: string; input: unknown; options: RunOptions }>;
  readonly cancelled: string[];
  readonly refusals: Array<{ code: string; surface: string; route: string; tokenId: string | null }>;
  readonly cards: Map<string, ApprovalCard>;
  /** What was stored, including the secret, which no interface of a host shows. */
  readonly storedSecrets: Map<string, { view: SecretView; secret: string }>;
  emit(event: HostEvent): void;
  /** Appends an event to a session's stream. */
  say(sessionId: string, event: ComputerUseStreamEvent): void;
}

const NOW = '2026-01-02T03:04:05.000Z';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const PICTURE_HASH = 'a'.repeat(64);

export function createStandInHost(): StandInHost {
  const catalog = buildCatalog();
  const bus = new EventEmitter();
  bus.setMaxListeners(0);
  const answers = new Map<string, Answer>([
    [
      'list-visible-windows',
      () => [
        {
          hwnd: '65552',
          pid: 42,
          title: 'Untitled - Notepad',
          app: 'c:\\windows\\notepad.exe',
          className: 'Notepad',
          minimized: false,
          toolWindow: false,
          elevated: false,
        },
      ],
    ],
    [
      'screenshot',
      () => ({
        base64: PIXEL.toString('base64'),
        width: 1,
        height: 1,
        displayWidth: 1,
        displayHeight: 1,
        originX: 0,
        originY: 0,
        accessibilityText: '[Window] "Untitled" (0,0 1x1) ref=e1',
        mimeType: 'image/png',
        observationId: 'obs_1',
        artifact: `artifact://${PICTURE_HASH}`,
        method: 'print-window',
      }),
    ],
    [
      'snapshot',
      () => ({
        observationId: 'obs_2',
        accessibilityText: '[Window] "Say \\"hi\\"" (0,0 1x1) ref=e1',
        untrusted: true,
        partial: false,
        imageWidth: 1,
        imageHeight: 1,
      }),
    ],
    ['click-element', () => true],
  ]);
  const asks = new Set<string>();
  const unready = new Set<string>();
  const runs: StandInHost['runs'] = [];
  const cancelled: string[] = [];
  const refusals: StandInHost['refusals'] = [];
  const cards = new Map<string, ApprovalCard>();
  const records = new Map<string, ActionRecord & { owner: string }>();
  const cancels = new Map<string, (reason: string) => void>();
  const byKey = new Map<string, { body: string; run: ActionRun }>();
  const sessions = new Map<string, { view: SessionView; items: Array<StreamItem<ComputerUseStreamEvent>> }>();
  const events: Array<StreamItem<HostEvent>> = [];
  let policy: Policy = defaultPolicy();
  let revision = 1;
  let count = 0;
  const tokens = new Map<string, TokenView & { token: string }>();
  const secrets: StandInHost['storedSecrets'] = new Map();
  const pauses = new Map<string, AskPause>();

  function newCard(actionId: string, action: string, caller: Caller, input: unknown): ApprovalCard {
    const card: ApprovalCard = {
      approvalId: `apr_${++count}`,
      actionId,
      action,
      sessionId: caller.session,
      owner: `${caller.tokenId}/${caller.session}`,
      status: 'pending',
      summary: `${action} in Notepad`,
      why: [{ kind: 'level', text: 'level control asks before input' }],
      proposerReason: null,
      app: null,
      window: null,
      page: { origin: 'https://bank.example', unicodeHost: null, address: 'https://bank.example/', frame: null },
      element: null,
      arguments: input,
      riskLevel: 'high',
      riskTags: ['computer:input'],
      flags: [],
      pictureUrl: null,
      digest: 'd'.repeat(64),
      createdAt: NOW,
      expiresAt: NOW,
      allowedScopes: ['once'],
      decidedBy: null,
    };
    cards.set(card.approvalId, card);
    emit({ type: 'approval.pending', time: NOW, approvalId: card.approvalId });
    return card;
  }
  function settle(approvalId: string, status: ApprovalCard['status'], decidedBy: string | null): ApprovalCard {
    const card = { ...mustFind(cards, approvalId, 'approval_not_found'), status, decidedBy };
    cards.set(approvalId, card);
    bus.emit(`card:${approvalId}`, card);
    return card;
  }
  function emit(event: HostEvent): void {
    const item = { sequence: events.length + 1, event };
    events.push(item);
    bus.emit('event', item);
  }
  async function decided(card: ApprovalCard, signal: AbortSignal): Promise<ApprovalCard> {
    const now = cards.get(card.approvalId);
    if (now !== undefined && now.status !== 'pending') return now;
    const [settled] = await once(bus, `card:${card.approvalId}`, signal);
    return settled as ApprovalCard;
  }

  function start(caller: Caller, action: string, input: unknown, options: RunOptions): ActionRun {
    const actionId = `act_${++count}`;
    const owner = caller.tokenId;
    const abort = new AbortController();
    const { promise: pending, resolve: told } = Promise.withResolvers<string | null>();
    const put = (record: Omit<ActionRecord, 'actionId' | 'delivery'>): void => {
      const isOpen = record.status === 'pending' || record.status === 'running';
      records.set(actionId, { actionId, owner, delivery: isOpen ? 'queued' : 'done', ...record });
    };
    cancels.set(actionId, (reason) => abort.abort(new UiaHostError('cancelled', reason)));
    if (options.signal?.aborted === true) abort.abort(options.signal.reason);
    const onAbort = (): void => abort.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    put({ status: 'running' });
    const work = async (): Promise<ActionResult> => {
      const entry = catalog.find(action);
      if (entry === undefined) throw new UiaHostError('not_found', `Unknown action ${action}.`);
      const parsed = entry.input.safeParse(input);
      if (!parsed.success) throw invalidArgument(parsed.error, input, entry.input);
      let approvalId: string | null = null;
      if (asks.has(entry.name)) {
        const card = newCard(actionId, entry.method, caller, parsed.data);
        approvalId = card.approvalId;
        put({ status: 'pending' });
        told(approvalId);
        const outcome = await decided(card, abort.signal).catch((error: unknown) => {
          settle(card.approvalId, 'cancelled', null);
          throw error;
        });
        if (outcome.status !== 'approved')
          throw new UiaHostError(
            outcome.status === 'expired' ? 'approval_expired' : 'approval_denied',
            `The card was ${outcome.status}.`,
          );
        put({ status: 'running' });
      }
      const value = await (answers.get(entry.name) ?? ((): unknown => null))(parsed.data, {
        caller,
        signal: abort.signal,
      });
      return {
        action: entry.method,
        actionId,
        value,
        outcome: looked(),
        decision: { result: 'execute', riskLevel: 'low', riskTags: [], approvalId },
        durationMs: 1,
      };
    };
    const result = work()
      .then(
        (done) => {
          put({ status: 'succeeded', result: done });
          return done;
        },
        (thrown: unknown) => {
          const error = abort.signal.aborted
            ? new UiaHostError('cancelled', 'The client stopped waiting for it.')
            : toUiaHostError(thrown);
          error.actionId = actionId;
          if (error.code === 'cancelled') cancelled.push(actionId);
          put({ status: error.code === 'cancelled' ? 'cancelled' : 'failed', error: error.toProblem() });
          throw error;
        },
      )
      .finally(() => {
        options.signal?.removeEventListener('abort', onAbort);
        cancels.delete(actionId);
        told(null);
      });
    result.catch(() => {});
    return { actionId, result, pending, cancel: (reason) => cancels.get(actionId)?.(reason) };
  }

  const mine = (caller: Caller, actionId: string): ActionRecord => {
    const record = records.get(actionId);
    if (record === undefined || record.owner !== caller.tokenId)
      throw new UiaHostError('action_not_found', `Unknown action ${actionId} of this token.`);
    const { owner: _owner, ...rest } = record;
    return rest;
  };
  const session = (id: string): { view: SessionView; items: Array<StreamItem<ComputerUseStreamEvent>> } =>
    mustFind(sessions, id, 'session_not_found');
  function say(id: string, event: ComputerUseStreamEvent): void {
    const { items } = session(id);
    items.push({ sequence: items.length + 1, event });
    bus.emit(`session:${id}`);
  }

  return {
    version: '0.0.0-stand-in',
    catalog,
    answers,
    asks,
    unready,
    runs,
    cancelled,
    refusals,
    cards,
    storedSecrets: secrets,
    pages: new PageSessions({ endOf: () => NEVER }),
    openSessions: async () => [],
    pause: async () => {},
    emit,
    say,
    runner: {
      run(caller, action, input, options = {}) {
        runs.push({ caller, action, input, options });
        const { idempotencyKey } = options;
        if (idempotencyKey === undefined) return start(caller, action, input, options);
        const key = `${caller.tokenId}/${idempotencyKey}`;
        const body = JSON.stringify([action, input]);
        const before = byKey.get(key);
        if (before?.body === body) return before.run;
        if (before !== undefined) {
          const result = Promise.reject(new UiaHostError('idempotency_mismatch', 'Another body came with this key.'));
          result.catch(() => {});
          return { actionId: 'act_0', result, pending: Promise.resolve(null), cancel: () => {} };
        }
        const run = start(caller, action, input, options);
        byKey.set(key, { body, run });
        return run;
      },
      record: async (caller, actionId) => mine(caller, actionId),
      async cancel(caller, actionId) {
        mine(caller, actionId);
        cancels.get(actionId)?.('cancelled by its caller');
        await new Promise((resolve) => setImmediate(resolve));
        return mine(caller, actionId);
      },
    },
    liftPause: async (owner) => {
      if (!pauses.delete(owner)) throw new UiaHostError('not_found', 'Nothing is paused.');
    },
    approvals: {
      noteClient() {},
      pauses: () => [...pauses.values()],
      async denyAll(owner, by) {
        const pause: AskPause = { owner, reason: 'denied-all', since: NOW, until: null };
        pauses.set(owner, pause);
        const denied = [...cards.values()]
          .filter((card) => card.owner === owner && card.status === 'pending')
          .map(({ approvalId }) => approvalId);
        for (const id of denied) settle(id, 'denied', by);
        return { pause, denied };
      },
      list: async ({ status }) => ({
        approvals: [...cards.values()].filter((card) => status === 'all' || card.status === 'pending'),
        nextCursor: null,
      }),
      get: async (id) => mustFind(cards, id, 'approval_not_found'),
      async decide(id, decision: ApprovalDecision, by) {
        const card = mustFind(cards, id, 'approval_not_found');
        const wanted = decision.decision === 'approve' ? 'approved' : 'denied';
        if (card.status === wanted) return card;
        if (card.status !== 'pending') throw new UiaHostError('approval_conflict', `The card is ${card.status}.`);
        return settle(id, wanted, by);
      },
      async settled(id, timeoutMs, signal) {
        const card = mustFind(cards, id, 'approval_not_found');
        const limit = AbortSignal.timeout(timeoutMs);
        return decided(card, signal === undefined ? limit : AbortSignal.any([limit, signal])).catch(() =>
          mustFind(cards, id, 'approval_not_found'),
        );
      },
    },
    policy: {
      get: () => ({ policy, etag: `"r${revision}"` }),
      compare: () => ({ loosened: ['level: observe → full'], narrowed: [], other: [] }),
      async change(change, how, ifMatch) {
        if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== `"r${revision}"`)
          throw new UiaHostError('state_conflict', 'The policy has changed meanwhile.');
        const { source: _source, ...rest } = change as Record<string, unknown>;
        policy = parseOrRefuse(Policy, { ...(how === 'merge' ? policy : {}), ...rest, source: 'api' });
        revision += 1;
        return { policy, etag: `"r${revision}"` };
      },
    },
    tokens: {
      authenticate(token) {
        if (token === AGENT_TOKEN) return { tokenId: 'tok_agent', scope: 'agent', limits: null };
        if (token === OPERATOR_TOKEN) return { tokenId: 'tok_operator', scope: 'operator', limits: null };
        const other = [...tokens.values()].find((each) => each.token === token && each.revokedAt === null);
        return other === undefined ? null : { tokenId: other.tokenId, scope: other.scope, limits: other.limits };
      },
      endOf: () => NEVER,
      nameOf: (tokenId) => tokens.get(tokenId)?.name ?? tokenId,
      list: async () => [...tokens.values()].map(({ token: _token, ...view }) => view),
      async create({ name, expiresAt, limits, scope, tokenId }) {
        const made = {
          tokenId: tokenId ?? `tok_${++count}`,
          name,
          scope: scope ?? ('agent' as const),
          from: 'host' as const,
          createdAt: NOW,
          expiresAt: expiresAt ?? null,
          limits: limits ?? null,
          revokedAt: null,
          token: `made-${count}`,
        };
        tokens.set(made.tokenId, made);
        return made;
      },
      async revoke(tokenId) {
        const { token, ...view } = mustFind(tokens, tokenId, 'not_found');
        const revoked = { ...view, revokedAt: NOW };
        tokens.set(tokenId, { ...revoked, token });
        return revoked;
      },
    },
    secrets: {
      list: async () => [...secrets.values()].map(({ view }) => view),
      async set(name, { app, origin, secret }) {
        const view = { name, secretRef: `uiahost:${name}`, app, ...(origin === undefined ? {} : { origin }) };
        secrets.set(name, { view, secret });
        return view;
      },
      async remove(name) {
        const { view } = mustFind(secrets, name, 'not_found');
        secrets.delete(name);
        return view;
      },
    },
    sessions: {
      async start(_caller, input) {
        const computerUseSessionId = `cus_${++count}`;
        sessions.set(computerUseSessionId, {
          view: {
            computerUseSessionId,
            status: 'running',
            summary: '',
            actionsExecuted: 0,
            durationMs: 0,
            evidence: {},
            goal: input.goal,
            urls: input.urls,
            pendingApprovalIds: [],
            startedAt: NOW,
          },
          items: [],
        });
        say(computerUseSessionId, { type: 'session.started', computerUseSessionId, timestamp: NOW });
        return { computerUseSessionId };
      },
      list: async (_caller, page) => ({
        sessions: page?.cursor === undefined ? [...sessions.values()].map(({ view }) => view) : [],
        nextCursor: null,
      }),
      get: async (_caller, id) => session(id).view,
      async control(_caller, id, request) {
        const { view } = session(id);
        if (request.action === 'decision') return { status: view.status };
        say(id, { type: 'session.ended', status: 'aborted', summary: request.reason ?? 'aborted', timestamp: NOW });
        return { status: 'aborted' };
      },
      propose: async (_caller, id, proposal) => ({ ...session(id).view, proposal }),
      async complete(_caller, id, summary) {
        const found = session(id);
        found.view = { ...found.view, status: 'completed', summary };
        say(id, { type: 'session.ended', status: 'completed', summary, timestamp: NOW });
        return found.view;
      },
      isReadToEnd: async (_caller, id, afterSequence) =>
        session(id).items.findIndex(({ event }) => event.type === 'session.ended') + 1 === afterSequence,
      async *stream(_caller, id, afterSequence, signal) {
        const { items } = session(id);
        const past = items.length;
        for (let next = afterSequence ?? 0; ; next += 1) {
          while (items.length <= next) await once(bus, `session:${id}`, signal);
          const item = items[next] as StreamItem<ComputerUseStreamEvent>;
          yield { ...item, isPast: next < past };
          if (item.event.type === 'session.ended') return;
        }
      },
    },
    readiness: async () => ({ ready: unready.size === 0, reasons: [...unready] }),
    status: async (caller) => ({
      binding: { bound: false },
      level: policy.level,
      stopped: false,
      capabilities: { platform: 'win32', session: caller.session },
      doctor: [],
      worker: { state: 'ready', pid: 4711, restarts: 0, further: [] },
      version: '0.0.0-stand-in',
      machine: { name: 'stand-in', user: 'nobody', session: null },
      pid: 4711,
      startedAt: new Date(0).toISOString(),
      uptimeSeconds: 1,
      storeId: 'sto_stand_in',
    }),
    metrics: async () => 'uiahost_ready 1\n',
    async askPermission(caller, request, signal) {
      const card = newCard(`act_${++count}`, 'permissionPrompt', caller, request);
      const { status } = await decided(card, signal).catch(() => settle(card.approvalId, 'cancelled', null));
      return status === 'approved' ? { behavior: 'allow' } : { behavior: 'deny', message: `The card was ${status}.` };
    },
    stop: async () => ({ stopped: true, heldReleased: true, sessionsAborted: sessions.size, recorded: true }),
    resume: async () => ({ stopped: false }),
    async artifact(sha256) {
      if (sha256 !== PICTURE_HASH) throw new UiaHostError('artifact_not_found', 'There is no such picture.');
      return {
        uri: `artifact://${sha256}`,
        mimeType: 'image/png',
        byteSize: PIXEL.length,
        contentHash: sha256,
        width: 1,
        height: 1,
      };
    },
    spoolOutput: async (content) => [...content],
    async spooled(_caller, spoolId) {
      throw new UiaHostError('artifact_not_found', `There is no ${spoolId}.`);
    },
    async artifactContent(sha256) {
      if (sha256 !== PICTURE_HASH) throw new UiaHostError('artifact_not_found', 'There is no such picture.');
      return { bytes: PIXEL, mimeType: 'image/png' };
    },
    auditEntries: async (after, limit) => ({
      entries: Array.from({ length: Math.min(limit, 3) }, (_, index) => ({ seq: after + index + 1 })),
      next: null,
    }),
    auditVerify: async () => ({
      ok: true,
      records: 3,
      head: 'h'.repeat(64),
      firstBad: null,
      sealsCheckedFrom: 1,
      completeFrom: 1,
    }),
    async *events(after, signal) {
      // Subscribes first, so that events during the replay are not missed.
      const live = on(bus, 'event', { signal });
      for (const item of events.slice(after ?? 0)) yield { ...item, isPast: true };
      for await (const [item] of live) yield item as StreamItem<HostEvent>;
    },
    recordRefusal: (refusal) => void refusals.push(refusal),
  };
}

function mustFind<T>(
  map: ReadonlyMap<string, T>,
  id: string,
  code: 'approval_not_found' | 'session_not_found' | 'not_found',
): T {
  const found = map.get(id);
  if (found === undefined) throw new UiaHostError(code, `There is no ${JSON.stringify(id)}.`);
  return found;
}

function once(bus: EventEmitter, name: string, signal: AbortSignal): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      bus.off(name, heard);
      reject(signal.reason as Error);
    };
    const heard = (...all: unknown[]): void => {
      signal.removeEventListener('abort', stop);
      resolve(all);
    };
    if (signal.aborted) reject(signal.reason as Error);
    else {
      bus.once(name, heard);
      signal.addEventListener('abort', stop, { once: true });
    }
  });
}
