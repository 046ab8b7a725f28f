/** A fleet as people use it: every command, from no tenant to a job's outcome, and what revoking ends. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleet as openFleet } from '../../src/client.ts';
import { connectBus, eachConnection, oldServer } from '../../src/fleet/bus/credential.ts';
import { memberFolder, writeReport } from '../../src/fleet/link/membership.ts';
import type { Fleet, FleetOutcome, FleetStep } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { Proxy } from './proxy.ts';
import { SeatProcess } from './seat-process.ts';
import { freePort, NatsProcess } from './server.ts';
import { command as run, stepsOf, TestTenant, use, type Told } from './tenant.ts';

/** The example; its types are those of the built package, which a fresh clone does not have. */
const ACTIVITY = new URL('../../examples/fleet-activity.ts', import.meta.url).href;
interface Activity {
  readonly NonRetryable: new () => Error;
  runOnFleet(fleet: Fleet, context: object, target: string, steps: readonly FleetStep[]): Promise<FleetOutcome>;
}

const folder = mkdtempSync(join(tmpdir(), 'uiahost-fleet-'));
const at = (name: string): string => join(folder, name);
const seat = new SeatProcess();
let server: NatsProcess | null = null;

const startServer = async (): Promise<void> => {
  server = await NatsProcess.start(at('tenant/server.conf'));
};
const killServer = async (): Promise<void> => server?.[Symbol.asyncDispose]();

const command = (...words: string[]): Promise<Told> => run(words, { UIAHOST_DATA_DIR: seat.data });

/** Errors: what the command printed, if its status is not 0. */
async function done(asking: Promise<Told>): Promise<void> {
  const { status, err } = await asking;
  if (status !== 0) throw new Error(err);
}

const fleet = (name: string, ...words: string[]) => command('fleet', name, ...words);
const admin = (name: string, ...words: string[]) => fleet(name, ...words, '--tenant', at('tenant'));
const asked = (name: string, ...words: string[]) => fleet(name, ...words, '--credential', at('orders.json'));

/** What `uiahost doctor` finds of the fleet. */
const found = async (): Promise<string[]> =>
  (JSON.parse((await command('doctor', '--json')).out) as { doctor: { code: string }[] }).doctor
    .map(({ code }) => code)
    .filter((code) => code.startsWith('fleet_'));

const STEPS = stepsOf('typed');

beforeAll(async () => {
  writeFileSync(at('steps.json'), JSON.stringify(STEPS));
  await seat.startHost();
}, 240_000);

afterAll(async () => {
  await seat[Symbol.asyncDispose]();
  await killServer();
  rmSync(folder, { recursive: true, force: true });
});

// each test continues where the one before ended, as the page does
describe('a fleet by its commands', () => {
  it('makes a tenant once, and refuses a server beyond loopback without TLS', async () => {
    expect(await admin('init', '--server', 'nats://nats.example.com:4222')).toMatchObject({ status: 2 });
    expect(await admin('provision')).toMatchObject({ status: 1, err: expect.stringContaining('no tenant') as string });
    const port = await freePort();
    await done(admin('init', '--server', `nats://127.0.0.1:${port}`));
    const again = await admin('init', '--server', 'nats://127.0.0.1:1');
    expect(again).toMatchObject({ status: 0, out: expect.stringContaining('nothing was changed') as string });
  });

  it('says what to do where the server is away, and makes its streams when it is there', async () => {
    expect(await admin('provision')).toMatchObject({
      status: 1,
      err: expect.stringContaining('nats-server -c') as string,
    });
    await startServer();
    expect((await admin('provision', '--check')).status).toBe(1);
    await done(admin('provision'));
    await done(admin('provision'));
    expect((await admin('provision', '--check', '--json')).out).toBe('{"problems":[]}');
  });

  it('enrols, joins, and runs a job once for each key', async () => {
    const enrol = (name: string, ...more: string[]) => admin('enrol', name, '--out', at(`${name}.json`), ...more);
    await done(enrol('pc1', '--pools', 'excel'));
    for (const name of ['orders', 'stranger']) await done(enrol(name, '--role', 'orchestrator'));
    await done(enrol('looker', '--role', 'viewer'));
    expect(await enrol('jane', '--role', 'approver')).toMatchObject({ status: 2 });
    expect(await fleet('status')).toMatchObject({
      status: 1,
      err: expect.stringContaining('has not joined') as string,
    });
    expect(await found()).toEqual([]);
    for (const _ of ['first', 'again']) await done(fleet('join', at('pc1.json'), '--orchestrator', 'orders'));
    expect(await found()).toEqual(['fleet_link_down']);
    await seat.startLink();
    await seat.ready();
    expect(await found()).toEqual([]);
    const report = memberFolder(seat.data);
    const now = seat.report();
    expect(now?.oldServer).toBe(null);
    // as a link reports it of Debian's 2.9
    if (now !== null) writeReport(report, 'h_pc1', { ...now, oldServer: '2.9.10' });
    expect(await found()).toEqual(['fleet_server_old']);
    for (const _ of ['first', 'again']) {
      const told = await asked('run', 'h_pc1', at('steps.json'), '--key', 'a1');
      expect(told).toMatchObject({ status: 0, out: 'h_pc1.a1: succeeded on h_pc1' });
    }
    await done(asked('run', 'p_excel', at('steps.json'), '--key', 'a1'));
    expect(seat.journal).toEqual(['typed', 'typed']);
    writeFileSync(at('other.json'), JSON.stringify(STEPS.slice(0, 1)));
    const other = await asked('run', 'h_pc1', at('other.json'), '--key', 'a1');
    expect(other).toMatchObject({ status: 1, err: expect.stringContaining('idempotency_mismatch') as string });
  });

  it('refuses a job of an orchestrator that the machine does not accept, and any job of a viewer', async () => {
    const told = await fleet('run', 'h_pc1', at('steps.json'), '--credential', at('stranger.json'), '--json');
    expect(told.status).toBe(1);
    expect(JSON.parse(told.out)).toMatchObject({ code: 'orchestrator_not_accepted', delivery: 'not_delivered' });
    const viewer = await fleet('run', 'h_pc1', at('steps.json'), '--credential', at('looker.json'));
    expect(viewer).toMatchObject({ status: 1, err: expect.stringContaining('forbidden') as string });
    expect((await fleet('hosts', '--credential', at('looker.json'))).out).toContain('h_pc1');
    expect(seat.journal).toEqual(['typed', 'typed']);
  });

  it('enrols the seats of a list, and of a longer one the new ones alone', async () => {
    writeFileSync(at('list.txt'), '\ufeff# room 1\r\nPC21 excel  sap\r\n\r\npc22\n');
    const enrolled = async () => {
      const { status, out, err } = await admin('enrol', '--from', at('list.txt'), '--out', at('room'), '--json');
      return { status, err, seats: (JSON.parse(out || '{}') as { seats?: object[] }).seats };
    };
    expect(await enrolled()).toMatchObject({
      status: 0,
      seats: [{ seat: 'h_pc21', pools: 'p_excel p_sap', state: at('room/pc21.fleet.json') }, { seat: 'h_pc22' }],
    });
    const credential = JSON.parse(readFileSync(at('room/pc21.fleet.json'), 'utf8')) as object;
    expect(credential).toMatchObject({ role: 'seat', name: 'h_pc21', pools: ['p_excel', 'p_sap'] });
    writeFileSync(at('list.txt'), 'pc21\npc22\npc23');
    expect((await enrolled()).seats).toMatchObject([
      { seat: 'h_pc21', state: 'enrolled before' },
      { seat: 'h_pc22', state: 'enrolled before' },
      { seat: 'h_pc23', state: at('room/pc23.fleet.json') },
    ]);
    for (const words of [[], ['pc24', '--from', at('list.txt')], ['--from', at('list.txt'), '--role', 'viewer']])
      expect(await admin('enrol', ...words)).toMatchObject({ status: 2 });
    for (const name of ['pc21', 'pc22', 'pc23']) await done(admin('revoke', name));
    const { policyVersion } = JSON.parse(readFileSync(at('tenant/tenant.json'), 'utf8')) as { policyVersion: number };
    await until(async () => seat.report()?.policyVersion === policyVersion, 'the revoked cards');
  });

  it('ends a job that no machine has begun: by a cancel, and by its time', async () => {
    await done(fleet('drain', '--wait'));
    expect((await asked('run', 'h_pc1', at('steps.json'), '--key', 'c1', '--no-wait')).out).toBe('h_pc1.c1');
    expect((await asked('give-up', 'h_pc1.c1')).status).toBe(1);
    expect((await asked('cancel', 'h_pc1.c1')).out).toContain('cancelled');
    await using client = await openFleet({ credential: readFileSync(at('orders.json'), 'utf8') });
    const expired = await client.run('h_pc1', STEPS, { notAfterMs: 500 });
    expect(expired).toMatchObject({ status: 'expired', delivery: 'not_delivered', retryable: true, seat: null });
    await done(fleet('drain', '--off'));
    await seat.ready();
    await done(asked('run', 'h_pc1', at('steps.json'), '--key', 'c2'));
    expect(await client.wait({ target: 'h_pc1', id: 'c1' })).toMatchObject({ status: 'cancelled', values: [] });
    expect(seat.journal).toHaveLength(3);
  });

  it('runs an activity once, whatever attempt is lost, and ends its job with it', async () => {
    const { NonRetryable, runOnFleet } = (await import(ACTIVITY)) as Activity;
    await using client = await openFleet({ credential: readFileSync(at('orders.json'), 'utf8') });
    const attempt = (activityId: string, steps: readonly FleetStep[], signal = new AbortController().signal) =>
      runOnFleet(
        client,
        {
          info: { workflowExecution: { workflowId: 'wf', runId: 'r1' }, activityId },
          cancellationSignal: signal,
          heartbeat: () => {},
        },
        'h_pc1',
        steps,
      );
    const before = seat.journal.length;
    // the engine lost the first attempt, and starts the next ones while it is still under way
    const told = await Promise.all([attempt('1', STEPS), attempt('1', STEPS), attempt('1', STEPS)]);
    expect(told.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(seat.journal).toHaveLength(before + 1);
    // nothing was delivered: three jobs, and each later attempt tells the same
    const absent = [{ action: 'no-such-action', input: {} }];
    for (const _ of ['first', 'again'])
      await expect(attempt('2', absent)).rejects.toMatchObject({ name: 'NonRetryable', outcome: { status: 'failed' } });
    const other = STEPS.slice(0, 1);
    await expect(attempt('1', other)).rejects.toBeInstanceOf(NonRetryable);
    const cancelled = attempt('3', stepsOf('slow'), AbortSignal.timeout(1000));
    await expect(cancelled).rejects.toMatchObject({ outcome: { status: 'cancelled', delivery: 'not_delivered' } });
    expect(seat.journal).toHaveLength(before + 1);
  });

  it('ends what a revoked member does after a restart of the server: its commands, its connection', async () => {
    await killServer();
    await until(async () => (await found()).includes('fleet_unreachable'), 'the finding');
    await startServer();
    await until(async () => (await asked('run', 'h_pc1', at('steps.json'), '--key', 'd1')).status === 0, 'a job');
    expect((await admin('revoke', 'nobody')).status).toBe(2);
    await using open = await openFleet({ credential: readFileSync(at('orders.json'), 'utf8') });
    expect(await open.hosts()).toHaveLength(1);
    for (const count of [1, 0])
      expect(JSON.parse((await admin('revoke', 'orders', '--json')).out)).toMatchObject({ revoked: count });
    await until(
      () =>
        open.hosts().then(
          () => false,
          () => true,
        ),
      'the end of its open connection',
    );
    expect(await asked('hosts')).toMatchObject({ status: 1, err: expect.stringContaining('refused') as string });
    await done(admin('revoke', 'pc1'));
    expect(await seat.linkEnd()).toBe(1);
    expect(await found()).toEqual(['fleet_refused']);
    await done(fleet('leave'));
    expect(await fleet('leave')).toMatchObject({ status: 0, out: expect.stringContaining('has not joined') as string });
  });
});

it('knows a server that is too old by its version', () => {
  const isOld = (version: string): boolean => oldServer({ info: { version } } as never) !== null;
  expect(['0', '2.9.25', '2.10.0', '3.0.0'].filter(isOld)).toEqual(['0', '2.9.25']);
});

it('notices a silent cut within three intervals', async () => {
  const pingMs = 400;
  const tenant = await TestTenant.start();
  const proxy = use(await Proxy.start(tenant.server.port));
  const credential = await tenant.credential('orchestrator', 'orders');
  const nc = await connectBus({ ...credential, servers: [`nats://127.0.0.1:${proxy.port}`] }, { pingMs });
  let lost = 0;
  void eachConnection(nc, (isThere) => {
    if (!isThere && lost === 0) lost = performance.now();
  });
  await nc.flush();
  const cut = performance.now();
  proxy.silence();
  await until(() => lost > 0, 'the loss');
  // the time of a busy machine is added to three intervals, not a fourth one
  expect(lost - cut).toBeLessThan(3 * pingMs + 2000);
  await nc.close();
});

it('stays where a busy server had no time for its credential', async () => {
  const tenant = await TestTenant.start();
  const proxy = use(await Proxy.start(tenant.server.port));
  const credential = await tenant.credential('orchestrator', 'orders');
  proxy.timeOuts = 3;
  const patience = new AbortController().signal;
  const nc = await connectBus({ ...credential, servers: [`nats://127.0.0.1:${proxy.port}`] }, { patience });
  const seen: boolean[] = [];
  void eachConnection(nc, (isThere) => void seen.push(isThere));
  proxy.timeOuts = 3;
  proxy.reset();
  await until(() => nc.isClosed() || (seen.at(-1) === true && seen.length > 1), 'its next connection');
  expect([nc.isClosed(), proxy.timeOuts]).toEqual([false, 0]);
  await nc.flush();
  await nc.close();
});
