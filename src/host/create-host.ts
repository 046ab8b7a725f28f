/** Composes the host: access → approvals → sessions → running. Each part gets those before it and none after it. */
import type { DocumentStore } from '../artifacts/document-store.ts';
import type { ToolOutputSpool } from '../artifacts/spool.ts';
import type { ImageArtifactStore } from '../artifacts/types.ts';
import type { AuditEntryInput, AuditLog } from '../audit/entry.ts';
import type { WitnessState } from '../audit/anchor.ts';
import type { BindingRecord } from '../contract/element/binding.ts';
import type { FileTrust } from '../contract/gate/app-match.ts';
import type { DoctorFinding, OverlayFacts } from '../contract/process/doctor.ts';
import type { SessionChange } from '../contract/process/service-channel.ts';
import type { ActionOf, Desktop } from '../desktop/index.ts';
import type { Gate } from '../policy/gate/index.ts';
import { isSecretText } from '../policy/risk/content/content.ts';
import type { Store } from '../store/client.ts';
import { PageSessions } from './access/page-sessions.ts';
import { createRedactor } from './access/recorded-input.ts';
import { auditRefusals } from './access/refusal-log.ts';
import { AnswerSeal } from './access/sealed.ts';
import { Secrets, type SecretVault } from './access/secret-service.ts';
import type { Tokens } from './access/token-service.ts';
import { Approvals, reportApprovals } from './approvals/approval-service.ts';
import { askLoosening, askPermission, liftPause } from './approvals/ask-person.ts';
import type { EmergencyStop } from './approvals/emergency-stop.ts';
import type { Readers } from '../policy/risk/content/keyboard.ts';
import { type Surface, takeCardPicture } from './approvals/surface.ts';
import type { EventHub } from './events/event-hub.ts';
import { buildCatalog } from './face/catalog.ts';
import type { MachineNames } from '../contract/gate/views.ts';
import type { Host, PolicyService } from './face/host.ts';
import type { HostActivity, HostGauges, Meter } from './face/meter.ts';
import { createRequestHash } from './face/request-hash.ts';
import { SessionStreams } from './face/session-stream.ts';
import { createOwnCall } from './home/own-call.ts';
import { createRecords } from './home/records.ts';
import { ActionLedger } from './running/ledger.ts';
import { measuredBy, observedBy } from './running/run-scope.ts';
import { createOpenSessions, createStatus } from './running/status.ts';
import { type DesktopControl, Owners, sessionRights } from './running/owners.ts';
import { propose } from './running/proposals.ts';
import { LiveRuns, type RunScope } from './running/run-scope.ts';
import { ActionRunner, reportRuns } from './running/runner.ts';
import { endToken, quiesce, Stopping } from './running/stopping.ts';
import { assertNotStopped, createGateWorld, createHostServices } from './running/world.ts';
import { PlainSessions, RateLimit } from './sessions/live-session.ts';
import { SessionLifecycle } from './sessions/session-lifecycle.ts';
import { SessionReports } from './sessions/session-reports.ts';
import { Sessions } from './sessions/session-service.ts';

interface HostParts {
  readonly version: string;
  /** Identifies the data directory. */
  readonly storeId: string;
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly store: Store;
  readonly hub: EventHub;
  readonly audit: AuditLog;
  /** Whether reports about the audit are kept outside the data directory; absent in hosts that report nothing. */
  auditWitness?(): WitnessState;
  /** What the host sees of its own files and disk, for the doctor. */
  ownFindings?(): readonly DoctorFinding[];
  readonly images: ImageArtifactStore;
  readonly documents: DocumentStore;
  readonly spool: ToolOutputSpool;
  readonly tokens: Tokens;
  readonly policy: PolicyService;
  readonly gate: Gate;
  readonly stop: EmergencyStop;
  /** Agents that were given text to read; default: kept in memory alone. */
  readonly readers?: Readers;
  readonly surfaces: readonly Surface[];
  /** The overlay's state, for the doctor; absent in hosts without one. */
  overlay?(): OverlayFacts;
  /** Errors: invalid_argument or blocked_by_policy for addresses that a session may not touch. */
  assertUrls(urls: readonly string[]): void;
  readonly vault: SecretVault;
  /** Whether only administrators can write a program's file and its folders. Without it the folder's name decides. */
  readonly isProtectedProgram?: FileTrust;
  /**
   * The key of hashes in the database, kept outside it. Without it, repeated requests are not recognised after a
   * restart.
   */
  readonly requestKey?: Uint8Array;
  /** Where the host runs; absent in hosts without Windows. */
  machine?(): MachineNames;
  /** Metrics; absent in hosts that measure nothing. */
  readonly telemetry?: { meter(): Meter | null; metrics(): Promise<string> };
  onFault(error: unknown, where: string): void;
}

/** A host, and what only the composition root may use. */
export interface RunningHost extends Host {
  readonly hub: EventHub;
  readonly approvalService: Approvals;
  /** Facts of the host itself, for metrics. */
  gauges(): Promise<HostGauges>;
  activity(): HostActivity;
  undone(action: ActionOf): void;
  /** The windows that sessions have bound at present. */
  bound(): readonly BindingRecord[];
  /** Asks a person whether the policy may become looser in these points; `unseen`: in a data directory that was not used before. */
  askLoosening(points: readonly string[], by: string | null, why: 'change' | 'unseen'): Promise<boolean>;
  /** Call it after each change of the policy: sessions lose the rights that it no longer allows. */
  policyChanged(): void;
  /** The user's session or the machine has changed: where no person can see it, nothing stays held down. */
  sessionChanged(change: SessionChange): Promise<void>;
  /** Ends sessions, withdraws cards and releases held input. The creator of the parts closes them. */
  close(): Promise<void>;
}

/** The second record of an action whose effect did not stay, without a text. */
function noteUndone({ audit, hub, onFault }: HostParts, { owner, actionId }: ActionOf): void {
  const [tokenId = null, sessionId = null] = owner.split('/');
  const entry = { actor: { tokenId, surface: 'host' }, sessionId, outcome: { later: 'changed' } };
  audit
    .append({ kind: 'outcome', actionId: actionId ?? null, ...entry })
    .catch((error: unknown) => onFault(error, 'audit of a later change'));
  hub.publish('undone', { actionId, sessionId, owner });
}

export function createHost(parts: HostParts): RunningHost {
  const { version, desktop, desktopControl, store, hub, images, tokens, gate, stop, onFault, documents } = parts;
  const policy = () => parts.policy.get().policy;
  const audit = async (entry: AuditEntryInput): Promise<number> => (await parts.audit.append(entry)).seq;
  const endOf = (tokenId: string): AbortSignal => tokens.endOf(tokenId);
  /** What most parts need. */
  const common = { desktop, hub, policy, audit, endOf, ownCall: createOwnCall(policy), onFault };

  // Access: what is recorded and how, and the rights of sessions.
  const requestHash = createRequestHash(parts.requestKey);
  const secret = parts.requestKey === undefined ? {} : { secret: parts.requestKey };
  const redactor = createRedactor({ ...secret, isSecret: isSecretText });
  const seal = new AnswerSeal();
  const secrets = new Secrets({ vault: parts.vault, audit });
  const refusals = auditRefusals(audit, onFault);
  const rights = sessionRights(policy, parts.isProtectedProgram);
  const owners = new Owners(rights.create, undefined, parts.readers);

  // Approvals. The streams follow cards through their events.
  const boundTo = (hwnd: string) => owners.bound().find(({ binding }) => binding?.hwnd === hwnd)?.binding ?? null;
  const approvals = new Approvals({
    store,
    surfaces: parts.surfaces,
    allowedSurfaces: () => policy().approvals.surfaces,
    tokens,
    picture: (draft) => takeCardPicture({ ...common, images, boundTo }, draft),
    recorded: (action, given, chosen) => redactor.recorded(action, given, chosen),
  });
  reportApprovals(approvals, common);
  const askParts = { ...common, approvals, isStopped: () => stop.by !== null };

  // Sessions.
  const live = new LiveRuns(endOf);
  const streams = new SessionStreams(store);
  const limits = () => policy().limits;
  const plainSessions = new PlainSessions(limits);
  const lifecycle = new SessionLifecycle({
    ...common,
    store,
    streams,
    approvals,
    limits,
    quiesce: (tokenIds, sessionId, error) =>
      quiesce({ ...common, live, owners, approvals }, tokenIds, sessionId, error),
    audit: (action, { id, tokenId }, details) =>
      audit({ kind: 'session', actor: { tokenId, surface: 'host' }, sessionId: id, action, details }),
  });
  const reports = new SessionReports({ store, streams, lifecycle, onFault });
  reports.follow(approvals);

  // Running.
  const catalog = buildCatalog();
  const readPicture = async (hash: string) => (await images.read(hash))?.bytes ?? null;
  const ledger = new ActionLedger({ store, audit: parts.audit, readPicture, requestHash, redactor, seal });
  const paused = new Set<string>();
  const sessionParts = { policy, stop, paused, lifecycle, plainSessions, rate: new RateLimit() };
  const worldParts = { ...common, ...sessionParts, desktopControl, approvals, ledger, secrets };
  const worldFor = (scope: RunScope) => createGateWorld(worldParts, scope);
  const pictures = { images, hub, sessions: reports };
  const serviceParts = { ...common, gate, approvals, secrets, worldFor, pictures, keeping: { documents, onFault } };
  const runner = new ActionRunner({
    ...common,
    owners,
    catalog,
    live,
    ledger,
    gate,
    worldFor,
    observer: observedBy(reportRuns({ hub, sessions: reports, plainSessions }), measuredBy(parts.telemetry)),
    servicesFor: (inner, scope, passed) => createHostServices(serviceParts, inner, scope, passed),
  });
  const sessions = new Sessions({
    store,
    streams,
    lifecycle,
    approvals,
    hub,
    requestHash,
    seal,
    onFault,
    assertUrls: parts.assertUrls,
    assertNotStopped: () => assertNotStopped(stop),
    propose: (caller, proposal, options) => propose(runner, proposal, { ...options, caller, outerId: null }),
  });
  tokens.onEnd((tokenId, error) => endToken({ ...common, live, owners, approvals, lifecycle }, tokenId, error));
  const stopping = new Stopping({ ...common, desktopControl, stop, live, owners, approvals, lifecycle });
  const unfollow = stopping.followUser();
  return {
    ...createRecords(parts),
    ...createStatus({ ...parts, ...common, policy: parts.policy, owners, live, approvals }),
    version,
    catalog,
    runner,
    undone: (action) => noteUndone(parts, action),
    ...createOpenSessions({ ...common, live, owners, approvals, paused }),
    approvals,
    approvalService: approvals,
    bound: () => owners.bound().flatMap(({ binding }) => binding ?? []),
    policy: parts.policy,
    tokens,
    secrets,
    pages: new PageSessions(tokens),
    sessions,
    hub,
    events: (after, signal) => hub.read(after, signal),
    recordRefusal: (refusal) => refusals.add(refusal),
    policyChanged: rights.policyChanged,
    askLoosening: (points, by, why) => askLoosening(askParts, points, by, why),
    askPermission: (caller, request, signal) => askPermission(askParts, caller, request, signal),
    liftPause: (owner, by) => liftPause(askParts, owner, by),
    stop: (by) => stopping.stop(by),
    sessionChanged: (change) => stopping.sessionChanged(change),
    resume: (by) => stopping.resume(by),
    async close() {
      unfollow();
      refusals.flush();
      await stopping.close();
    },
  };
}
