/** Starts a host: assembles its parts, opens its resources, and closes them in order. */
import { rmSync } from 'node:fs';
import { freemem, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createHostLog } from './host/home/log.ts';
import { adapterRoutes } from './adapters/index.ts';
import { createDocumentStore, type DocumentStore } from './artifacts/document-store.ts';
import { Seal } from './base/seal.ts';
import { createImageStore } from './artifacts/image-artifact-store.ts';
import { createToolOutputSpool } from './artifacts/spool.ts';
import type { ImageArtifactStore } from './artifacts/types.ts';
import { ANCHOR_KEY, witnessed } from './audit/anchor.ts';
import { createAuditLog, type AuditLog } from './audit/log.ts';
import { auditDamaged, policyRefused, reporting, type SecurityEvent } from './audit/security-events.ts';
import { closing } from './base/closing.ts';
import { openRotatingFile } from './base/rotating-file.ts';
import { toUiaHostError } from './contract/errors.ts';
import { DECIDED_BY } from './contract/gate/card-lines.ts';
import { readOrigin } from './contract/gate/pages.ts';
import { defaultPolicy, type Policy } from './contract/gate/permissions.ts';
import type { PolicySetting } from './contract/gate/policy-sources.ts';
import type { DoctorFinding } from './contract/process/doctor.ts';
import type { ChannelToken, LocalHost } from './contract/process/service-channel.ts';
import type { Desktop, IndicatorPort, WorkerDesktop } from './desktop/index.ts';
import { OutsideApprover } from './host/approvals/outside-approver.ts';
import type { Surface } from './host/approvals/surface.ts';
import type { HostConfig, ListenConfig } from './host/home/config.ts';
import { showInBrowser } from './base/browser.ts';
import { openReaders } from './host/running/owners.ts';
import { followState } from './host/running/status.ts';
import { narrowListen, type PortOrigin } from './host/home/listen-policy.ts';
import { channelTokens, policyTokens, Tokens } from './host/access/token-service.ts';
import { diagnoseCertificate, loadCertificate, type Certificate } from './host/access/certificate.ts';
import {
  type DataDirectory,
  freeBytesIn,
  openDataDirectory,
  readOrCreateSecret,
  SECRET_FILES,
  type SecretGuard,
  takeLock,
  writeHostFile,
} from './host/home/data-directory.ts';
import { createHost, type RunningHost } from './host/create-host.ts';
import { diagnoseAudit, diagnoseDisk, diagnoseFiles } from './host/home/doctor.ts';
import { EmergencyStop } from './host/approvals/emergency-stop.ts';
import { EventHub } from './host/events/event-hub.ts';
import { PolicyRecord } from './host/home/policy-record.ts';
import type { SecretVault } from './host/access/secret-service.ts';
import { newId } from './host/face/caller.ts';
import { whereToRead } from './host/face/spooled.ts';
import type { HttpServer } from './http/server.ts';
import { followCertificate, serveEdges } from './main-serving.ts';
import { mcpRoutes } from './mcp/route.ts';
import { gate } from './policy/gate/index.ts';
import { PolicyRefusedError, PolicyStore, type RegistrySource } from './policy/file/policy-store.ts';
import { machineHost, readLayers } from './policy/file/machine-layers.ts';
import { registryPolicy } from './policy/file/registry-policy.ts';
import { POLICY_KEY } from './policy/file/registry-values.ts';
import { parseSessionUrl } from './policy/rights/session-urls.ts';
import { Shelf } from './routines/shelf.ts';
import { openStore } from './store/client.ts';
import { Telemetry } from './telemetry/index.ts';
import { knownFolder } from './win32/apps/folders.ts';
import { OverlayClient } from './win32/overlay/client.ts';
import type { ServingWorkers } from './win32/overlay/protocol.ts';
import { restrictToUser } from './win32/system/acl.ts';
import { deleteCredential, listCredentials, readCredential, writeCredential } from './win32/system/credentials.ts';
import { assertUserSession, ownSession } from './win32/system/session.ts';
import { takeSessionLock } from './win32/system/session-lock.ts';
import { reportEvent, writeEvent } from './win32/system/event-log.ts';
import {
  assertOwnFiles,
  isProtectedProgram,
  secureOwnFolder,
  whyNotAdministrators,
  whyNotOwnSecret,
  whyUnsafe,
} from './win32/system/trust.ts';
import { processCreated } from './win32/system/process.ts';
import { USER_STATE, readPolicyRegistry, watchPolicyRegistry } from './win32/system/policy-registry.ts';
import { createHeldFile, createMovedFile } from './win32/worker/held-file.ts';
import { starterProcesses } from './win32/windows/starter.ts';
import { Workers } from './win32/worker/workers.ts';

/** Entries of the processes and threads that a host starts. */
export interface ProcessFiles {
  readonly worker: URL;
  readonly overlay: URL;
  readonly store: URL;
  /** The folder of the page's files. */
  readonly page: URL;
}

export interface ComposeOptions {
  readonly config: Omit<HostConfig, Exclude<keyof ListenConfig, 'collector' | 'tokensNotBefore'>>;
  readonly files: ProcessFiles;
  readonly version: string;
  /** Fills in what the policy file leaves out; default: preset balanced. */
  readonly policy?: Policy;
  /** Settings of the host, for the list of sources. */
  readonly hostSettings?: readonly PolicySetting[];
  /** The certificate that HTTPS is served with now. */
  readonly certificate?: () => Certificate;
  /** Who agreed to the policy by starting this host; see PolicyStore. */
  readonly startedBy?: 'person' | 'program' | null;
  /** Running from an installation: cards are decided only on the overlay unless the administrator's policy adds the API. */
  readonly isInstalled?: boolean;
  /** Replaces the data directory's own. */
  readonly imageStore?: ImageArtifactStore;
  /** Surfaces on which people decide; the overlay, the page and the approver elsewhere are some only if named. */
  readonly surfaces: ReadonlyArray<Surface | 'overlay' | 'page' | 'approver'>;
}

/** A host without an edge. */
export interface ComposedHost {
  readonly host: RunningHost;
  readonly overlay: OverlayClient;
  readonly data: DataDirectory;
  /** The data directory's secret that is not a token. */
  readonly hostKey: Uint8Array;
  readonly tokens: Tokens;
  readonly log: Logger;
  /** What `close` disposes of; each edge adds itself. */
  readonly opened: AsyncDisposableStack;
  /** Closes everything in reverse order; failures are logged. Repeated calls return the same promise. */
  close(): Promise<void>;
  /** Call it once the host is reachable: starting the process blocks the thread for a tenth of a second. */
  startOverlay(): void;
}

export interface StartedHost {
  readonly host: RunningHost;
  readonly http: HttpServer;
  readonly log: Logger;
  /** Tokens that the service gives. */
  takeTokens(tokens: readonly ChannelToken[]): Promise<void>;
  /** How programs of this machine reach it. */
  readonly local: LocalHost;
  /** Closes everything in order; safe to call twice. */
  close(reason: string): Promise<void>;
}

/** Where the database keeps its id. */
const STORE_ID_KEY = 'store-id';
/** Interval at which expired data is deleted. */
const RETENTION_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How often a host that must ask looks whether a person can be asked. */
const ASKABLE_MS = 500;
/** On each strip while the machine's policy is not the administrators' alone. */
const UNPROTECTED = 'The machine’s policy is not protected. ';
/** Free memory (bytes) below which programs share the workers that there are: a worker with pictures takes 200 MB. */
const ROOM_BYTES = 400 * 1024 * 1024;

/** Environment variables hidden from every process we start: they hold our keys, or those of the program that started us. */
const PRIVATE_VARIABLES = /^UIAHOST_.*TOKEN$|^UIAHOST_OTLP_HEADERS$|(_API_KEY|_TOKEN|_SECRET|PASSWORD)$/i;

function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE_VARIABLES.test(name)));
}

/** The operator's API as a surface: available while the host runs. */
const API_SURFACE: Surface = { name: 'api', isAvailable: () => true, show: () => {}, takeAway: () => {} };

/** The page as a surface: available while one with an operator's rights is open. */
const pageSurface = (running: () => RunningHost | undefined): Surface => ({
  name: 'page',
  isAvailable: () => running()?.pages.isOperatorWatching() === true,
  show: () => {},
  takeAway: () => {},
});

/** A person elsewhere, as the policy of the machine names them. */
const openApprover = (
  target: string,
  audit: Audit,
  running: () => RunningHost | undefined,
  log: HostLog,
): OutsideApprover =>
  new OutsideApprover({
    target,
    machine: () => MACHINE,
    decide: (approvalId, decision, by) =>
      running()?.approvals.decide(approvalId, decision, by, 'approver') ?? Promise.resolve(),
    audit: (entry) => audit.append(entry),
    onFault: (error, where) => log.error({ err: error, where }, 'fault'),
  });

function overlaySurface(overlay: OverlayClient): Surface {
  return {
    name: 'overlay',
    isAvailable: () => overlay.canApprove(),
    showsInTurn: true,
    show: (card, picture) => overlay.show(card, picture),
    takeAway: (approvalId) => overlay.takeAway(approvalId),
    setClock: (approvalId, expiresAt, totalMs) => overlay.setClock(approvalId, expiresAt, totalMs),
  };
}

/** The worker's desktop, with the indicator drawn by the overlay's process, which survives a hanging worker. The end of a binding removes its strip. */
function withIndicator(desktop: WorkerDesktop, drawn: IndicatorPort, notice: () => string): Desktop {
  const indicator: IndicatorPort = {
    set: (record, change, message, call) => drawn.set(record, change, message, call, notice()),
  };
  return {
    ...desktop,
    indicator,
    binding: {
      ...desktop.binding,
      async release(record, call) {
        // An overlay that does not answer shows no strip.
        const strip = indicator.set(null, 'hide', undefined, call).catch(() => {});
        await desktop.binding.release(record, call);
        await strip;
      },
    },
  };
}

/** An entry names its application in the comment and its origin in the user name, both of which Credential Manager stores with the secret. */
const CREDENTIAL_MANAGER: SecretVault = {
  list: () =>
    listCredentials().map(({ name, comment, userName }) => ({ ref: name, app: comment, origin: readOrigin(userName) })),
  read(ref) {
    const { comment, userName, secret } = readCredential(ref);
    return { app: comment, origin: readOrigin(userName), secret };
  },
  write: (ref, { app, origin }, secret) =>
    writeCredential({ name: ref, userName: origin ?? 'uiahost', comment: app, secret }),
  remove: deleteCredential,
};

/** What administrators set by Group Policy. */
const GROUP_POLICY: RegistrySource = {
  read: () => registryPolicy(readPolicyRegistry(POLICY_KEY)),
  watch: (changed) => watchPolicyRegistry(POLICY_KEY, changed),
};

const findingsIn = (root: string) => [
  ...diagnoseFiles(whyUnsafe(root, SECRET_FILES)),
  ...diagnoseDisk(freeBytesIn(root)),
];

const SECRET_GUARD: SecretGuard = { restrict: restrictToUser, whyNot: whyNotOwnSecret };

/** Read once: none of them changes while a process runs. */
const MACHINE = { name: hostname(), user: userInfo().username, session: ownSession() };

type HostLog = ReturnType<typeof createHostLog>;
type Store = Awaited<ReturnType<typeof openStore>>;
type Audit = ReturnType<typeof createAuditLog>;

/** The host’s log, which begins with the settings that do not count. */
function openLog(data: DataDirectory, config: ComposeOptions['config']): HostLog {
  const log = createHostLog(openRotatingFile(data.log));
  if (config.unknown !== undefined && config.unknown.length > 0)
    log.warn({ variables: config.unknown }, 'unknown variables that look like settings');
  if (config.ignored !== undefined && config.ignored.length > 0)
    log.warn(
      { variables: config.ignored },
      'settings ignored: an installed host does not take them from its environment',
    );
  return log;
}

interface OverlayParts {
  readonly files: ProcessFiles;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: HostLog;
  readonly worker: Workers;
  readonly running: () => RunningHost | undefined;
}

/** Each agent that has a session, a quiet one too; what a pause does is in docs/page.md. */
async function pauseAll(host: RunningHost): Promise<void> {
  for (const { owner, isPaused } of await host.openSessions(true))
    if (!isPaused) await host.pause(owner, true, 'overlay:icon');
}

/** A page that can only look: a program may have chosen it, and sees the link on the browser's command line. */
async function watch(host: RunningHost, url: string): Promise<void> {
  const { code } = host.pages.code('operator', 'viewer');
  await showInBrowser(new URL(`/#code=${code}`, url).href);
}

/** Shows in the notification area what agents do; its menu looks, pauses and stops. The returned function ends that. */
function showIcon(overlay: OverlayClient, host: RunningHost, url: string, log: HostLog): () => void {
  overlay.onChoice = (choice) => {
    log.info({ choice }, 'chosen in the notification area');
    (choice === 'pause' ? pauseAll(host) : watch(host, url)).catch((error: unknown) =>
      log.error({ err: error, choice }, 'chosen in the notification area'),
    );
  };
  return followState(
    host.hub,
    () => host.activity(),
    (state) => overlay.setState(state),
  );
}

/** The overlay’s process: decisions of the person and the stop come from it. */
function openOverlay({ files, environment, log, worker, running }: OverlayParts): OverlayClient {
  return new OverlayClient({
    overlayFile: fileURLToPath(files.overlay),
    env: environment,
    onDecision: (approvalId, decision, by, how) => {
      log.info({ approvalId, decision: decision.decision, by, how }, 'decided on the overlay');
      // Another surface may have decided first; that decision is final.
      const answered =
        by === 'lost'
          ? running()?.approvalService.lose(approvalId)
          : running()?.approvals.decide(approvalId, decision, DECIDED_BY[by], 'overlay');
      answered?.catch((error: unknown) =>
        log.info({ approvalId, code: toUiaHostError(error).code }, 'the overlay’s decision does not count'),
      );
    },
    onShown: (approvalId) => running()?.approvalService.seen(approvalId),
    onStop: (how) => {
      running()
        ?.stop(`overlay:${how}`)
        .catch((error: unknown) => log.error({ err: error }, 'emergency stop'));
    },
    onProcess: (pid) => worker.setOwnPids([process.pid, pid]),
    onLog: (level, message) => log[level]({ part: 'overlay' }, message),
  });
}

interface WorkerParts extends Omit<OverlayParts, 'worker'> {
  readonly data: DataDirectory;
  onServing(serving: ServingWorkers): void;
}

/** The desktop workers, the first of which starts at once. */
function openWorkers({ files, environment, log, data, running, onServing }: WorkerParts): Workers {
  return new Workers({
    workerFile: fileURLToPath(files.worker),
    bound: () => running()?.bound() ?? [],
    hasRoom: () => freemem() > ROOM_BYTES,
    starters: starterProcesses(),
    env: environment,
    heldFile: createHeldFile(data.heldInput),
    movedFile: createMovedFile(data.movedWindows),
    onLog: (level, message) => log[level]({ part: 'worker' }, message),
    onState: (state) => {
      log.info({ worker: state }, 'desktop worker');
      running()?.hub.publish('worker', { ...state });
    },
    onUndone: (by) => running()?.undone(by),
    onServing,
  });
}

/** Pictures of the host’s own; a picture that cannot be kept is logged and audited. */
function openImages(data: DataDirectory, store: Store, audit: Audit, log: HostLog): ImageArtifactStore {
  return createImageStore({
    dataDirectory: data.root,
    ledger: store.artifacts,
    onQuarantine: (quarantined) => {
      log.warn({ reason: quarantined.reason }, 'picture not kept');
      void audit
        .append({
          kind: 'artifact',
          actor: { tokenId: null, surface: 'host' },
          action: 'artifact.quarantined',
          details: {
            reason: quarantined.reason,
            byteSize: quarantined.byteSize,
            sourceTool: quarantined.sourceTool,
          },
        })
        .catch((error: unknown) => log.error({ err: error }, 'a picture that was not kept could not be audited'));
    },
  });
}

type PolicyOptions = Parameters<typeof PolicyStore.open>[0];

/** Where the user keeps what a person agreed to for this data directory. What cannot be kept is asked again at the next start. */
const agreementIn = (data: DataDirectory, log: HostLog): NonNullable<PolicyOptions['agreement']> => ({
  read: () => USER_STATE.readFolder(data.root),
  write(text) {
    try {
      USER_STATE.writeFolder(data.root, text);
    } catch (error) {
      log.error({ err: error }, 'what a person agreed to could not be kept');
    }
  },
});

interface AskingParts {
  readonly surfaces: readonly Surface[];
  /** The host, once it runs and has begun to show its overlay. */
  readonly serving: Promise<RunningHost>;
  isOver(): boolean;
}

/** Asks a person about a looser policy: about a file, once a surface can show the card. */
const confirmWith =
  ({ surfaces, serving, isOver }: AskingParts, root: string): NonNullable<PolicyOptions['confirmLoosening']> =>
  async (points, by, why) => {
    const host = await serving;
    const isAskable = (): boolean => {
      const listed = host.policy.get().policy.approvals.surfaces;
      return surfaces.some((each) => listed.includes(each.name) && each.isAvailable());
    };
    if (by === null) while (!isAskable() && !isOver()) await wait(ASKABLE_MS, undefined, { ref: false });
    return host.askLoosening(why === 'unseen' ? [`data directory: ${root}`, ...points] : points, by, why);
  };

/** The policy of the person and of the machine. */
function openPolicy(
  options: ComposeOptions,
  data: DataDirectory,
  reactions: Pick<
    PolicyOptions,
    'record' | 'confirmLoosening' | 'onChange' | 'onMachine' | 'onRefused' | 'agreement' | 'startedBy'
  >,
): Promise<PolicyStore> {
  const { config } = options;
  const defaults = options.policy ?? defaultPolicy();
  const machinePath = machinePolicyPath();
  return PolicyStore.open({
    path: data.policy,
    machinePath,
    whyNotBelieved: whyNotAdministrators,
    registry: GROUP_POLICY,
    hostSettings: options.hostSettings ?? [],
    defaults: {
      ...defaults,
      grants: [...defaults.grants, ...config.demoApps.map((app) => ({ app, tier: 'full' as const }))],
    },
    level: config.level ?? null,
    isInstalled: options.isInstalled ?? false,
    ...reactions,
  });
}

/** Metrics and traces, which load nothing before someone wants them. */
const openTelemetry = (
  { version, config }: ComposeOptions,
  instance: string,
  log: HostLog,
  gauges: () => ReturnType<RunningHost['gauges']>,
): Telemetry =>
  new Telemetry({
    version,
    instance,
    machine: MACHINE.name,
    collector: config.collector,
    gauges,
    onError: (error) => log.error({ err: error }, 'telemetry could not be loaded'),
  });

const toEventLog = ({ level, id, text }: SecurityEvent): void =>
  void reportEvent('uiahost', level, id, text).catch(() => false);

/** The audit log, its last line witnessed by the store and by the system's event log, which also gets what security teams watch. */
function openAudit(data: DataDirectory, store: Store) {
  return witnessed(
    reporting(
      createAuditLog({
        directory: data.audit,
        keyFile: data.auditKey,
        thread: store.thread,
        anchor: () => store.meta.get(ANCHOR_KEY),
      }),
      toEventLog,
    ),
    { directory: data.audit, report: (text) => writeEvent('uiahost', text) },
  );
}

/** Outputs too large for an answer. */
function openSpool(data: DataDirectory, images: ImageArtifactStore, log: HostLog, hostKey: Uint8Array) {
  return createToolOutputSpool({
    dataDirectory: data.root,
    images,
    whereToRead,
    seal: new Seal(hostKey),
    onFailure: ({ tool, message }) =>
      log.warn({ tool, reason: message }, 'a large output could not be stored, so it was sent whole'),
  });
}

/** The two tokens of the data directory. */
const tokenSecrets = (config: ComposeOptions['config'], data: DataDirectory) => ({
  agent: config.agentToken ?? readOrCreateSecret(data.agentToken, SECRET_GUARD, config.tokensNotBefore),
  operator: config.operatorToken ?? readOrCreateSecret(data.operatorToken, SECRET_GUARD, config.tokensNotBefore),
});

/** The tokens; each change of them is audited. */
async function openTokens(
  store: Store,
  secrets: Parameters<typeof Tokens.open>[1],
  audit: Audit,
  notBefore: string | undefined,
): Promise<Tokens> {
  const tokens = await Tokens.open(store, secrets, async (what, token, by) => {
    await audit.append({
      kind: 'token',
      actor: { tokenId: by, surface: 'api' },
      action: `token.${what}`,
      details: { token: { ...token } },
    });
  });
  if (notBefore !== undefined) await tokens.revokeOlder(notBefore);
  return tokens;
}

function overlayState(overlay: OverlayClient) {
  const { state, vouching, hasStopHotkey, sawInjectedInput } = overlay.status();
  return { state, hindrances: [...(vouching?.hindrances ?? [])], hasStopHotkey, sawInjectedInput };
}

/** Identifies this data directory for as long as it exists: a program that keeps facts about it elsewhere sees when it is another. */
async function storeIdOf(store: Store): Promise<string> {
  const kept = await store.meta.get(STORE_ID_KEY);
  if (kept !== null) return kept;
  const made = newId('sto');
  await store.meta.set(STORE_ID_KEY, made);
  return made;
}

/** Pictures and documents are kept as the policy says. */
function keepAs({ keepPictures: keep, retention }: Policy, images: ImageArtifactStore, documents: DocumentStore): void {
  images.configure({ keep, retentionMs: retention.pictureDays * DAY_MS });
  documents.configure({ keep });
}

/** Removes what is too old, now and then; returns what ends that. */
function keepHouse(
  { store, audit, days }: { store: Store; audit: Pick<AuditLog, 'cut'>; days: () => Policy['retention'] },
  kept: ReadonlyArray<{ sweep(): Promise<unknown> }>,
  log: HostLog,
): () => void {
  const clean = (): void => {
    const { auditDays, sessionDays } = days();
    const work = [
      store.retain({ now: new Date().toISOString(), sessionDays }),
      ...(auditDays === null ? [] : [audit.cut(auditDays)]),
      ...kept.map((each) => each.sweep()),
    ];
    void Promise.all(work).catch((error: unknown) => log.error({ err: error }, 'retention'));
  };
  clean();
  const timer = setInterval(clean, RETENTION_MS);
  return () => clearInterval(timer);
}

/** Tokens and the approver that the machine's policy names, each time it was read. */
const takeMachine =
  (tokens: Tokens, approver: OutsideApprover, log: HostLog): NonNullable<PolicyOptions['onMachine']> =>
  (layers) => {
    const { host } = machineHost(layers, '');
    approver.configure(host.approver);
    tokens
      .give('policy', policyTokens(host.tokens ?? []))
      .catch((error: unknown) => log.error({ err: error }, 'tokens of the policy'));
  };

/** What the host sees of its own files, audit and certificate. */
const ownFindings = (
  { certificate }: ComposeOptions,
  data: DataDirectory,
  damage: Parameters<typeof diagnoseAudit>[0],
): DoctorFinding[] => [
  ...findingsIn(data.root),
  ...diagnoseAudit(damage),
  ...(certificate === undefined ? [] : diagnoseCertificate(certificate())),
];

/** Assembles a host from every layer. Errors: lock_held (data directory, user session), invalid_argument (policy, tokens), permission_denied (files that others can change). */
export async function composeHost(options: ComposeOptions): Promise<ComposedHost> {
  const { config, files, version } = options;
  const data = openDataDirectory(config.dataDirectory, secureOwnFolder);
  assertOwnFiles([data.policy, data.database, data.audit]);
  const log = openLog(data, config);
  const lock = takeLock(join(data.root, 'host.lock'), { createdAt: processCreated });
  const opened = new AsyncDisposableStack();
  const close = closing(opened, (error) => log.error({ err: error }, 'while ending'));
  opened.defer(() => lock.release());
  try {
    const place = takeSessionLock(data.root);
    opened.defer(() => place.release());
    const secrets = tokenSecrets(config, data);
    const hostKey = Buffer.from(readOrCreateSecret(data.proofKey, SECRET_GUARD), 'utf8');
    let running: RunningHost | undefined;
    const environment = cleanEnvironment(process.env);
    // The store's thread opens its database while the worker's process starts, which blocks this thread for a tenth of a second.
    const opening = openStore({ file: data.database, threadEntry: files.store });
    opened.defer(() => opening.then((store) => store.close()).catch(() => {}));
    let tellOverlay: (serving: ServingWorkers) => void = () => {};
    const shared = { files, environment, log, data, running: () => running };
    const worker = openWorkers({ ...shared, onServing: (serving) => tellOverlay(serving) });
    opened.defer(() => worker.close());
    const overlay = openOverlay({ ...shared, worker });
    opened.defer(() => overlay.close());
    tellOverlay = (serving) => overlay.setWorkers(serving);
    tellOverlay(worker.serving());
    const store = await opening;
    const hub = await EventHub.open({ append: store.events.append, read: store.events.read }, (error) =>
      log.error({ err: error }, 'an event could not be stored'),
    );
    opened.defer(() => hub.close());
    const { log: audit, state: auditWitness } = openAudit(data, store);
    const chain = await audit.open();
    if (chain.damage !== null) toEventLog(auditDamaged(chain.damage));
    restrictToUser(data.auditKey);
    opened.defer(() => audit.close());
    await audit.append({
      kind: 'host',
      actor: { tokenId: null, surface: 'host' },
      action: 'host.started',
      details: { version, pid: process.pid, recovery: store.recovery, audit: chain },
    });
    const images = options.imageStore ?? openImages(data, store, audit, log);
    const documents = createDocumentStore({ dataDirectory: data.root, seal: new Seal() });
    const spool = openSpool(data, images, log, hostKey);
    const tokens = await openTokens(store, secrets, audit, config.tokensNotBefore);
    const policyRecord = new PolicyRecord(audit, store.meta);
    const storeId = await storeIdOf(store);
    const approver = openApprover(storeId, audit, () => running, log);
    const named = { overlay: overlaySurface(overlay), page: pageSurface(() => running), approver };
    const surfaces = options.surfaces.map((surface) => (typeof surface === 'string' ? named[surface] : surface));
    const serving = Promise.withResolvers<RunningHost>();
    const policy = await openPolicy(options, data, {
      agreement: await policyRecord.agreement(agreementIn(data, log), hostKey),
      startedBy: options.startedBy ?? null,
      record: (change) => policyRecord.changed(change),
      confirmLoosening: confirmWith({ surfaces, serving: serving.promise, isOver: () => opened.disposed }, data.root),
      onChange: (next, by) => {
        keepAs(next, images, documents);
        running?.policyChanged();
        running?.hub.publish('policy', { level: next.level, by });
      },
      onMachine: takeMachine(tokens, approver, log),
      onRefused: (file, problems) => {
        log.error({ file, problems }, 'a part of the policy is not valid; after a minute nothing is allowed');
        toEventLog(policyRefused(file));
      },
    });
    opened.defer(() => policy.close());
    await policyRecord.started(policy.get().policy);
    keepAs(policy.get().policy, images, documents);
    const stop = await EmergencyStop.open(USER_STATE, store.meta);
    if (stop.by !== null) log.warn({ by: stop.by }, 'the emergency stop is still on');
    const telemetry = openTelemetry(options, storeId, log, () => host.gauges());
    const host = createHost({
      version,
      telemetry,
      machine: () => MACHINE,
      desktop: withIndicator(worker.desktop, overlay.indicator, () => (policy.flaws.disbelieved ? UNPROTECTED : '')),
      desktopControl: worker,
      store,
      hub,
      audit,
      auditWitness,
      ownFindings: () => [...ownFindings(options, data, chain.damage), ...approver.findings()],
      storeId,
      images,
      documents,
      spool,
      tokens,
      policy,
      stop,
      readers: await openReaders(store.meta),
      overlay: () => overlayState(overlay),
      surfaces,
      gate,
      assertUrls: (urls) => urls.forEach((url) => parseSessionUrl(url, policy.get().policy.allowInsecureUrls)),
      vault: CREDENTIAL_MANAGER,
      isProtectedProgram,
      requestKey: hostKey,
      onFault: (error, where) => log.error({ err: error, where }, 'fault'),
    });
    running = host;
    opened.defer(() => telemetry.close());
    opened.defer(() => host.close());
    const days = () => policy.get().policy.retention;
    opened.defer(keepHouse({ store, audit, days }, [images, documents, spool], log));
    const startOverlay = (): void => {
      overlay.start();
      telemetry.start();
      serving.resolve(host);
    };
    return { host, overlay, data, hostKey, tokens, log, opened, close, startOverlay };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface StartOptions {
  /** Runs from an installation. */
  readonly isInstalled?: boolean;
  /** Started by the service, which starts one host for each session: they cannot all have the same port. */
  readonly isSupervised?: boolean;
  /** Where the configured port comes from. */
  readonly portOrigin?: PortOrigin;
  /** Ends the process, where a client may ask for that. */
  readonly end?: (reason: string) => void;
}

/** Whether a host did not start because of its policy. */
export const isPolicyRefused = (error: unknown): boolean => error instanceof PolicyRefusedError;

/** What administrators set for hosts. A policy that is not valid stops the host when it is opened. */
const machineSettings = () => {
  const machineFile = machinePolicyPath();
  const places = { userFile: null, machineFile, registry: GROUP_POLICY.read(), whyNotBelieved: whyNotAdministrators };
  return machineHost(readLayers(places).machine, machineFile ?? '');
};

/** Starts the whole host with its edges. Errors: those of `composeHost`; desktop_unavailable in session 0; blocked_by_policy for access from other machines that Group Policy forbids; state_conflict for a port in use. */
export async function startUiaHost(
  configured: HostConfig,
  files: ProcessFiles,
  version: string,
  { isInstalled = false, isSupervised = false, portOrigin, end }: StartOptions = {},
): Promise<StartedHost> {
  assertUserSession();
  const { config, settings: hostSettings } = narrowListen(configured, machineSettings(), portOrigin);
  const held = config.tls === undefined ? undefined : { certificate: loadCertificate(config.tls) };
  const {
    host,
    overlay,
    data,
    hostKey,
    tokens,
    log,
    opened,
    close: closeAll,
    startOverlay,
  } = await composeHost({
    config,
    files,
    version,
    isInstalled,
    startedBy: config.isPersons === true ? 'person' : null,
    hostSettings,
    ...(held === undefined ? {} : { certificate: () => held.certificate }),
    surfaces: ['overlay', API_SURFACE, 'page', 'approver'],
  });
  const close = async (reason: string): Promise<void> => {
    log.info({ reason }, 'ending');
    await closeAll();
    log.info('ended');
  };
  try {
    const { local, served } = await serveEdges(
      {
        host,
        address: config.address,
        port: config.port,
        tls: held?.certificate.material,
        allowRemote: config.allowRemote,
        allowedHosts: config.allowedHosts,
        proofKey: hostKey,
        end: isSupervised ? 'service' : (end ?? null),
        pageFolder: fileURLToPath(files.page),
        mounts: [
          ...mcpRoutes(host, {
            onError: (error) => log.debug({ err: error }, 'mcp'),
            routines: () => new Shelf(data.root).agreed(host.catalog),
          }),
          ...adapterRoutes(host),
        ],
      },
      isSupervised,
      log,
    );
    for (const server of new Set([local, served])) opened.defer(() => server.close());
    if (held !== undefined && config.tls !== undefined)
      opened.defer(followCertificate(config.tls, held, [served], log));
    opened.defer(() => rmSync(data.hostFile, { force: true }));
    writeHostFile(data.hostFile, {
      url: local.url,
      port: local.port,
      ...(served === local ? {} : { servedUrl: served.url }),
      pid: process.pid,
      version,
      startedAt: new Date().toISOString(),
      givenTokens: (['agent', 'operator'] as const).filter((scope) => config[`${scope}Token`] !== undefined),
    });
    log.info({ url: served.url, local: local.url }, 'ready');
    startOverlay();
    if (config.hasIcon !== false) opened.defer(showIcon(overlay, host, local.url, log));
    const takeTokens = (given: readonly ChannelToken[]): Promise<void> =>
      tokens
        .give('service', channelTokens(given))
        .catch((error: unknown) => log.error({ err: error }, 'tokens of the service'));
    const reached = { url: local.url, key: Buffer.from(hostKey).toString('utf8') };
    return { host, http: served, local: reached, log, close, takeTokens };
  } catch (error) {
    await close('start failed');
    throw error;
  }
}

/** The administrator's policy for the whole machine; it can only narrow. Windows supplies its path, since the program that starts a host controls the environment. */
function machinePolicyPath(): string | null {
  const folder = knownFolder('programData');
  return folder === null ? null : join(folder, 'uiahost', 'policy.json');
}
