/**
 * The link as the service runs it: the service's supervisor and its part of the fleet with real processes over their pipes, a real
 * server, and hosts on a stand-in desktop. What starts a process, and under which account, is Windows' alone.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Level } from '../../src/contract/gate/permissions.ts';
import { MACHINE_FILE, type FleetMachine } from '../../src/contract/process/fleet-machine.ts';
import { LINK_SESSION, SUPERVISED, type FleetRules } from '../../src/contract/process/service-channel.ts';
import { fleetFindings } from '../../src/cli/fleet-machine-commands.ts';
import { lastReport, seatFolder } from '../../src/fleet/link/membership.ts';
import { FleetService, readFleetMachine } from '../../src/service/fleet.ts';
import type { ServiceSession } from '../../src/contract/process/service-status.ts';
import { END_MS } from '../../src/service/supervision.ts';
import { Supervisor, type HostProcess } from '../../src/service/supervisor.ts';
import { until } from '../support/until.ts';
import { command, stepsOf, TestTenant, use } from './tenant.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NO_RULES: FleetRules = {
  isOff: false,
  isDrained: false,
  onlyWhenIdle: false,
  pools: null,
  orchestrators: null,
  ledger: null,
};
const STEPS = stepsOf('typed');
const USER = 1;

/** A service without Windows: sessions are numbers, and each program is a process of Node. */
class Machine implements AsyncDisposable {
  readonly programData = mkdtempSync(join(tmpdir(), 'uiahost-machine-'));
  readonly folder = join(this.programData, 'uiahost', 'fleet');
  readonly journal = join(this.programData, 'journal.txt');
  readonly children = new Map<number, ChildProcess>();
  readonly logged: string[] = [];
  sessions: readonly ServiceSession[] = [];
  rules = NO_RULES;
  readonly supervisor: Supervisor = new Supervisor(
    {
      startHost: (session, onExit) => this.#start(session, onExit),
      nowMs: () => performance.now(),
      time: () => new Date().toISOString(),
      setTimer(milliseconds, call) {
        // restarts come soon; a process that must end has its whole time
        const timer = setTimeout(call, milliseconds < END_MS ? Math.min(milliseconds, 500) : milliseconds);
        return { [Symbol.dispose]: () => clearTimeout(timer) };
      },
      report: () => {},
      ready: (session, local) => this.fleet.ready(session, local),
      gone: (session) => this.fleet.gone(session),
    },
    {
      note: () => {},
      log: (fields, text) => void this.logged.push(`${text} ${JSON.stringify(fields)}`),
      save: (sessions) => void (this.sessions = sessions),
    },
  );
  readonly fleet: FleetService = new FleetService({
    machine: () => readFleetMachine(this.folder),
    rules: () => this.rules,
    isOf: (session, user) => session === USER && user === 'PC\\anna',
    send: (session, message) => this.supervisor.send(session, message),
    setWanted: (isWanted) =>
      this.supervisor.handle(
        isWanted ? { kind: 'opened', session: LINK_SESSION, user: null } : { kind: 'closed', session: LINK_SESSION },
      ),
  });

  constructor() {
    mkdirSync(join(this.folder, 'link'), { recursive: true });
  }

  #start(session: number, onExit: (status: number) => void): HostProcess {
    const args =
      session === LINK_SESSION
        ? [fileOf('../../src/entry/fleet.ts'), join(this.folder, 'link'), SUPERVISED]
        : [fileOf('host-process.ts'), join(this.programData, 'profile'), this.journal, 'full', SUPERVISED];
    const child = spawn(process.execPath, ['--no-warnings', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.children.set(session, child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdin.on('error', () => {});
    child.once('exit', (code) => onExit(code ?? 1));
    return {
      pid: child.pid ?? 0,
      created: '',
      send: (text) => child.stdin.writable && child.stdin.write(text) !== undefined,
      endInput: () => void child.stdin.end(),
      read: () => {
        const text = said;
        said = '';
        return text;
      },
      kill: () => void child.kill('SIGKILL'),
    };
  }

  state(session: number): ServiceSession | undefined {
    return this.sessions.find((each) => each.session === session);
  }

  /** As `uiahost fleet join --machine` writes it. */
  join(machine: FleetMachine): void {
    writeFileSync(join(this.folder, MACHINE_FILE), JSON.stringify(machine));
    this.fleet.read();
  }

  /** What its seat last reported. */
  report(seat: string) {
    return lastReport(seatFolder(join(this.folder, 'link'), seat));
  }

  ready(seat: string) {
    return until(() => {
      const report = this.report(seat);
      return report?.takesNoJob === null && report.pid === this.children.get(LINK_SESSION)?.pid ? report : null;
    }, 'the seat');
  }

  get typed(): number {
    return existsSync(this.journal) ? readFileSync(this.journal, 'utf8').split('\n').filter(Boolean).length : 0;
  }

  /** An administrator's, who has not joined as a user. */
  readonly #env = {
    ...process.env,
    ProgramData: this.programData,
    UIAHOST_DATA_DIR: join(this.programData, 'administrator'),
  };

  async command(...words: string[]): Promise<string> {
    return (await command(words, this.#env)).out;
  }

  /** What the doctor finds. */
  async findings(): Promise<string[]> {
    return (await fleetFindings({ env: this.#env })).map(({ code }) => code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.supervisor.handle({ kind: 'stop' });
    await this.supervisor.finished;
    rmSync(this.programData, { recursive: true, force: true });
  }
}

async function fleetOf() {
  const tenant = await TestTenant.start(['h_pc1', 'p_excel']);
  const credential = await tenant.credential('seat', 'h_pc1', ['p_excel']);
  return { tenant, credential, orders: await tenant.open(), machine: use(new Machine()) };
}

const machineFile = (credential: FleetMachine['seats'][0]['credential'], level?: Level): FleetMachine => ({
  format: 'uiahost fleet machine 1',
  isDrained: false,
  orchestrators: { orders: level === undefined ? {} : { level } },
  seats: [{ user: 'PC\\anna', credential }],
});

it('[service.link] starts no link before the machine has joined, and then runs jobs with a token that is on no disk', async () => {
  const { credential, orders, machine } = await fleetOf();
  machine.fleet.read();
  machine.supervisor.open(USER, 'PC\\anna');
  await until(() => machine.state(USER)?.state === 'running', 'the host');
  expect(machine.children.has(LINK_SESSION)).toBe(false);
  expect(await machine.command('fleet', 'status', '--machine')).toBe('');

  machine.join(machineFile(credential));
  await machine.ready('h_pc1');
  expect(await orders.run('h_pc1', STEPS, { idempotencyKey: 'a' })).toMatchObject({ status: 'succeeded' });
  expect(await orders.run('p_excel', STEPS, { idempotencyKey: 'a' })).toMatchObject({ seat: 'h_pc1' });
  expect(machine.typed).toBe(2);
  expect(machine.logged.join('\n')).not.toMatch(/uia_|BEGIN|SU[A-Z0-9]{40}/);
  const metrics = join(machine.folder, 'link', 'h_pc1', 'metrics.prom');
  const counted = 'uiahost_fleet_jobs_total{seat="h_pc1",outcome="succeeded"} 2\n';
  await until(() => readFileSync(metrics, 'utf8').includes(counted), 'the count');
  const measured = readFileSync(metrics, 'utf8');
  expect(measured).toContain('uiahost_fleet_jobs_begun_total{seat="h_pc1"} 2\n');
  expect(Number(/_queue_wait_seconds_total\{seat="h_pc1"\} ([\d.]+)/.exec(measured)?.[1])).toBeGreaterThan(0);

  // killed, each starts again, and the next job has its outcome
  for (const session of [LINK_SESSION, USER]) {
    const before = machine.children.get(session);
    before?.kill('SIGKILL');
    await until(() => machine.children.get(session) !== before && machine.state(session)?.state === 'running', 'it');
    await machine.ready('h_pc1');
    const told = await orders.run('h_pc1', STEPS, { idempotencyKey: `after ${session}` });
    expect(told).toMatchObject({ status: 'succeeded' });
  }
  expect(machine.typed).toBe(4);

  expect(await machine.command('fleet', 'status', '--machine', '--json')).toContain('"seat":"h_pc1"');
  expect(await machine.command('fleet', 'drain', '--machine')).toBe('It takes no further job.');
  machine.fleet.read();
  await until(() => machine.report('h_pc1')?.takesNoJob === 'drained', 'the drain');

  // a policy only takes away: another pool's queue is left, and what an orchestrator had ends
  machine.rules = { ...NO_RULES, orchestrators: ['others'], pools: [] };
  machine.join(machineFile(credential));
  await until(() => machine.report('h_pc1')?.host === 'no host answers', 'no orchestrator');
  machine.rules = { ...NO_RULES, onlyWhenIdle: true };
  machine.fleet.read();
  await until(() => machine.report('h_pc1')?.takesNoJob === 'person_present', 'the person');

  // the test's credential is for an hour
  expect(await machine.findings()).toEqual(['fleet_credential_ends']);
  const link = machine.children.get(LINK_SESSION);
  machine.rules = { ...NO_RULES, isOff: true };
  machine.fleet.read();
  await until(() => link?.exitCode === 0, 'the end of the link');
  expect(machine.state(LINK_SESSION)).toBeUndefined();
  expect(await machine.findings()).toEqual(['fleet_credential_ends', 'fleet_link_down']);
  expect(await machine.command('fleet', 'leave', '--machine')).toContain('Left as h_pc1');
}, 300_000);

it('[service.link] gives a session’s tokens to no other user’s host, and ends with the service', async () => {
  const { credential, machine } = await fleetOf();
  machine.supervisor.open(2, 'PC\\bob');
  machine.join(machineFile(credential, 'observe'));
  await until(() => machine.report('h_pc1')?.isConnected === true && machine.state(2)?.state === 'running', 'both');
  expect(machine.report('h_pc1')?.takesNoJob).toMatch(/no_host|starting/);
  machine.supervisor.handle({ kind: 'stop' });
  await machine.supervisor.finished;
  expect([...machine.children.values()].map(({ exitCode }) => exitCode)).toEqual([0, 0]);
}, 120_000);

it('tells how a job ended whose machine was reset, from a ledger on a disk that is kept', async () => {
  const { credential, orders, machine } = await fleetOf();
  const kept = join(machine.programData, 'kept');
  const away = join(machine.programData, 'away');
  machine.rules = { ...NO_RULES, ledger: kept };
  machine.supervisor.open(USER, 'PC\\anna');
  machine.join(machineFile(credential));
  // the disk is not there yet: no folder takes its place
  await until(() => machine.report('h_pc1')?.takesNoJob === 'ledger', 'the missing disk');
  expect(existsSync(kept)).toBe(false);
  expect(await machine.findings()).toEqual(['fleet_credential_ends', 'fleet_ledger']);
  mkdirSync(kept);
  await machine.ready('h_pc1');

  const job = await orders.submit('h_pc1', stepsOf('slow'), { idempotencyKey: 'a' });
  const watch = orders.watch(job)[Symbol.asyncIterator]();
  for (let step: number | undefined = 0; step !== 1;) step = (await watch.next()).value?.step;
  const link = machine.children.get(LINK_SESSION)!;
  renameSync(kept, away);
  link.kill('SIGKILL');
  await once(link, 'exit');
  rmSync(join(machine.folder, 'link', 'h_pc1'), { recursive: true });
  await until(() => machine.report('h_pc1')?.takesNoJob === 'ledger', 'the disk that is away');
  renameSync(away, kept);
  await until(() => machine.report('h_pc1')?.job === 'h_pc1.a', 'the job');

  // a reader that gives up lost machines waits for this one, and learns the truth
  const told = orders.wait(job, { lostAfterMs: 1 });
  await until(() => machine.report('h_pc1')?.isConnected, 'the link');
  expect(await orders.cancel(job)).toBeNull();
  expect(await told).toMatchObject({ status: 'cancelled', step: 1, delivery: 'not_delivered' });
  expect(machine.typed).toBe(0);
}, 120_000);
