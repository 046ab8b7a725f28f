/** The service's life: from the service manager's start to its stop, with truthful states on the way. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FleetMachine, MACHINE_FILE } from '../contract/process/fleet-machine.ts';
import { type FleetRules, type HostScope, LINK_SESSION, SUPERVISED } from '../contract/process/service-channel.ts';
import {
  restrictDllSearch,
  runService,
  type ServiceControl,
  type ServiceStatus,
} from '../win32/services/dispatcher.ts';
import { machineFolder, openFleetFolders, openMachineFolder } from '../win32/services/machine-folder.ts';
import {
  accountSid,
  sessionAccount,
  type SessionAccount,
  hasUser,
  sessionUser,
  userSessions,
} from '../win32/services/user-sessions.ts';
import { killLeftOver, startAsLocalService, startInSession } from '../win32/services/session-process.ts';
import { reportEvent } from '../win32/system/event-log.ts';
import { processCreated } from '../win32/system/process.ts';
import type { ServiceFiles } from './commands.ts';
import { FleetService, readFleetMachine } from './fleet.ts';
import { readRecord, Recorder, type StartedProcess } from './service-record.ts';
import { END_MS, EVENTS, type Level } from './supervision.ts';
import { Supervisor, type SupervisorSystem } from './supervisor.ts';

/**
 * Why this session gets no host, in words for an administrator; null if it gets one. `sidOf`: an account's SID, null for an
 * unknown account: a user who cannot be identified gets none where the policy names users or groups.
 */
export function whyNoHost(
  scope: HostScope,
  account: SessionAccount | null,
  sidOf: (name: string) => string | null,
): string | null {
  const { users, groups, sessions } = scope;
  if (scope.isDisabled) return 'the level of the machine’s policy is disabled';
  if (scope.isOnDemand) return 'the machine’s policy starts hosts on demand (OnDemand)';
  if (users === null && groups === null && sessions === null) return null;
  if (account === null) return 'its user is not known, and the machine’s policy names who gets a host';
  if (sessions !== null && !sessions.includes(account.isRemote ? 'remote' : 'console'))
    return `the machine’s policy (Sessions) names no ${account.isRemote ? 'remote' : 'console'} sessions`;
  if (users === null && groups === null) return null;
  const sids = (names: readonly string[] | null): string[] => (names ?? []).flatMap((name) => sidOf(name) ?? []);
  const isNamed = sids(users).includes(account.user) || sids(groups).some((sid) => account.groups.includes(sid));
  return isNamed ? null : 'the machine’s policy (Users, Groups) does not name this user';
}

/** Numbers that `sc query uiahost` shows as the service's own exit code. */
const FAILURES = { incomplete: 1, fault: 2 } as const;
/** Longest time between two check points. */
const STEP_MS = 5000;
const STOP_POLL_MS = 1000;
/** How often the service looks whether the machine has joined a fleet. */
const LOOK_EVERY_MS = 2000;
/** The event log writes in the background; what is not written by then stays unwritten. */
const LAST_EVENTS_MS = 1000;
const LEFT_OVER_POLL_MS = 100;

/** The machine's policy, which decides whether hosts start. */
interface MachinePolicy {
  /** Who gets a host. */
  scope(): HostScope;
  /** What the fleet's link may do. */
  fleet(): FleetRules;
  /** Calls `changed` when it may have changed. */
  watch(changed: () => void): void;
}

/** Serves until the service manager stops it. False if no service manager started this process. */
export async function serve(name: string, files: ServiceFiles, policy: MachinePolicy): Promise<boolean> {
  restrictDllSearch();
  const service = new Service(name, files, policy);
  return runService(name, {
    start: (status) => void service.start(status),
    control: (control) => service.control(control),
  });
}

class Service {
  readonly #name: string;
  readonly #files: ServiceFiles;
  readonly #policy: MachinePolicy;
  readonly #events = new Set<Promise<unknown>>();
  #supervisor: Supervisor | null = null;
  #scope: HostScope | null = null;
  #status: ServiceStatus | null = null;
  #recorder: Recorder | null = null;
  /** A stop that came while the service started. */
  #isStopWanted = false;
  #isStopping = false;
  readonly #fleet = new FleetService({
    machine: () => this.#fleetMachine(),
    rules: () => this.#policy.fleet(),
    isOf: (session, user) =>
      user === null
        ? userSessions().every((each) => each === session)
        : sessionAccount(session)?.user === accountSid(user),
    send: (session, message) => this.#supervisor?.send(session, message),
    setWanted: (isWanted) =>
      this.#supervisor?.handle(
        isWanted ? { kind: 'opened', session: LINK_SESSION, user: null } : { kind: 'closed', session: LINK_SESSION },
      ),
  });

  constructor(name: string, files: ServiceFiles, policy: MachinePolicy) {
    this.#name = name;
    this.#files = files;
    this.#policy = policy;
  }

  async start(status: ServiceStatus): Promise<void> {
    this.#status = status;
    status.starting(STEP_MS);
    const { host, node } = this.#files;
    if (!existsSync(host))
      return this.#fail(`the installation is not complete, ${host} is missing. Repair it.`, FAILURES.incomplete);
    try {
      const folder = this.#openFolder();
      status.starting(STEP_MS);
      const left = folder === null ? [] : (readRecord(folder)?.processes ?? []);
      this.#recorder = new Recorder(folder);
      this.#supervisor = new Supervisor(this.#system(), this.#recorder);
      if (folder === null)
        this.#supervisor.report(
          'warning',
          'noFolder',
          'The service keeps no status and no log: its folder is not safe.',
        );
      // A host of this service that was killed holds the session's lock until it has ended: it gets its ten seconds.
      void this.#endLeftOvers(left, node);
      const sessions = userSessions();
      // From here on it hears of every change of a session. Starting a host takes a tenth of a second each.
      status.running();
      this.#supervisor.report('info', 'serviceStarted', `The service runs (process ${process.pid}).`);
      this.#supervisor.readPolicy();
      this.#policy.watch(() => {
        this.#supervisor?.readPolicy();
        this.#fleet.read();
      });
      this.#followFleet();
      for (const session of sessions) this.#open(session);
      if (this.#isStopWanted) this.#stop();
    } catch (error) {
      await this.#fail(textOf(error), FAILURES.fault);
    }
  }

  control(control: ServiceControl): void {
    if (control.kind === 'stop') {
      this.#isStopWanted = true;
      this.#stop();
      return;
    }
    if (this.#supervisor === null || this.#isStopping) return;
    if (control.kind === 'power') {
      this.#supervisor.handle(control);
      return;
    }
    const { session, change } = control;
    if (change === 'logoff') this.#supervisor.handle({ kind: 'closed', session });
    else if (change === 'logon') this.#open(session);
    else {
      this.#supervisor.handle({ kind: 'changed', session, change });
      // A session whose user signed in before the service started, and that was not listed then.
      if ((change === 'connect' || change === 'unlock') && hasUser(session)) this.#open(session);
    }
  }

  #followFleet(): void {
    setInterval(() => this.#fleet.read(), LOOK_EVERY_MS).unref();
    this.#fleet.read();
  }

  /** Trusted where the administrators alone can have written it. */
  #fleetMachine(): FleetMachine | null {
    const machine = machineFolder();
    if (machine === null || !existsSync(join(machine, 'fleet', MACHINE_FILE))) return null;
    try {
      return readFleetMachine(openFleetFolders().folder);
    } catch (error) {
      this.#supervisor?.report('warning', 'noFolder', textOf(error));
      return null;
    }
  }

  #open(session: number): void {
    this.#supervisor?.open(session, sessionUser(session));
  }

  #stop(): void {
    if (this.#isStopping || this.#supervisor === null) return;
    this.#isStopping = true;
    void this.#end(this.#supervisor).catch((error: unknown) => this.#fail(textOf(error), FAILURES.fault));
  }

  async #end(supervisor: Supervisor): Promise<void> {
    const status = this.#status;
    status?.stopping(END_MS);
    const steps = setInterval(() => status?.stopping(STEP_MS), STOP_POLL_MS);
    supervisor.handle({ kind: 'stop' });
    await supervisor.finished;
    supervisor.report('info', 'serviceStopped', 'The service stopped; no host is left.');
    supervisor.save();
    await this.#eventsWritten();
    clearInterval(steps);
    this.#recorder?.[Symbol.dispose]();
    status?.stopped();
  }

  async #fail(why: string, failure: number): Promise<void> {
    this.#report('error', EVENTS.serviceFailed, `The service could not continue: ${why}`);
    await this.#eventsWritten();
    this.#status?.stopped(failure);
  }

  #openFolder(): string | null {
    try {
      return openMachineFolder('service');
    } catch (error) {
      this.#report('warning', EVENTS.noFolder, textOf(error));
      return null;
    }
  }

  /**
   * Hosts of a service that was killed end by themselves, since their pipe is closed. A host that does not end is
   * killed.
   */
  async #endLeftOvers(left: readonly StartedProcess[], program: string): Promise<void> {
    const isThere = ({ pid, created }: StartedProcess): boolean => processCreated(pid) === created;
    for (const until = performance.now() + END_MS; left.some(isThere) && performance.now() < until;)
      await wait(LEFT_OVER_POLL_MS);
    for (const { pid, created, session } of left.filter(isThere))
      if (killLeftOver(pid, created, program))
        this.#supervisor?.report(
          'warning',
          'leftOver',
          `Session ${session}: the host of an earlier service (process ${pid}) did not end by itself and was ended by force.`,
        );
  }

  async #eventsWritten(): Promise<void> {
    await Promise.race([Promise.all(this.#events), wait(LAST_EVENTS_MS)]);
  }

  #report(level: Level, id: number, text: string): void {
    const written = reportEvent(this.#name, level, id, text).catch(() => false);
    this.#events.add(written);
    void written.finally(() => this.#events.delete(written));
  }

  #system(): SupervisorSystem {
    const { node, host, link } = this.#files;
    const [program, directory] = [node, dirname(node)];
    return {
      startHost: (session, onExit) =>
        session === LINK_SESSION
          ? startAsLocalService({ program, args: [link, openFleetFolders().link, SUPERVISED], directory }, onExit)
          : startInSession({ session, program, args: [host, SUPERVISED], directory }, onExit),
      ready: (session, local) => this.#fleet.ready(session, local),
      gone: (session) => this.#fleet.gone(session),
      nowMs: () => performance.now(),
      time: () => new Date().toISOString(),
      setTimer(milliseconds, call) {
        const timer = setTimeout(call, milliseconds);
        return { [Symbol.dispose]: () => clearTimeout(timer) };
      },
      report: (level, id, text) => this.#report(level, id, text),
      policyProblem: () => (this.#scope = this.#policy.scope()).why,
      unwanted: (session) => whyNoHost((this.#scope ??= this.#policy.scope()), sessionAccount(session), accountSid),
    };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
