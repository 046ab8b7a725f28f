/** The real host over the real store, audit, policy and gate, with a stand-in for the desktop. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createImageStore } from '../../../src/artifacts/image-artifact-store.ts';
import type { AuditEntry, AuditLog } from '../../../src/audit/entry.ts';
import type { ImageArtifactStore } from '../../../src/artifacts/types.ts';
import { createDocumentStore } from '../../../src/artifacts/document-store.ts';
import { createToolOutputSpool } from '../../../src/artifacts/spool.ts';
import { Seal } from '../../../src/base/seal.ts';
import { ANCHOR_KEY } from '../../../src/audit/anchor.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { UiaHostError } from '../../../src/contract/errors.ts';
import { defaultPolicy, type Policy } from '../../../src/contract/gate/permissions.ts';
import type { Caller } from '../../../src/host/face/caller.ts';
import { createHost, type RunningHost } from '../../../src/host/create-host.ts';
import { OutsideApprover } from '../../../src/host/approvals/outside-approver.ts';
import { openReaders } from '../../../src/host/running/owners.ts';
import { EmergencyStop } from '../../../src/host/approvals/emergency-stop.ts';
import { EventHub } from '../../../src/host/events/event-hub.ts';
import { openDataDirectory, readOrCreateSecret } from '../../../src/host/home/data-directory.ts';
import { PolicyRecord } from '../../../src/host/home/policy-record.ts';
import type { SecretPurpose, SecretVault } from '../../../src/host/access/secret-service.ts';
import { whereToRead } from '../../../src/host/face/spooled.ts';
import { Tokens } from '../../../src/host/access/token-service.ts';
import { gate, type GateSubject } from '../../../src/policy/gate/index.ts';
import { machineHost } from '../../../src/policy/file/machine-layers.ts';
import { PolicyStore } from '../../../src/policy/file/policy-store.ts';
import { parseSessionUrl } from '../../../src/policy/rights/session-urls.ts';
import { openStore, type Store } from '../../../src/store/client.ts';
import { threadEntry } from '../../support/bundled.ts';
import { createStandInDesktop, type StandInDesktop } from './stand-in-desktop.ts';
import { until } from '../../support/until.ts';
import { createUserMemory, type UserMemory } from '../../support/user-memory.ts';

export interface TestHost extends AsyncDisposable {
  readonly host: RunningHost;
  /** Its data directory. */
  readonly root: string;
  readonly scene: StandInDesktop;
  readonly approver: OutsideApprover;
  /** Ids of cards that a surface had to take away. */
  readonly takenDown: readonly string[];
  readonly agent: Caller;
  readonly operator: Caller;
  readonly faults: string[];
  readonly images: ImageArtifactStore;
  /** Where the secrets are, as another program of the user could write it too. */
  readonly vault: SecretVault;
  /** Runs between the gate's yes and the delivery. */
  afterGate: ((subject: GateSubject) => Promise<void>) | null;
  /** What cannot be written from now on: kinds of audit entries, `topic.method` of the store. */
  readonly unwritable: Set<string>;
  /** What is kept for the user, whatever the data directory. */
  readonly user: UserMemory;
  keepPictures(isKept: boolean): void;
  /** All that these tables of the database hold, as one text. */
  stored(...tables: string[]): Promise<string>;
  /** The audit, oldest first. */
  auditEntries(): Promise<AuditEntry[]>;
  /** Answers the next card that is asked, as the operator. */
  decideNext(decision: 'approve' | 'deny', scope?: 'once' | 'window' | 'plan' | 'session'): Promise<void>;
}

/** The users whose hosts are given their data directory, by that directory. */
const users = new Map<string, UserMemory>();

/**
 * The real host over the real store, audit, policy and gate; only the desktop and the user's registry are stand-ins. `given`: its
 * data directory, which stays; one of its own when left out. `user`: whose host it is; without it, each directory's own.
 * `machine`: the policy of the machine; with it the approver elsewhere is a surface too.
 */
export async function startTestHost(
  policy: Partial<Policy> = {},
  given?: string,
  user: UserMemory = (given === undefined ? undefined : users.get(given)) ?? createUserMemory(),
  machine: object | null = null,
): Promise<TestHost> {
  if (given !== undefined) users.set(given, user);
  const root = given ?? mkdtempSync(join(tmpdir(), 'uiahost-'));
  const data = openDataDirectory(root);
  const store = await openStore({ file: data.database, threadEntry: threadEntry() });
  const audit = createAuditLog({
    directory: data.audit,
    keyFile: data.auditKey,
    thread: store.thread,
    anchor: () => store.meta.get(ANCHOR_KEY),
  });
  await audit.open();
  const scene = createStandInDesktop();
  const faults: string[] = [];
  const vault = memoryVault();
  const hub = await EventHub.open({ append: store.events.append, read: store.events.read }, (error) =>
    faults.push(`event: ${String(error)}`),
  );
  const images = createImageStore({ dataDirectory: root, ledger: store.artifacts });
  const documents = createDocumentStore({ dataDirectory: root, seal: new Seal() });
  const unwritable = new Set<string>();
  const written: AuditLog = {
    ...audit,
    append: (entry) =>
      unwritable.has(entry.kind)
        ? Promise.reject(new UiaHostError('audit_unavailable', 'The audit cannot be written.'))
        : audit.append(entry),
  };
  let running: RunningHost | undefined;
  const policyRecord = new PolicyRecord(written, withFailures(store, unwritable).meta);
  const takenDown: string[] = [];
  const approver = new OutsideApprover({
    target: 'sto_test',
    machine: () => ({ name: 'pc17', user: 'anna', session: 1 }),
    decide: (approvalId, decision, by) => host.approvals.decide(approvalId, decision, by, 'approver'),
    audit: (entry) => written.append(entry),
    onFault: (error, where) => faults.push(`${where}: ${String(error)}`),
  });
  const machinePath = join(root, 'machine.json');
  if (machine !== null) writeFileSync(machinePath, JSON.stringify(machine));
  const policyStore = await PolicyStore.open({
    machinePath,
    onMachine: (layers) => approver.configure(machineHost(layers, machinePath).host.approver),
    path: data.policy,
    defaults: { ...defaultPolicy('full'), ...policy },
    record: (change) => policyRecord.changed(change),
    onChange: () => running?.policyChanged(),
  });
  await policyRecord.started(policyStore.get().policy);
  const host: RunningHost = createHost({
    version: 'test',
    storeId: 'sto_test',
    desktop: scene.desktop,
    desktopControl: {
      status: () => ({ state: 'ready', pid: 1, restarts: 0, further: [] }),
      restart: () => {},
      heldKeys: () => [],
    },
    store: withFailures(store, unwritable),
    hub,
    audit: written,
    images,
    documents,
    spool: createToolOutputSpool({ dataDirectory: root, images, whereToRead, seal: new Seal() }),
    tokens: await Tokens.open(
      store,
      { agent: 'agent-token-agent-token', operator: 'operator-token-operator' },
      async () => {},
    ),
    policy: policyStore,
    stop: await EmergencyStop.open(user, store.meta),
    readers: await openReaders(store.meta),
    surfaces: [
      ...(['overlay', 'api'] as const).map((name) => ({
        name,
        showsInTurn: name === 'overlay',
        isAvailable: () => true,
        show: () => {},
        takeAway: (approvalId: string) => void takenDown.push(approvalId),
      })),
      approver,
    ],
    ownFindings: () => approver.findings(),
    gate: {
      ...gate,
      async pass(subject, world) {
        const passed = await gate.pass(subject, world);
        await test.afterGate?.(subject);
        return passed;
      },
    },
    assertUrls: (urls) => urls.forEach((url) => parseSessionUrl(url, policyStore.get().policy.allowInsecureUrls)),
    vault,
    requestKey: Buffer.from(readOrCreateSecret(data.proofKey, { restrict: () => {}, whyNot: () => null }), 'utf8'),
    onFault: (error, where) => faults.push(`${where}: ${String(error)}`),
  });
  running = host;
  const agent: Caller = { tokenId: 'agent', scope: 'agent', session: 'default', limits: null, surface: 'http' };
  const operator: Caller = {
    tokenId: 'operator',
    scope: 'operator',
    session: 'default',
    limits: null,
    surface: 'http',
  };
  const test: TestHost = {
    host,
    root,
    scene,
    approver,
    takenDown,
    agent,
    operator,
    faults,
    images,
    vault,
    afterGate: null,
    unwritable,
    user,
    keepPictures: (keep) => images.configure({ keep }),
    async stored(...tables) {
      await store.flush();
      // The host has the file for itself.
      const copy = mkdtempSync(join(tmpdir(), 'uiahost-copy-'));
      for (const file of readdirSync(root).filter((name) => name.startsWith(basename(data.database))))
        copyFileSync(join(root, file), join(copy, file));
      const database = new DatabaseSync(join(copy, basename(data.database)));
      try {
        return JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
      } finally {
        database.close();
        rmSync(copy, { recursive: true });
      }
    },
    auditEntries: async () => (await audit.read({ limit: 1000 })).entries,
    async decideNext(decision, scope) {
      const card = await until(async () => (await host.approvals.list({ status: 'pending' })).approvals[0], 'a card');
      await host.approvals.decide(
        card.approvalId,
        { decision, ...(scope === undefined ? {} : { scope }) },
        'operator',
        'api',
      );
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      policyStore.close();
      await hub.close();
      await audit.close();
      await store.close();
      if (given === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
  return test;
}

/** The store with a disk that takes some things no more. */
function withFailures(store: Store, unwritable: ReadonlySet<string>): Store {
  const guarded = <T extends object>(topic: string, methods: T): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...args: unknown[]) =>
          unwritable.has(`${topic}.${name}`)
            ? Promise.reject(
                new UiaHostError('internal', 'The store could not be written; nothing of this request was kept.'),
              )
            : method(...args),
      ]),
    ) as T;
  return {
    ...store,
    actions: guarded('actions', store.actions),
    idempotency: guarded('idempotency', store.idempotency),
    sessions: guarded('sessions', store.sessions),
    events: guarded('events', store.events),
    meta: guarded('meta', store.meta),
  };
}

/** Secrets in memory instead of the credential manager. */
export function memoryVault(): SecretVault {
  const entries = new Map<string, SecretPurpose & { secret: string }>();
  return {
    list: () => [...entries].map(([ref, { app, origin }]) => ({ ref, app, origin })),
    read(ref) {
      const found = entries.get(ref);
      if (found === undefined) throw new UiaHostError('not_found', `There is no ${ref}.`);
      return found;
    },
    write: (ref, purpose, secret) => void entries.set(ref, { ...purpose, secret }),
    remove: (ref) => entries.delete(ref),
  };
}

/** The same, with its agent's session bound to Notepad. */
export async function startBoundHost(...given: Parameters<typeof startTestHost>): Promise<TestHost> {
  const t = await startTestHost(...given);
  await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
  return t;
}
