/** The host's status for one caller: binding, level, capabilities, and what the doctor finds; what is measured of the host, its open sessions, and its state in one word. */
import { hostname } from 'node:os';
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { WitnessState } from '../../audit/anchor.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import { LOOKER } from '../../contract/gate/looker.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { HostStatus, MachineNames, OpenSession } from '../../contract/gate/views.ts';
import type { DoctorFinding, OverlayFacts, SessionFacts } from '../../contract/process/doctor.ts';
import type { HostState } from '../../contract/gate/session-status.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { EmergencyStop } from '../approvals/emergency-stop.ts';
import type { EventHub } from '../events/event-hub.ts';
import { type Caller, ownerOf } from '../face/caller.ts';
import type { Host, PolicyService, Readiness } from '../face/host.ts';
import type { HostActivity, HostGauges } from '../face/meter.ts';
import { diagnose, diagnoseDpi, diagnoseOverlay, diagnosePolicy, diagnoseWitness } from '../home/doctor.ts';
import { type OwnCall, valueWithin } from '../home/own-call.ts';
import type { DesktopControl, Owners } from './owners.ts';
import type { LiveRuns } from './run-scope.ts';
import type { QuiesceParts } from './stopping.ts';

interface StatusParts {
  readonly version: string;
  readonly storeId: string;
  readonly desktop: Desktop;
  readonly desktopControl: DesktopControl;
  readonly policy: PolicyService;
  readonly stop: EmergencyStop;
  readonly owners: Owners;
  readonly ownCall: OwnCall;
  overlay?(): OverlayFacts;
  auditWitness?(): WitnessState;
  machine?(): MachineNames;
  readonly telemetry?: { metrics(): Promise<string> };
  readonly live: LiveRuns;
  readonly approvals: Approvals;
  /** What the host sees of its own files and disk. */
  ownFindings?(): readonly DoctorFinding[];
}

/** The status never waits longer than this for the desktop. */
const STATUS_MS = 400;

async function statusOf(parts: StatusParts, caller: Caller): Promise<HostStatus> {
  const { desktop, policy } = parts;
  const { owner, binding } = parts.owners.of(ownerOf(caller));
  const call = parts.ownCall(owner, STATUS_MS);
  const [described, facts, capabilities] = await Promise.all([
    binding === null ? null : valueWithin(desktop.binding.describe(binding, call), STATUS_MS),
    valueWithin(desktop.system.facts(binding, call), STATUS_MS),
    valueWithin(desktop.system.capabilities(call), STATUS_MS),
  ]);
  const { level, deny } = policy.get().policy;
  return {
    binding:
      binding === null
        ? { bound: false }
        : {
            bound: described !== undefined && described !== null,
            hwnd: binding.hwnd,
            title: isDenied(binding.app, deny) ? '' : (described?.title ?? binding.title),
            pid: binding.pid,
          },
    level,
    stopped: parts.stop.by !== null,
    capabilities: { platform: 'win32', screenshotFiltering: 'native', ...capabilities },
    doctor: [...findingsOf(parts, facts), ...diagnoseDpi(capabilities?.['perMonitorDpi'] !== false)],
    worker: parts.desktopControl.status(),
    version: parts.version,
    machine: parts.machine?.() ?? { name: hostname(), user: '', session: null },
    pid: process.pid,
    startedAt: STARTED.toISOString(),
    uptimeSeconds: Math.round(process.uptime()),
    storeId: parts.storeId,
  };
}

const STARTED = new Date(Date.now() - process.uptime() * 1000);

/** A caller without a token, which has bound nothing. */
const NO_CALLER: Caller = { tokenId: 'host', scope: 'agent', session: 'readiness', limits: null, surface: 'http' };
/** Anyone may ask, so the desktop is not asked each time. */
const READINESS_MS = 1000;

/** Whether an action could run: nothing that the doctor sees blocks, and no person has stopped the host. */
function readinessOf(parts: StatusParts): () => Promise<Readiness> {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | null = null;
  const look = async (): Promise<Readiness> => {
    const { doctor, worker, stopped, level } = await statusOf(parts, NO_CALLER);
    const reasons = [
      ...(stopped ? ['stopped'] : []),
      ...(level === 'disabled' ? ['disabled'] : []),
      ...(worker.state === 'ready' ? [] : [`worker_${worker.state}`]),
      ...doctor.filter(({ severity }) => severity === 'blocks').map(({ code }) => code),
    ];
    return { ready: reasons.length === 0, reasons };
  };
  return () => {
    if (last === null || performance.now() - last.at > READINESS_MS) last = { at: performance.now(), answer: look() };
    return last.answer;
  };
}

/** What the host knows by itself: no worker is asked. */
const activityOf = ({ stop, live, approvals }: StatusParts): HostActivity => ({
  stopped: stop.by !== null,
  actionsRunning: live.size,
  approvalsPending: approvals.pendingCount,
});

async function gaugesOf(parts: StatusParts, readiness: () => Promise<Readiness>): Promise<HostGauges> {
  const { restarts, further } = parts.desktopControl.status();
  return {
    ...activityOf(parts),
    ready: (await readiness()).ready,
    policyRefused: parts.policy.flaws?.refused.length ?? 0,
    workers: 1 + further.length,
    workerRestarts: restarts + further.reduce((sum, each) => sum + each.restarts, 0),
    windowsBound: parts.owners.bound().length,
    uptimeSeconds: process.uptime(),
    residentBytes: process.memoryUsage.rss(),
  };
}

export function createStatus(
  parts: StatusParts,
): Pick<Host, 'status' | 'readiness' | 'metrics'> & { gauges(): Promise<HostGauges>; activity(): HostActivity } {
  const readiness = readinessOf(parts);
  return {
    status: (caller) => statusOf(parts, caller),
    readiness,
    gauges: () => gaugesOf(parts, readiness),
    activity: () => activityOf(parts),
    async metrics() {
      if (parts.telemetry === undefined) throw new UiaHostError('unsupported', 'This host measures nothing.');
      return parts.telemetry.metrics();
    },
  };
}

/** `facts` is undefined if the worker did not answer in time. */
function findingsOf(parts: StatusParts, facts: SessionFacts | undefined): DoctorFinding[] {
  const ofDesktop: DoctorFinding[] =
    facts === undefined
      ? [
          {
            code: 'worker_silent',
            severity: 'blocks',
            message: 'The desktop worker does not answer at the moment.',
            cure: 'The host replaces it; check the status again.',
          },
        ]
      : [...diagnose(facts), ...(parts.overlay === undefined ? [] : diagnoseOverlay(parts.overlay()))];
  return [
    ...ofDesktop,
    ...diagnosePolicy(parts.policy.flaws),
    ...(parts.ownFindings?.() ?? []),
    ...diagnoseWitness(parts.auditWitness?.() ?? 'waiting'),
  ];
}

interface OpenSessionsParts extends QuiesceParts {
  /** Agents that a person has paused. */
  readonly paused: Set<string>;
  readonly hub: Pick<EventHub, 'publish'>;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

/** Who has a session open now, in which window, waiting for which card; and their pauses. */
export const createOpenSessions = (parts: OpenSessionsParts): Pick<Host, 'openSessions' | 'pause'> => ({
  openSessions: (withQuiet = false) => openSessions(parts, withQuiet),
  pause: (owner, isPaused, by) => pause(parts, owner, isPaused, by),
});

/** A session that neither acts nor waits for this long has ended, as far as a person can see; its next action opens it again. */
const QUIET_MS = 30 * 60_000;

/** A title is that of the time when the window was bound; that of a denied program is empty. */
async function openSessions(
  { owners, approvals, policy, paused }: OpenSessionsParts,
  withQuiet: boolean,
): Promise<OpenSession[]> {
  const { deny } = policy();
  const clients = approvals.clients();
  const waiting = approvals.waitingByOwner();
  const bound = new Map(owners.bound().map((state) => [state.owner, state]));
  const lastAt = (owner: string): number => Math.max(bound.get(owner)?.actedAt ?? 0, clients.get(owner)?.seenAt ?? 0);
  const isOpen = (owner: string): boolean =>
    withQuiet || waiting.has(owner) || paused.has(owner) || Date.now() - lastAt(owner) < QUIET_MS;
  const all = [...new Set([...bound.keys(), ...clients.keys(), ...waiting.keys(), ...paused])]
    .filter((owner) => !owner.startsWith(LOOKER) && isOpen(owner))
    .sort((one, other) => lastAt(other) - lastAt(one));
  return Promise.all(
    all.map(async (owner) => {
      const [tokenId = '', session = ''] = owner.split('/', 2);
      const binding = bound.get(owner)?.binding ?? null;
      return {
        owner,
        tokenName: await approvals.nameOf(tokenId),
        session,
        client: clients.get(owner)?.name ?? null,
        window:
          binding === null
            ? null
            : {
                hwnd: binding.hwnd,
                pid: binding.pid,
                app: binding.app.displayName,
                title: isDenied(binding.app, deny) ? '' : binding.title,
              },
        waiting: waiting.get(owner) ?? [],
        isPaused: paused.has(owner) || paused.has(tokenId),
        lastActionAt: new Date(lastAt(owner)).toISOString(),
      };
    }),
  );
}

async function pause(
  { paused, hub, audit }: OpenSessionsParts,
  owner: string,
  isPaused: boolean,
  by: string,
): Promise<void> {
  // Pausing holds although its record may fail; the end of a pause needs its record first.
  if (isPaused) paused.add(owner);
  await audit({
    kind: 'session',
    actor: { tokenId: null, surface: 'host' },
    action: isPaused ? 'agent.paused' : 'agent.resumed',
    why: [`by ${by}`],
    details: { owner },
  });
  if (!isPaused) paused.delete(owner);
  hub.publish(isPaused ? 'session.paused' : 'session.resumed', { owner });
}

/** Events come in groups; a person sees nothing shorter. */
const SETTLES_MS = 150;

const stateOf = ({ stopped, approvalsPending, actionsRunning }: HostActivity): HostState =>
  stopped ? 'stopped' : approvalsPending > 0 ? 'waiting' : actionsRunning > 0 ? 'acting' : 'idle';

/** Tells the state now and after each event that may have changed it; the returned function ends that. */
export function followState(hub: EventHub, activity: () => HostActivity, tell: (state: HostState) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(stateOf(activity()));
    }, SETTLES_MS);
  };
  const leave = hub.subscribe(look);
  look();
  return () => {
    leave();
    clearTimeout(timer);
  };
}
