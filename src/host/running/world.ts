/**
 * The world of one run: what the gate asks of the live desktop, again each time, for the window that was bound when the action
 * arrived, and the services of the host that actions use.
 */
import { toScreenPoint, type HostServices } from '../../actions/index.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { type ActionTarget, LOOKING, type ActionTraits } from '../../contract/gate/traits.ts';
import type { CallContext, Desktop, TargetSpec, Picture } from '../../desktop/index.ts';
import type { Answer, CardDraft, GateRecord, GateWorld, GatePassed, GateSession } from '../../policy/gate/index.ts';
import type { Secrets } from '../access/secret-service.ts';
import { ownerOf } from '../face/caller.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import { type DesktopControl, assertStillBound } from './owners.ts';
import type { ActionLedger } from './ledger.ts';
import type { RunScope, InnerRunner } from './run-scope.ts';
import { UiaHostError, toUiaHostError } from '../../contract/errors.ts';
import { runBatch, wouldAsk, type BatchParts } from './batch.ts';
import { propose } from './proposals.ts';
import { requestAccess, type AccessParts } from './request-access.ts';
import { LOOKER } from '../../contract/gate/looker.ts';
import type { DocumentStore } from '../../artifacts/document-store.ts';
import type { ImageArtifactStore } from '../../artifacts/types.ts';
import type { EventHub } from '../events/event-hub.ts';
import { isSessionId, type PlainSessions, type RateLimit } from '../sessions/live-session.ts';
import type { SessionReports } from '../sessions/session-reports.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { EmergencyStop } from '../approvals/emergency-stop.ts';
import type { SessionLifecycle } from '../sessions/session-lifecycle.ts';

/** A person who takes over needs some time. */
const PAUSED_RETRY_SECONDS = 30;

interface GateSessionParts {
  readonly lifecycle: SessionLifecycle;
  readonly plainSessions: PlainSessions;
  readonly rate: RateLimit;
  readonly stop: EmergencyStop;
  /** Agents that a person has paused, by TOKEN/SESSION. */
  readonly paused: ReadonlySet<string>;
  policy(): Policy;
}

/** Errors: session_not_found, session_ended. */
function gateSessionOf(parts: GateSessionParts, scope: RunScope): GateSession {
  const { caller } = scope;
  const assertLive = (): void => assertHostLive(parts, scope);
  const takeRate = (): void => {
    scope.counted = parts.rate.take(caller.tokenId, caller.session, parts.policy().limits.actionsPerMinute);
  };
  if (isSessionId(caller.session)) return parts.lifecycle.gateSession(caller, assertLive, takeRate);
  return {
    id: caller.session,
    tokenId: caller.tokenId,
    tokenLimits: caller.limits,
    urls: null,
    assertLive,
    takeAction: (changesSomething, isRecheck) => {
      parts.plainSessions.assertWithin(caller.tokenId, changesSomething);
      if (!isRecheck) takeRate();
    },
  };
}

/** Errors: stopped, user_active for an agent that a person has paused, and the reason of the run's own signal. */
function assertHostLive({ stop, paused }: GateSessionParts, { signal, state, caller }: RunScope): void {
  if (paused.has(state.owner) || paused.has(ownerOf(caller)) || paused.has(caller.tokenId))
    throw new UiaHostError('user_active', 'A person has paused this agent; nothing was delivered.', {
      hint: 'Wait until the person ends the pause, and look at the window again: it may have changed.',
      retryAfterSeconds: PAUSED_RETRY_SECONDS,
    });
  assertNotStopped(stop);
  if (signal.aborted) throw toUiaHostError(signal.reason);
}

/** Errors: stopped. */
export function assertNotStopped({ by }: GateSessionParts['stop']): void {
  if (by === null) return;
  throw new UiaHostError('stopped', `The emergency stop is on (by ${by}); nothing is delivered until it is released.`);
}

export interface GateWorldParts extends GateSessionParts {
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly approvals: Approvals;
  readonly ledger: ActionLedger;
  readonly secrets: Secrets;
}

export function createGateWorld(parts: GateWorldParts, scope: RunScope): GateWorld {
  const call = (): CallContext => ({
    owner: scope.state.owner,
    deadlineMs: scope.deadline.forCall(),
    signal: scope.signal,
    remoteControlMemory: parts.policy().remoteControlMemory,
    applications: { deny: parts.policy().deny, only: scope.caller.limits?.apps },
  });
  const isLook = scope.definition.effect === 'observe';

  const toScreen = ({ at, space, observationId }: Extract<ActionTarget, { kind: 'point' }>): Promise<Point> =>
    toScreenPoint(
      { observations: scope.observations, binding: scope.bound, desktop: parts.desktop, call: call() },
      at,
      space,
      observationId,
    );

  type Place = Extract<ActionTarget, { kind: 'point' | 'pointer' }>;
  const placeOf = (target: Place): Promise<Point | null> =>
    target.kind === 'point'
      ? toScreen(target)
      : parts.desktop.pointer.position(scope.bound, target.isReal ? 'foreground' : 'background', call());

  /** What is under a point of a window; null if unknown. */
  const underPoint = async (target: Place, window: BindingRecord | null): Promise<ElementContext | null> => {
    const at = await placeOf(target);
    return at === null || window === null ? null : parts.desktop.element.context(window, { kind: 'point', at }, call());
  };

  return {
    policy: parts.policy,
    session: gateSessionOf(parts, scope),
    grants: scope.state.grants,
    allowances: scope.state.allowances,
    left: scope.state.left,
    started: [...scope.state.started],
    signal: scope.signal,

    async binding(): Promise<BindingRecord | null> {
      assertStillBound(scope.state, scope.bound);
      if (scope.bound === null) return null;
      await parts.desktop.binding.verify(scope.bound, call());
      return scope.bound;
    },

    assertObservation(id) {
      scope.observations.get(id);
    },

    async windowOf(target, isForeground): Promise<BindingRecord | null> {
      if (target.kind === 'focus')
        return scope.bound === null || isForeground ? parts.desktop.binding.front(scope.bound, call()) : scope.bound;
      if (scope.bound !== null || (target.kind !== 'point' && target.kind !== 'pointer')) return scope.bound;
      const at = await placeOf(target);
      return at === null ? null : parts.desktop.binding.at(at, call());
    },

    async verify(window) {
      assertStillBound(scope.state, scope.bound);
      await parts.desktop.binding.verify(window, call());
    },

    async context(target, window): Promise<ElementContext | null> {
      if (target.kind === 'point' || target.kind === 'pointer') return underPoint(target, window);
      const record = window;
      if (record === null || target.kind === 'none' || target.kind === 'apps') return null;
      // Reading the whole window has no target element: its tree is not read twice.
      if (isLook && target.kind === 'window') return null;
      return parts.desktop.element.context(record, target, call());
    },

    cells: (aim, window) => parts.desktop.sheet.before(window, aim, call()),

    async appOf(target): Promise<AppIdentity | null> {
      if (target.kind === 'apps') {
        const name = target.names[0];
        return name === undefined ? null : parts.desktop.app.resolve(name, call());
      }
      if (scope.bound !== null) return scope.bound.app;
      return target.kind === 'none' ? null : parts.desktop.app.frontmost(call());
    },

    programsOf: (launch) => parts.desktop.terminal.programs(launch, call()),

    isForeignPath: (path) => parts.desktop.app.isForeign(path, call()),

    hashText: (text) => parts.ledger.hashText(text),

    clipboard: () => parts.desktop.clipboard.read(call()),

    heldKeys: () => parts.desktopControl.heldKeys(scope.state.owner),

    assertSecret: (ref, place) => parts.secrets.assertUsable(ref, place),

    ask(card: CardDraft, signal: AbortSignal): Promise<Answer> {
      return scope.whileAsking(() =>
        parts.approvals.ask(card, scope.caller.tokenId, signal, (approvalId) => scope.onPending(approvalId)),
      );
    },

    voidApproval: (approvalId) => parts.approvals.voidApproval(approvalId),

    record(step: GateRecord): Promise<void> {
      scope.onGate(step);
      return parts.ledger.gateRecord(step, scope.caller, isLook);
    },
  };
}

interface KeepPictureParts {
  readonly images: ImageArtifactStore;
  readonly hub: Pick<EventHub, 'publish'>;
  readonly sessions: SessionReports;
}

/** The artifact's URI; null if pictures are not kept, this one was quarantined, or a looker took it: two a second would fill the disk. */
async function keepPicture(
  { images, hub, sessions }: KeepPictureParts,
  { caller, actionId }: RunScope,
  picture: Picture,
  sourceTool: string,
): Promise<string | null> {
  if (caller.tokenId.startsWith(LOOKER)) return null;
  const stored = await images.put({
    data: picture.bytes,
    mimeType: picture.mimeType,
    sessionId: caller.session,
    actionId,
    sourceTool,
  });
  if (stored.status === 'quarantined')
    hub.publish('artifact.quarantined', { actionId, reason: stored.quarantined.reason });
  if (stored.status !== 'kept') return null;
  const { contentHash, width, height, uri } = stored.artifact;
  if (isSessionId(caller.session)) await sessions.onPicture(caller.session, contentHash, width, height);
  return uri;
}

interface KeepDocumentParts {
  readonly documents: DocumentStore;
  onFault(error: unknown, where: string): void;
}

/**
 * Where the document is served; null if it is not kept. With the action's id in it, its hash says nothing about its content:
 * it cannot be guessed from a few likely values.
 */
async function keepDocument(
  { documents, onFault }: KeepDocumentParts,
  { actionId }: Pick<RunScope, 'actionId'>,
  content: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  try {
    const kept = await documents.put(JSON.stringify({ actionId, ...content }));
    return kept === null ? null : `/v1/artifacts/${kept.contentHash}/content`;
  } catch (error) {
    onFault(error, 'keeping a document');
    return null;
  }
}

interface HostServiceParts extends BatchParts, AccessParts {
  readonly secrets: Secrets;
  readonly pictures: KeepPictureParts;
  readonly keeping: KeepDocumentParts;
}

export function createHostServices(
  parts: HostServiceParts,
  runner: InnerRunner,
  scope: RunScope,
  passed: GatePassed,
): HostServices {
  return {
    keepPicture: (picture, sourceTool) => keepPicture(parts.pictures, scope, picture, sourceTool),
    keepDocument: (content) => keepDocument(parts.keeping, scope, content),
    runBatch: (steps, approveAsPlan) => runBatch(parts, runner, scope, steps, approveAsPlan),
    wouldAsk: (steps) => wouldAsk(parts, runner, scope, steps),
    requestAccess: (request) => requestAccess(parts, scope, request),
    propose: (proposal) =>
      propose(runner, proposal, {
        caller: scope.caller,
        signal: scope.signal,
        outerId: scope.actionId,
        onPending: (approvalId) => scope.onPending(approvalId),
      }),
    async refusalToLook(allowedBundleIds) {
      const traits: ActionTraits = { ...LOOKING, binding: 'required', target: { kind: 'window' }, allowedBundleIds };
      const { decision, error } = await parts.gate.assess(
        { action: 'snapshot', actionId: scope.actionId, input: {}, traits, claims: null, planStep: null, secret: null },
        parts.worldFor(scope),
      );
      return decision === 'execute' ? null : (error?.code ?? 'permission_denied');
    },
    async shownOnDisplay(listed, call) {
      const windows = await parts.desktop.window.listVisible(call);
      const apps = [...new Map(windows.map(({ app }) => [app.bundleId, app])).values()];
      const shown = parts.gate.shownOnDisplay(listed, apps, parts.worldFor(scope));
      return shown?.map(({ bundleId }) => bundleId) ?? null;
    },
    secret: (ref) => readSecret(parts, scope, passed, ref),
    openedWindow(hwnd, pid) {
      if (passed.approvalId !== null) scope.state.grants.grantWindow(hwnd, pid, 'full');
    },
  };
}

/** For the window that was judged. The page may have changed since: its address and the field’s document are read again. */
async function readSecret(
  { desktop, secrets, policy }: HostServiceParts,
  { state, deadline, signal, caller }: RunScope,
  { app, binding, context }: GatePassed,
  ref: string,
): Promise<string> {
  if (app === null || binding === null)
    throw new UiaHostError('not_bound', 'A secret is typed into a bound window, and none is bound.');
  const target: TargetSpec = { kind: 'element', query: { ref: context?.element?.ref }, purpose: 'type' };
  const { remoteControlMemory, deny } = policy();
  const applications = { deny, only: caller.limits?.apps };
  const call = { owner: state.owner, deadlineMs: deadline.forCall(), signal, remoteControlMemory, applications };
  return secrets.read(ref, { app, context: await desktop.element.context(binding, target, call) });
}
