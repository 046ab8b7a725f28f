/**
 * Jobs on three machines with real hosts and links while server, links and hosts are killed: each effect once, each outcome
 * true, nothing left. Effects are counted by the programs' journals.
 */
import { afterEach, expect, it } from 'vitest';
import type { Fleet, FleetJob } from '../../src/fleet/orchestrator/types.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { falsehoods } from '../pure/fleet/world.ts';
import { until } from '../support/until.ts';
import { Proxy } from './proxy.ts';
import { SeatProcess } from './seat-process.ts';
import { TestServer } from './server.ts';

const KILLS = Number(process.env['UIAHOST_FLEET_KILLS'] ?? 20);
const POOL = 'p_excel';
const SEATS = ['h_a', 'h_b', 'h_c'] as const;
/** What is killed, in turn: with its number the seat changes, too. */
const WAYS = ['link', 'host', 'reset', 'link', 'host', 'silence', 'server'] as const;
const ACK_WAIT_MS = 2000;
/** A connection that is silent for longer than a message waits for its acknowledgement, and then gone. */
const SILENT_MS = 2500;
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

const use = <T extends AsyncDisposable>(made: T): T => {
  open.push(made);
  return made;
};

const stepsOf = (id: string) => [
  { action: 'bind-to-window', input: { title: 'Notepad' } },
  { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.1` } },
  { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.2` } },
];

async function startFleet() {
  const keys = createTenantKeys('A');
  const server = use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  for (const target of [...SEATS, POOL]) await addQueue(admin.nc, target, { ackWaitMs: ACK_WAIT_MS });
  const seats = SEATS.map(() => use(new SeatProcess()));
  const proxies = await Promise.all(SEATS.map(async () => use(await Proxy.start(server.port))));
  await Promise.all(
    seats.map(async (seat, index) => {
      const credential = await server.credentialFile(keys, 'seat', SEATS[index] ?? '', [POOL]);
      seat.join({ ...credential, servers: [`nats://127.0.0.1:${proxies[index]?.port}`] }, 'orders');
      await seat.startHost();
      await seat.startLink();
      await seat.ready();
    }),
  );
  const fleet: Fleet = use(
    await openFleet({ credential: await server.credentialFile(keys, 'orchestrator', 'orders') }),
  );
  return { server, admin, seats, proxies, fleet };
}

it(
  'runs each step once and tells the truth, whatever is killed, and leaves no message',
  async () => {
    const { server, admin, seats, proxies, fleet } = await startFleet();
    const began = performance.now();
    const jobs: FleetJob[] = [];
    const told = [];
    const done = { link: 0, host: 0, server: 0, reset: 0, silence: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const seat = seats[kill % 3];
      for (const target of [POOL, SEATS[kill % 3] ?? POOL]) {
        const id = `j${jobs.length}`;
        // an unanswered submission is repeated with its key: that is all a submitter has to do
        const job = await until(
          () => fleet.submit(target, stepsOf(id), { idempotencyKey: id }).catch(() => null),
          `a submission of ${id}`,
        );
        jobs.push(job);
        told.push(fleet.wait(job));
      }
      await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 150));
      const way = WAYS[kill % WAYS.length] ?? 'link';
      done[way] += 1;
      if (way === 'server') {
        await server.kill();
        await server.run();
      } else if (way === 'link') {
        await seat?.killLink();
        await seat?.startLink();
      } else if (way === 'host') {
        await seat?.killHost();
        await seat?.startHost();
      } else {
        if (way === 'silence') {
          proxies[kill % 3]?.silence();
          await new Promise((resolve) => setTimeout(resolve, SILENT_MS));
        }
        proxies[kill % 3]?.reset();
      }
    }
    const outcomes = await Promise.all(told);
    const journal = seats.flatMap((seat) => seat.journal);
    expect(
      outcomes.flatMap((outcome) => {
        const said = outcome.status === 'succeeded' ? outcome : { ...outcome, step: outcome.step ?? 0 };
        return falsehoods(outcome.id, [1, 2], { ...said, values: [...said.values], late: undefined } as never, journal);
      }),
    ).toEqual([]);
    // a killed host costs at most the job that it had
    const unclear = outcomes.filter(({ status }) => status !== 'succeeded');
    expect(unclear.length).toBeLessThanOrEqual(KILLS / 2);
    for (const [stream, target] of [
      ...SEATS.map((seat) => ['UIA_JOBS', seat] as const),
      ['UIA_POOLS', POOL] as const,
    ]) {
      const left = await until(async () => {
        const reply = await admin.nc.request(`$JS.API.CONSUMER.INFO.${stream}.${target}`, '');
        const info = reply.json<{ num_pending: number; num_ack_pending: number }>();
        return info.num_ack_pending === 0 ? info : null;
      }, 'what was acknowledged');
      expect([left.num_pending, left.num_ack_pending]).toEqual([0, 0]);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `nats-server ${admin.nc.info?.version}: ${KILLS} kills and cuts (${JSON.stringify(done)}) in ${seconds} s, ${jobs.length} jobs, ${journal.length} effects; ${unclear.length} not succeeded (${unclear.map(({ status, code }) => `${status} ${code}`).join(', ')}), 0 twice, 0 false, 0 left\n`,
    );
  },
  60_000 + KILLS * 15_000,
);
