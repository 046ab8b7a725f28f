/** Judges the facts of the machine. Pure: tested with recorded facts. */
import type { DoctorFinding } from '../contract/process/doctor.ts';
import { diagnoseAudit, diagnoseDisk, diagnoseFiles, diagnosePolicy } from '../host/home/doctor.ts';
import type { MachineFacts } from './facts.ts';

/** How far the clock may be behind the newest file: time service corrections are smaller. */
const BEHIND_MS = 5 * 60_000;

type Add = (code: string, severity: DoctorFinding['severity'], message: string, cure: string) => void;

function judgePlace(facts: MachineFacts, isHostRunning: boolean, add: Add): void {
  const { host, lock, sessionHolder, port, version } = facts;
  if (host !== null && isHostRunning && host.version !== version)
    add(
      'version_mismatch',
      'limits',
      `The running host has version ${host.version}, this command ${version}.`,
      'Restart the host: end its process or sign out and in again, then `uiahost start`.',
    );
  if (isHostRunning) return;
  if (host !== null && !host.isAlive)
    add(
      'stale_host_file',
      'info',
      `host.json names process ${host.pid}, which has ended.`,
      'uiahost doctor --fix removes it.',
    );
  if (lock !== null && !lock.isAlive)
    add(
      'stale_lock',
      'info',
      `host.lock names process ${lock.pid}, which has ended.`,
      'uiahost doctor --fix removes it.',
    );
  if (sessionHolder !== null)
    add('session_held', 'blocks', sessionHolder, 'Use that host, or stop it first: each user session has one.');
  if (port.pid !== null)
    add(
      'port_taken',
      'blocks',
      `Port ${port.port} is taken by process ${port.pid}${port.program === null ? '' : ` (${port.program})`}.`,
      'End that program, or set UIAHOST_PORT to another port; 0 takes any free one.',
    );
}

function judgeFiles({ machineFolder, signatures, appControl }: MachineFacts, add: Add): void {
  if (machineFolder?.why !== null && machineFolder !== null)
    add(
      'machine_folder_writable',
      'limits',
      `The machine’s folder is not the administrators’ alone: ${machineFolder.why}.`,
      'Repair the installation (msiexec /fa), or run `uiahost service install` as an administrator.',
    );
  for (const { file, signature } of signatures) {
    if (signature.state === 'bad')
      add(
        'signature_bad',
        'limits',
        `The signature of ${file} is not valid (${signature.error}).`,
        'Compare its hash with SHA256SUMS, and install uiahost again if they differ.',
      );
    else if (/\\uiahost\.exe$/i.test(file))
      add(
        'unsigned_program',
        'info',
        `${file} has no signature: this build was not signed.`,
        'Compare its hash with SHA256SUMS. Where application control is in force, allow it by hash (docs/deploy/scanners.md).',
      );
  }
  const severity = signatures.length === 0 ? 'info' : 'limits';
  if (appControl.smart === 'enforced')
    add(
      'smart_app_control',
      severity,
      'Smart App Control is on: Windows blocks programs and libraries without a signature that it trusts.',
      'Only a signature helps, for it takes no exceptions: sign the build (docs/deploy/scanners.md).',
    );
  else if (appControl.programs === 'enforced')
    add(
      'app_control',
      severity,
      'App Control for Business (WDAC) is enforced: Windows blocks programs and libraries that its policy does not allow.',
      'Let an administrator allow uiahost by publisher or hash (docs/deploy/scanners.md).',
    );
}

function judgeMachine(facts: MachineFacts, isHostRunning: boolean, add: Add): void {
  const { now, newestFile, service, autostart, remoteTools } = facts;
  if (newestFile !== null && Date.parse(newestFile) - Date.parse(now) > BEHIND_MS)
    add(
      'clock_behind',
      'limits',
      `The clock is behind: it is ${now}, and the host wrote its newest file at ${newestFile}.`,
      'Set the clock; times in the audit follow it.',
    );
  if ('unreadable' in service)
    add(
      'service_unreadable',
      'info',
      `The service’s state cannot be read: ${service.unreadable}`,
      'Check that the service manager answers.',
    );
  else if (service.state !== 'not_installed') {
    for (const problem of service.problems)
      add('service_registration', 'limits', problem, 'Run `uiahost service install` as an administrator.');
    if (service.state === 'stopped')
      add(
        'service_stopped',
        isHostRunning ? 'limits' : 'blocks',
        'The service uiahost is installed and stopped, so it starts no host.',
        'Run `uiahost service start` as an administrator; uiahost doctor --fix does the same.',
      );
    else if (service.state === 'running') {
      const failing = service.sessions.filter(({ restarts, state }) => restarts > 2 && state !== 'running');
      for (const { session, restarts } of failing)
        add(
          'host_failing',
          'blocks',
          `The host of session ${session} keeps ending; the service started it ${restarts} times.`,
          'See the events in `uiahost service status` and logs\\host.log of that user.',
        );
    }
  }
  if (autostart?.isThere === false)
    add(
      'autostart_broken',
      'limits',
      `What starts at sign-in does not exist: ${autostart.command}`,
      'uiahost doctor --fix removes the entry; `uiahost autostart on` makes a new one.',
    );
  if (remoteTools.length > 0)
    add(
      'remote_tools',
      'info',
      `Remote control tools run: ${remoteTools.join(', ')}. They inject input, so cards cannot be approved through them.`,
      'Decide at the machine, or over Remote Desktop.',
    );
}

/** Findings about the machine. Where a host runs, its own findings are left out. */
export function judgeMachineFacts(facts: MachineFacts, isHostRunning: boolean): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  const add: Add = (code, severity, message, cure) => void findings.push({ code, severity, message, cure });
  judgePlace(facts, isHostRunning, add);
  judgeFiles(facts, add);
  judgeMachine(facts, isHostRunning, add);
  const { unsafe, policy, freeBytes, audit } = facts;
  return [
    ...findings,
    ...diagnoseFiles(unsafe),
    ...diagnosePolicy(isHostRunning ? { ...policy, refused: [] } : policy),
    ...diagnoseDisk(freeBytes),
    ...diagnoseAudit(audit?.firstBad ?? null),
  ];
}
