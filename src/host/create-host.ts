import type { ToolOutputSpool } from '../artifacts/spool.ts';
import type { ImageArtifactStore } from '../artifacts/types.ts';
import type { AuditEntryInput, AuditLog } from '../audit/entry.ts';
import type { WitnessState } from '../audit/witness.ts';
import { Redactor } from '../audit/redact.ts';
import { toUiaHostError, UiaHostError, type ErrorCode } from '../contract/errors.ts';
import type { ApprovalCard } from '../contract/approval.ts';
import type { OverlayFacts } from '../contract/doctor.ts';
import { screenRectToImage } from '../contract/coordinates.ts';
import { REQUEST_UI_ACTION } from '../contract/proposal.ts';
import type { ImageArtifact } from '../contract/artifact.ts';
import type { CallContext, Desktop, Picture, TargetSpec } from '../desktop/index.ts';
import { Allowances } from '../policy/rights/allowances.ts';
import { isDenied, type FileTrust } from '../contract/app-match.ts';
import type { CardDraft, Gate, GatePassed, GateSession, GateWorld } from '../policy/gate/index.ts';
import { isSecretText } from '../policy/risk/content.ts';
import { SessionGrants } from '../policy/rights/grants.ts';
import { Revocations } from '../policy/rights/revocations.ts';
import type { Store } from '../store/client.ts';
import { Approvals, type CardPicture, type Surface } from './approvals/approval-service.ts';
import { askLift, askLoosening, askRelease } from './approvals/ask-person.ts';
import { askPermission } from './approvals/ask-permission.ts';
import { ownerOf, type Caller } from './face/caller.ts';
import { buildCatalog } from './face/catalog.ts';
import { diagnose, diagnoseOverlay, diagnosePolicy, diagnoseWitness } from './home/doctor.ts';
import type { EmergencyStop } from './approvals/emergency-stop.ts';
import type { EventHub } from './events/event-hub.ts';
import { createGateWorld } from './running/gate-world.ts';
import type { Host, HostStatus, PolicyService } from './face/host.ts';
import { createHostServices, propose } from './running/host-services.ts';
import { ActionLedger } from './running/ledger.ts';
import { Owners } from './running/owners.ts';
import { RateLimit } from './access/rate-limit.ts';
import { RefusalLog } from './access/refusal-log.ts';
import { createRequestHash } from './face/request-hash.ts';
import type { RunScope } from './running/run-scope.ts';
import { ActionRunner, type RunObserver } from './running/runner.ts';
import { AnswerSeal } from './access/sealed.ts';
import { Secrets, type SecretVault } from './access/secret-service.ts';
import { PlainSessions } from './sessions/session-limits.ts';
import { Sessions } from './sessions/session-service.ts';
import { readSpooled } from './face/spooled.ts';
import type { Tokens } from './access/token-service.ts';

/** How the desktop's process stands, and the way to replace it when it does not let go. */
export interface DesktopControl {
  status(): HostStatus['worker'];
  restart(code: ErrorCode, reason: string): void;
  /** Canonical names of the keys that an owner holds down at present. */
  heldKeys(owner: string): readonly string[];
}

export interface HostParts {
  readonly version: string;
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly store: Store;
  readonly hub: EventHub;
  readonly audit: AuditLog;
  /** Whether what is reported of the audit outside of the data directory is kept there; left out by hosts that report nothing. */
  auditWitness?(): WitnessState;
  readonly images: ImageArtifactStore;
  readonly spool: ToolOutputSpool;
  readonly tokens: Tokens;
  readonly policy: PolicyService;
  readonly stop: EmergencyStop;
  readonly surfaces: readonly Surface[];
  /** How the overlay stands, for the doctor; left out by hosts without one. */
  overlay?(): OverlayFacts;
  readonly gate: Gate;
  /** Errors: invalid_argument or blocked_by_policy for addresses a session may not touch. */
  assertUrls(urls: readonly string[]): void;
  readonly vault: SecretVault;
  /** Whether administrators alone can write a program's file and its folders; where it is left out, its folder's name decides. */
  readonly isProtectedProgram?: FileTrust;
  /** Secret of the data directory, beside the database and not in it: key of what is hashed there. Left out, requests that come again after a restart are not known any more. */
  readonly requestKey?: Uint8Array;
  onFault(error: unknown, where: string): void;
}

/** A host with what only the composition root may use. */
export interface RunningHost extends Host {
  readonly hub: EventHub;
  readonly approvalService: Approvals;
  /** Asks a person whether the policy may become looser in these points. */
  askLoosening(points: readonly string[], by: string | null): Promise<boolean>;
  /** To be told of each change of the policy: what it takes away is taken from the sessions as well. */
  policyChanged(): void;
  /** Ends sessions, takes cards away and releases what is held. The parts are closed by whoever made them. */
  close(): Promise<void>;
}

const STATUS_MS = 400;
const STOP_MS = 120;

/** Puts the host together from its parts. */
export function createHost(parts: HostParts): RunningHost {
  const { hub } = parts;
  const revocations = new Revocations();
  const owners = new Owners(() => ({
    grants: new SessionGrants(policyNow, { revocations, isProtected: parts.isProtectedProgram }),
    allowances: new Allowances(undefined, revocations),
  }));
  const catalog = buildCatalog();
  const rate = new RateLimit();
  const requestHash = createRequestHash(parts.requestKey);
  const redactor = new Redactor({
    ...(parts.requestKey === undefined ? {} : { secret: parts.requestKey }),
    isSecret: isSecretText,
  });
  const seal = new AnswerSeal();
  const ledger = new ActionLedger(
    parts.store,
    parts.audit,
    async (hash) => (await parts.images.read(hash))?.bytes ?? null,
    requestHash,
    redactor,
    seal,
  );

  const policyNow = () => parts.policy.get().policy;
  let policyBefore = policyNow();
  const audit = (entry: AuditEntryInput): Promise<number> => parts.audit.append(entry).then((receipt) => receipt.seq);
  const fault =
    (where: string) =>
    (error: unknown): void =>
      parts.onFault(error, where);
  const freeCall = (owner: string, deadlineMs: number): CallContext => ({
    owner,
    deadlineMs,
    signal: new AbortController().signal,
    remoteControlMemory: policyNow().remoteControlMemory,
  });

  const secrets = new Secrets({ vault: parts.vault, audit });
  const refusals = new RefusalLog((refusal, times) => {
    void audit({
      kind: 'request',
      actor: { tokenId: refusal.tokenId, surface: refusal.surface },
      action: refusal.route,
      decision: 'refused',
      errorCode: refusal.code as ErrorCode,
      ...(times === 1 ? {} : { details: { times } }),
    }).catch(fault('audit of a refusal'));
  });

  const approvals = new Approvals(
    parts.store,
    {
      picture: (draft) => cardPicture(draft),
      onAsked: (card, address) => {
        hub.publish('approval.asked', { card });
        if (Sessions.isSessionId(card.sessionId)) {
          void sessions
            .onAsked(card.sessionId, {
              actionId: card.actionId,
              actionType: card.action,
              summary: card.summary,
              url: urlOf(card.app, address),
            })
            .catch(fault('session stream'));
        }
      },
      onSettled: (card) => {
        hub.publish('approval.settled', { card });
        void settleInSession(card).catch(fault('session stream'));
      },
      onSeen: (card) => hub.publish('approval.seen', { card }),
      onPause: (pause, by) => {
        hub.publish('approval.paused', { pause });
        void audit({
          kind: 'approval',
          actor: { tokenId: null, surface: 'host' },
          action: 'asks.paused',
          why: [`by ${by}`],
          details: { ...pause },
        }).catch(fault('audit of a pause'));
      },
      onLifted: (owner, by) => {
        hub.publish('approval.lifted', { owner });
        void audit({
          kind: 'approval',
          actor: { tokenId: null, surface: 'host' },
          action: 'asks.lifted',
          why: [`by ${by}`],
          details: { owner },
        }).catch(fault('audit of a pause'));
      },
    },
    () => policyNow().approvals.surfaces,
    (given) => redactor.input(given),
  );
  for (const surface of parts.surfaces) approvals.addSurface(surface);

  const settleInSession = async (card: ApprovalCard): Promise<void> => {
    if (!Sessions.isSessionId(card.sessionId) || card.status === 'void') return;
    await sessions.onResolved(
      card.sessionId,
      card.actionId,
      card.status === 'approved' ? 'approve' : 'deny',
      card.status === 'denied' || card.status === 'expired',
    );
  };

  /** A picture of the bound window for the card; a card without one is still a card. */
  const cardPicture = async (draft: CardDraft): Promise<CardPicture | null> => {
    if (draft.window === null) return null;
    const bound = owners.bound().find((state) => state.binding?.hwnd === draft.window?.hwnd)?.binding;
    if (bound === null || bound === undefined) return null;
    try {
      const picture = await parts.desktop.capture.window(
        bound,
        { format: 'png', deny: policyNow().deny },
        freeCall('approvals', 1500),
      );
      const kept = await parts.images.put({
        data: picture.bytes,
        mimeType: picture.mimeType,
        actionId: draft.actionId,
        sessionId: draft.sessionId,
        sourceTool: 'approval',
      });
      return {
        url: kept.status === 'kept' ? `/v1/artifacts/${kept.artifact.contentHash}/content` : null,
        bytes: picture.bytes,
        outline: draft.outline === null ? null : screenRectToImage(picture.geometry, draft.outline),
      };
    } catch (error) {
      fault('picture of a card')(error);
      return null;
    }
  };

  const sessions = new Sessions({
    store: parts.store,
    approvals,
    requestHash,
    seal,
    limits: () => policyNow().limits,
    assertUrls: parts.assertUrls,
    quiesce: async (tokenIds, sessionId, error) => {
      runner.abortAll(error, (caller) => caller.session === sessionId);
      await Promise.all(
        [...tokenIds].map(async (tokenId) => {
          const owner = `${tokenId}/${sessionId}`;
          await parts.desktop.binding
            .release(null, freeCall(owner, 2000))
            .catch(fault('release at the end of a session'));
          owners.forget(owner);
          approvals.sessionEnded(owner);
        }),
      );
    },
    propose: (caller, proposal, options) => propose(runner, caller, proposal, options),
    audit: (what, sessionId, tokenId, details) =>
      audit({ kind: 'session', actor: { tokenId, surface: 'host' }, sessionId, action: what, details }),
    publish: (type, fields) => hub.publish(type, fields),
    onFault: parts.onFault,
  });

  const assertNotStopped = (): void => {
    if (parts.stop.by !== null)
      throw new UiaHostError(
        'stopped',
        `The emergency stop is on (by ${parts.stop.by}); nothing is delivered until it is released.`,
      );
  };

  const plainSessions = new PlainSessions(() => policyNow().limits);
  const gateSession = (scope: RunScope): GateSession => {
    const { caller } = scope;
    const assertHostLive = (): void => {
      if (scope.definition.effect !== 'observe' || parts.stop.by !== null) assertNotStopped();
      if (scope.signal.aborted) throw toUiaHostError(scope.signal.reason);
    };
    const takeRate = (): void => rate.take(caller.tokenId, policyNow().limits.actionsPerMinute);
    if (Sessions.isSessionId(caller.session)) return sessions.gateSession(caller, assertHostLive, takeRate);
    return {
      id: caller.session,
      tokenId: caller.tokenId,
      tokenLimits: caller.limits,
      urls: null,
      assertLive: assertHostLive,
      takeAction: (changesSomething, isRecheck) => {
        plainSessions.assertWithin(scope.state.owner, changesSomething);
        if (!isRecheck) takeRate();
      },
    };
  };

  const keepPicture = async (scope: RunScope, picture: Picture, sourceTool: string): Promise<string | null> => {
    const stored = await parts.images.put({
      data: picture.bytes,
      mimeType: picture.mimeType,
      sessionId: scope.caller.session,
      actionId: scope.actionId,
      sourceTool,
    });
    if (stored.status === 'quarantined') {
      hub.publish('artifact.quarantined', { actionId: scope.actionId, reason: stored.quarantined.reason });
      return null;
    }
    if (stored.status !== 'kept') return null;
    if (Sessions.isSessionId(scope.caller.session)) {
      await sessions.onPicture(
        scope.caller.session,
        stored.artifact.contentHash,
        stored.artifact.width,
        stored.artifact.height,
      );
    }
    return stored.artifact.uri;
  };

  const worldFor = (scope: RunScope): GateWorld =>
    createGateWorld(
      {
        desktop: parts.desktop,
        approvals,
        ledger,
        policy: policyNow,
        session: gateSession,
        heldKeys: (owner) => parts.desktopControl.heldKeys(owner),
        assertSecret: (ref, place) => secrets.assertUsable(ref, place),
      },
      scope,
    );

  const toolOf = (scope: RunScope) => ({
    actionId: scope.actionId,
    action: scope.definition.method,
    sessionId: scope.caller.session,
  });
  const observer: RunObserver = {
    onBegin: (scope) => hub.publish('tool.start', toolOf(scope)),
    onProgress: (scope, progress) => hub.publish('tool.progress', { ...toolOf(scope), ...progress }),
    async onStart(scope, passed, traits) {
      hub.publish('tool.progress', { ...toolOf(scope), stage: 'running', riskLevel: passed.decision.riskLevel });
      // A proposal executes nothing itself: the stream shows what it leads to.
      if (scope.definition.method === REQUEST_UI_ACTION) return;
      if (!Sessions.isSessionId(scope.caller.session)) {
        if (traits.changesSomething) plainSessions.count(scope.state.owner);
        return;
      }
      await sessions.onAction(scope.caller.session, {
        actionId: scope.actionId,
        actionType: scope.definition.method,
        riskLevel: passed.decision.riskLevel,
        url: urlOf(passed.app, passed.context?.address ?? null),
        summary: summaryOf(scope, passed),
        changesSomething: traits.changesSomething,
      });
    },
    async onEnd(scope, end) {
      hub.publish('tool.end', {
        ...toolOf(scope),
        ...('result' in end
          ? { ok: true, effect: end.result.outcome.effect, durationMs: end.result.durationMs }
          : { ok: false, code: end.error.code }),
      });
      if ('error' in end && Sessions.isSessionId(scope.caller.session))
        await sessions.onError(scope.caller.session, end.error);
    },
  };

  const runner: ActionRunner = new ActionRunner({
    desktop: parts.desktop,
    owners,
    catalog,
    ledger,
    policy: policyNow,
    gate: parts.gate,
    worldFor,
    servicesFor: (scope, passed) =>
      createHostServices(
        {
          desktop: parts.desktop,
          gate: parts.gate,
          approvals,
          runner: () => runner,
          policy: policyNow,
          world: worldFor,
          keepPicture,
          secret: async (_scope, ref) => {
            const { app, binding, context } = passed;
            if (app === null || binding === null)
              throw new UiaHostError('not_bound', 'A secret is typed into a bound window, and none is bound.');
            // The page may be another one by now: its address and the field’s own document are read once more.
            const target: TargetSpec = { kind: 'element', query: { ref: context?.element?.ref }, purpose: 'type' };
            const call = { ...freeCall(scope.state.owner, scope.deadline.forCall()), signal: scope.signal };
            return secrets.read(ref, { app, context: await parts.desktop.element.context(binding, target, call) });
          },
          recordAccess: async (_scope, what) => {
            await audit({
              kind: 'grant',
              actor: { tokenId: scope.caller.tokenId, surface: scope.caller.surface },
              sessionId: scope.caller.session,
              actionId: scope.actionId,
              action: 'access.requested',
              details: { ...what },
            });
          },
        },
        scope,
        passed,
      ),
    observer,
    onFault: parts.onFault,
  });

  const status = async (caller: Caller): Promise<HostStatus> => {
    const state = owners.of(ownerOf(caller));
    const call = freeCall(state.owner, STATUS_MS);
    const [described, facts, capabilities] = await Promise.all([
      state.binding === null ? null : within(parts.desktop.binding.describe(state.binding, call)),
      within(parts.desktop.system.facts(state.binding, call)),
      within(parts.desktop.system.capabilities(call)),
    ]);
    const binding =
      state.binding === null
        ? { bound: false }
        : {
            bound: described !== undefined && described !== null,
            hwnd: state.binding.hwnd,
            title: isDenied(state.binding.app, policyNow().deny) ? '' : (described?.title ?? state.binding.title),
            pid: state.binding.pid,
          };
    const findings = [
      ...(facts === undefined
        ? [
            {
              code: 'worker_silent',
              message: 'The desktop worker does not answer at the moment.',
              cure: 'It is replaced by itself; look again.',
            },
          ]
        : [...diagnose(facts), ...(parts.overlay === undefined ? [] : diagnoseOverlay(parts.overlay()))]),
      ...diagnosePolicy(parts.policy.disbelieved ?? null),
      ...diagnoseWitness(parts.auditWitness?.() ?? 'waiting'),
    ].map(({ code, message, cure }) => ({ code, message, cure }));
    return {
      binding,
      level: policyNow().level,
      stopped: parts.stop.by !== null,
      capabilities: { platform: 'win32', screenshotFiltering: 'none', ...capabilities },
      doctor: findings,
      worker: parts.desktopControl.status(),
      version: parts.version,
    };
  };

  return {
    version: parts.version,
    catalog,
    runner,
    approvals,
    approvalService: approvals,
    policy: parts.policy,
    tokens: parts.tokens,
    secrets,
    sessions,
    hub,
    status,

    policyChanged() {
      revocations.follow(policyBefore, policyNow());
      policyBefore = policyNow();
    },

    askLoosening: (points, by) => askLoosening({ approvals, policy: policyNow, audit }, points, by),
    askPermission: (caller, request, signal) =>
      askPermission(
        { approvals, policy: policyNow, isStopped: () => parts.stop.by !== null, audit },
        caller,
        request,
        signal,
      ),

    async liftPause(owner, by) {
      // As with the emergency stop: whoever can read a token file does not undo what a person has denied.
      if (
        approvals.pauses().some((pause) => pause.owner === owner || pause.owner.startsWith(`${owner}/`)) &&
        !policyNow().approvals.surfaces.includes('api')
      ) {
        await askLift({ approvals, policy: policyNow, audit }, owner, by);
      }
      approvals.lift(owner, by);
    },

    async stop(by) {
      const kept = parts.stop.press(by);
      // Waited for below: everything else must happen whether it can be written or not.
      kept.catch(fault('emergency stop'));
      runner.abortAll(new UiaHostError('stopped', `The emergency stop was pressed (${by}).`, { delivery: 'unknown' }));
      // What does not let go in time is killed with everything it has under way.
      const isReleased =
        (await within(
          parts.desktop.keyboard.releaseAll(freeCall('stop', STOP_MS)).then(() => true),
          STOP_MS,
        )) === true;
      if (!isReleased) parts.desktopControl.restart('stopped', 'The emergency stop replaced the desktop worker.');
      const [sessionsAborted] = await Promise.all([
        sessions.endAll('aborted', `Emergency stop (${by}).`),
        approvals.cancelAll(`emergency stop (${by})`),
        audit({
          kind: 'stop',
          actor: { tokenId: by, surface: 'host' },
          action: 'stop.pressed',
          details: { isReleased },
        }),
      ]);
      owners.revokeAll();
      hub.publish('stop', { stopped: true, by });
      await kept;
      return { stopped: true, heldReleased: isReleased, sessionsAborted };
    },

    async resume(by) {
      // Where the operator's token decides nothing, it does not release what a person has stopped either.
      if (parts.stop.by !== null && !policyNow().approvals.surfaces.includes('api'))
        await askRelease({ approvals, policy: policyNow, audit }, parts.stop.by, by);
      await audit({ kind: 'stop', actor: { tokenId: by, surface: 'host' }, action: 'stop.released' });
      // An answer that was on its way when the stop came may have given something after it.
      owners.revokeAll();
      await parts.stop.release();
      hub.publish('stop', { stopped: false, by });
      return { stopped: false };
    },

    async artifact(sha256): Promise<ImageArtifact> {
      const found = await parts.images.get(sha256);
      if (found === null) throw new UiaHostError('artifact_not_found', `There is no artifact ${sha256}.`);
      return found;
    },

    spoolOutput: async (content, context) => (await parts.spool.spool(content, context)).content,

    spooled: (caller, spoolId) => readSpooled(parts.spool, caller, spoolId),

    async artifactContent(sha256) {
      const found = await parts.images.read(sha256);
      if (found === null) throw new UiaHostError('artifact_not_found', `There is no artifact ${sha256}.`);
      return { bytes: found.bytes, mimeType: found.artifact.mimeType };
    },

    async auditEntries(after, limit) {
      return parts.audit.read({ after, limit });
    },

    async auditVerify() {
      const verdict = await parts.audit.verify();
      return {
        ok: verdict.ok,
        records: verdict.records,
        head: verdict.head?.hash ?? '',
        firstBad: verdict.firstBad,
        sealsCheckedFrom: verdict.sealsCheckedFrom,
      };
    },

    events: (after, signal) => hub.read(after, signal),

    recordRefusal: (refusal) => refusals.add(refusal),

    async close() {
      refusals.flush();
      runner.abortAll(new UiaHostError('cancelled', 'The host is ending.', { delivery: 'unknown' }));
      await sessions.close();
      await approvals.cancelAll('host ending');
      await within(parts.desktop.keyboard.releaseAll(freeCall('stop', 1000)), 1000);
      await audit({ kind: 'host', actor: { tokenId: null, surface: 'host' }, action: 'host.ended' }).catch(
        fault('audit at the end'),
      );
    },
  };
}

/** Its value, or undefined when it fails or takes longer. */
async function within<T>(promise: Promise<T>, ms: number = STATUS_MS): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** What a stream's `url` says: the page where it is known, else the program. */
function urlOf(app: { readonly bundleId: string } | null, address: string | null): string | null {
  return address ?? (app === null ? null : `app:${encodeURIComponent(app.bundleId)}`);
}

/** What a stream tells of an action: its name and the target's role and name, never typed text. */
function summaryOf(scope: RunScope, passed: GatePassed): string {
  const element = passed.context?.element;
  const target =
    element === null || element === undefined ? '' : ` on ${element.controlType} ${JSON.stringify(element.name)}`;
  return `${scope.definition.method}${target}`;
}
