/**
 * The real host, gate, allowances and approvals over a simulated desktop, with a person who answers, and a judge of the
 * results.
 */
import { DatabaseSync } from 'node:sqlite';
import type { DocumentStore } from '../../src/artifacts/document-store.ts';
import type { ToolOutputSpool } from '../../src/artifacts/spool.ts';
import type { ImageArtifactStore } from '../../src/artifacts/types.ts';
import type { AuditLog } from '../../src/audit/entry.ts';
import type { ApprovalCard, ApprovalScope } from '../../src/contract/gate/approval.ts';
import { UiaHostError } from '../../src/contract/errors.ts';
import { defaultPolicy, type Level, type Policy } from '../../src/contract/gate/permissions.ts';
import type { Desktop } from '../../src/desktop/index.ts';
import type { Caller } from '../../src/host/face/caller.ts';
import { createHost, type RunningHost } from '../../src/host/create-host.ts';
import { createUserMemory } from '../support/user-memory.ts';
import { EmergencyStop } from '../../src/host/approvals/emergency-stop.ts';
import { EventHub } from '../../src/host/events/event-hub.ts';
import { Tokens } from '../../src/host/access/token-service.ts';
import { gate, type GatePassed, type GateSubject, type GateWorld } from '../../src/policy/gate/index.ts';
import type { Store } from '../../src/store/client.ts';
import { createRepositories } from '../../src/store/database.ts';
import { migrate } from '../../src/store/schema.ts';
import { memoryVault } from '../pure/host/running-host.ts';
import { meanwhile, type Meanwhile } from './meanwhile.ts';
import { simulateDesktop, type SimulatedDesktop } from './simulated-desktop.ts';
import type { Harm } from './simulated-input.ts';
import { APPS, DENIED, READ_ONLY, type Setting } from './simulated-scene.ts';
import type { HarmKind } from './simulated-window.ts';

export interface Call {
  readonly action: string;
  readonly input: Record<string, unknown>;
  /** What programs do between the gate's approval and the delivery. */
  readonly meanwhile?: Meanwhile;
}

export interface Sequence {
  readonly setting: Setting;
  readonly level: Level;
  /** How far the person's approval reaches: as little as possible, or as much as the card offers. */
  readonly scope: 'once' | 'widest';
  /** Whether browsers and trading programs are granted full. */
  readonly grantsRestricted: boolean;
  /** Whether a proposal may name a point. */
  readonly coordinateProposals: boolean;
  readonly calls: readonly Call[];
}

/** A planted target that was reached, the call that reached it, and the card that a person had answered for it. */
interface Reached extends Harm {
  readonly action: string;
  readonly card: ApprovalCard | null;
  /** Why this must not have happened; null if it had been shown to a person. */
  readonly wrong: string | null;
}

export interface Outcome {
  readonly reached: readonly Reached[];
  /** For each call `done`, or the code of the error. */
  readonly answers: readonly string[];
  readonly cards: number;
  /** How often the gate let a call through by an earlier approval. */
  readonly covered: number;
}

/** Runs the gate; a mutation test runs another one. */
export type PassGate = (subject: GateSubject, world: GateWorld) => Promise<GatePassed>;

/** Tags of which one must be on the card for the kind of harm. */
const TAGS: Partial<Record<HarmKind, readonly string[]>> = {
  destructive: ['destructive'],
  financial: ['financial'],
  prompts: ['prompts', 'customCommand'],
  customCommand: ['customCommand', 'prompts', 'destructive'],
  password: ['password'],
};

export const SECRET = 'uiahost:settings';

export class Bench implements AsyncDisposable {
  readonly #host: RunningHost;
  readonly #database: DatabaseSync;
  readonly #state: BenchState;
  #sequences = 0;

  private constructor(host: RunningHost, database: DatabaseSync, state: BenchState) {
    this.#host = host;
    this.#database = database;
    this.#state = state;
  }

  static async open(pass: PassGate = gate.pass): Promise<Bench> {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const store = storeInMemory(database);
    const state: BenchState = {
      current: null,
      policy: defaultPolicy('full'),
      delivering: null,
      pending: null,
      scope: 'once',
      cards: new Map(),
      reached: [],
      covered: 0,
    };
    const vault = memoryVault();
    vault.write(SECRET, { app: APPS.tool.bundleId, origin: null }, 'a secret of nobody');
    let seq = 0;
    const audit = { append: async () => ({ seq: (seq += 1), hash: '' }) } as Partial<AuditLog> as AuditLog;
    const host: RunningHost = createHost({
      version: 'test',
      storeId: 'sto_bench',
      desktop: desktopNow(state),
      desktopControl: {
        status: () => ({ state: 'ready', pid: 1, restarts: 0, further: [] }),
        restart: () => {},
        heldKeys: (owner) => state.current?.heldKeys(owner) ?? [],
      },
      store,
      hub: await EventHub.open(
        { append: async () => ({ id: '', sequence: 0 }), read: store.events.read } as never,
        () => {},
      ),
      audit,
      images: {
        put: async () => {
          throw new UiaHostError('unsupported', 'No picture is kept here.');
        },
      } as Partial<ImageArtifactStore> as ImageArtifactStore,
      documents: { put: async () => null } as Partial<DocumentStore> as DocumentStore,
      spool: {} as ToolOutputSpool,
      tokens: await Tokens.open(
        store,
        { agent: 'agent-token-agent-token-agent-tok', operator: 'operator-token-operator-token-ope' },
        async () => {},
      ),
      policy: {
        get: () => ({ policy: state.policy, etag: '' }),
        compare: () => ({ loosened: [], narrowed: [], other: [] }),
        change: async () => {
          throw new UiaHostError('unsupported', 'Nobody changes the policy here.');
        },
      },
      stop: await EmergencyStop.open(createUserMemory(), store.meta),
      surfaces: [
        {
          name: 'overlay',
          isAvailable: () => true,
          takeAway: () => {},
          show: (card) => {
            state.cards.set(card.approvalId, card);
            queueMicrotask(
              () =>
                void host.approvals
                  .decide(
                    card.approvalId,
                    { decision: 'approve', scope: scopeFor(card, state.scope) },
                    'person',
                    'overlay',
                  )
                  .catch(() => {}),
            );
          },
        },
      ],
      gate: {
        ...gate,
        async pass(subject, world) {
          const passed = await pass(subject, world);
          state.delivering = { subject, passed };
          if (passed.approvalId !== null && state.cards.get(passed.approvalId)?.actionId !== subject.actionId)
            state.covered += 1;
          if (state.pending !== null && state.current !== null && subject.traits.effect !== 'observe') {
            meanwhile(state.current.input, state.pending);
            state.pending = null;
          }
          return passed;
        },
      },
      assertUrls: () => {},
      vault,
      onFault: () => {},
    });
    return new Bench(host, database, state);
  }

  /** Runs the calls one after the other, as one client would, and returns the planted targets that were reached. */
  async run({ setting, level, scope, grantsRestricted, coordinateProposals, calls }: Sequence): Promise<Outcome> {
    const state = this.#state;
    this.#sequences += 1;
    state.cards.clear();
    state.reached = [];
    state.delivering = null;
    state.covered = 0;
    state.scope = scope;
    state.policy = {
      ...defaultPolicy(level),
      deny: [DENIED.bundleId],
      flags: ['clipboardWrite', 'prompts'],
      coordinateProposals,
      limits: { actionsPerMinute: 100_000, maxActions: null, maxDurationMs: null },
      grants: [
        { app: READ_ONLY.bundleId, tier: 'read' },
        ...(grantsRestricted
          ? [
              { app: APPS.browser.bundleId, tier: 'full' as const },
              { app: APPS.trader.bundleId, tier: 'full' as const },
            ]
          : []),
      ],
    };
    state.current = simulateDesktop(setting, (harm) => {
      state.reached.push(judged(state, harm));
    });
    const limits = setting.tokenApps === null ? null : { apps: [...setting.tokenApps] };
    const caller: Caller = {
      tokenId: 'agent',
      scope: 'agent',
      session: `sequence-${this.#sequences}`,
      limits,
      surface: 'http',
    };
    const bound: Call[] =
      setting.bound === null
        ? []
        : [{ action: 'bind-to-window', input: { hwnd: state.current.input.named(setting.bound)!.record.hwnd } }];
    const answers: string[] = [];
    for (const call of [...bound, ...calls]) {
      state.pending = call.meanwhile ?? null;
      answers.push(
        await this.#host.runner.run(caller, call.action, call.input).result.then(
          () => 'done',
          (error: unknown) => (error instanceof UiaHostError ? error.code : String(error)),
        ),
      );
    }
    await this.#host.runner.run(caller, 'unbind-from-window', {}).result.catch(() => {});
    return {
      reached: state.reached,
      answers: answers.slice(bound.length),
      cards: state.cards.size,
      covered: state.covered,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#state.current ??= null;
    await this.#host.close();
    this.#database.close();
  }
}

interface BenchState {
  current: SimulatedDesktop | null;
  policy: Policy;
  /** What the gate allowed last: calls run one after the other, so that is what is delivered. */
  delivering: { readonly subject: GateSubject; readonly passed: GatePassed } | null;
  pending: Meanwhile | null;
  scope: Sequence['scope'];
  readonly cards: Map<string, ApprovalCard>;
  reached: Reached[];
  covered: number;
}

/** A person gives the read-only application no lasting approval. */
function scopeFor(card: ApprovalCard, wanted: Sequence['scope']): ApprovalScope {
  if (wanted === 'once' || card.app?.bundleId === READ_ONLY.bundleId) return card.allowedScopes[0] ?? 'once';
  return card.allowedScopes.at(-1) ?? 'once';
}

/**
 * Whether a card for exactly this call, or for a plan with this step, was shown and approved, and named the kind of
 * harm.
 */
function judged(state: BenchState, harm: Harm): Reached {
  const { delivering } = state;
  const card =
    delivering?.passed.approvalId === null || delivering === null
      ? null
      : (state.cards.get(delivering.passed.approvalId) ?? null);
  const found = { ...harm, action: delivering?.subject.action ?? '', card };
  const wrong = ((): string | null => {
    if (delivering === null) return 'nothing had passed the gate';
    if (harm.kind === 'denied') return 'the application is on the deny list';
    if (harm.kind === 'beyondToken') return 'the token is not for this application';
    if (card === null) return 'nobody was asked';
    const isOwn =
      card.actionId === delivering.subject.actionId ||
      (card.action === 'batch' && delivering.subject.planStep !== null);
    if (!isOwn) return `it went by the card of another call: ${card.summary}`;
    const tags = TAGS[harm.kind];
    const isNamed =
      tags === undefined || card.riskTags.some((tag) => tags.includes(tag)) || card.flags.includes('unknown_target');
    return isNamed ? null : `the card did not say so: ${card.summary} [${card.riskTags.join(', ')}]`;
  })();
  return { ...found, wrong };
}

/** The desktop ports of the current sequence. */
function desktopNow(state: BenchState): Desktop {
  const missing = (name: string) => async (): Promise<never> => {
    throw new UiaHostError('unsupported', `${name} is not simulated.`);
  };
  return new Proxy(
    {},
    {
      get: (_desktop, topic: string) =>
        new Proxy(
          {},
          {
            get: (_port, method: string) => {
              const port = state.current?.desktop[topic as keyof Desktop] as Record<string, unknown> | undefined;
              return port?.[method] ?? missing(`${topic}.${method}`);
            },
          },
        ),
    },
  ) as Desktop;
}

/** The real tables without disk and thread. */
function storeInMemory(database: DatabaseSync): Store {
  const repositories = createRepositories(database) as unknown as Record<
    string,
    Record<string, (...args: unknown[]) => unknown>
  >;
  const remote = Object.fromEntries(
    Object.entries(repositories).map(([topic, methods]) => [
      topic,
      Object.fromEntries(
        Object.keys(methods).map((name) => [name, async (...args: unknown[]) => methods[name]?.(...args)]),
      ),
    ]),
  );
  return { ...remote, flush: async () => {}, close: async () => {} } as unknown as Store;
}
