/** The host's status for one caller: binding, level, capabilities, and what the doctor finds; and what is measured of the host. */
import { hostname } from 'node:os';
import type { WitnessState } from '../../audit/witness.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isDenied } from '../../contract/gate/app-match.ts';
import type { DoctorFinding, OverlayFacts, SessionFacts } from '../../contract/process/doctor.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { EmergencyStop } from '../approvals/emergency-stop.ts';
import { ownerOf, type Caller } from '../face/caller.ts';
import type { Host, HostStatus, MachineNames, PolicyService, Readiness } from '../face/host.ts';
import type { HostActivity, HostGauges } from '../face/meter.ts';
import { diagnose, diagnoseDpi, diagnoseOverlay, diagnosePolicy, diagnoseWitness } from '../home/doctor.ts';
import { valueWithin, type OwnCall } from '../home/own-call.ts';
import type { DesktopControl, Owners } from './owners.ts';
import type { LiveRuns } from './run-scope.ts';

export interface StatusParts {
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
    ...diagnosePolicy(parts.policy.disbelieved ?? null, parts.policy.writableKeys, parts.policy.unknownNames),
    ...(parts.ownFindings?.() ?? []),
    ...diagnoseWitness(parts.auditWitness?.() ?? 'waiting'),
  ];
}
