/** Composes the host: access → approvals → sessions → running. Each part gets those before it and none after it. */
import type { AuditEntryInput } from '../audit/entry.ts';
import { isSecretText } from '../policy/risk/content/content.ts';
import { RateLimit, PlainSessions } from './sessions/live-session.ts';
import { auditRefusals } from './access/refusal-log.ts';
import { PageSessions } from './access/page-sessions.ts';
import { createRedactor } from './access/recorded-input.ts';
import { AnswerSeal } from './access/sealed.ts';
import { Secrets } from './access/secret-service.ts';
import { SessionRights, Owners } from './running/owners.ts';
import { reportApprovals, Approvals } from './approvals/approval-service.ts';
import { askPermission, askLoosening, liftPause } from './approvals/ask-person.ts';
import { takeCardPicture } from './approvals/surface.ts';
import { buildCatalog } from './face/catalog.ts';
import { createRequestHash } from './face/request-hash.ts';
import { SessionStreams } from './face/session-stream.ts';
import { createOwnCall } from './home/own-call.ts';
import { createRecords } from './home/records.ts';
import type { HostParts, RunningHost } from './host-parts.ts';
import { assertNotStopped, createGateWorld, createHostServices } from './running/world.ts';
import { ActionLedger } from './running/ledger.ts';
import { measuredBy, observedBy } from './running/measured-runs.ts';
import { createOpenSessions } from './running/open-sessions.ts';
import { LiveRuns, type RunScope } from './running/run-scope.ts';
import { propose } from './running/proposals.ts';
import { endToken, quiesce, Stopping } from './running/stopping.ts';
import { RunReports, ActionRunner } from './running/runner.ts';
import { createStatus } from './running/status.ts';
import { SessionLifecycle } from './sessions/session-lifecycle.ts';
import { SessionReports } from './sessions/session-reports.ts';
import { Sessions } from './sessions/session-service.ts';

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
  const rights = new SessionRights(policy, parts.isProtectedProgram);
  const owners = new Owners(() => rights.create());

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
    observer: observedBy(new RunReports({ hub, sessions: reports, plainSessions }), measuredBy(parts.telemetry)),
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
    ...createOpenSessions({ ...common, live, owners, approvals, paused }),
    approvals,
    questions: parts.questions ?? null,
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
    policyChanged: () => rights.policyChanged(),
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
