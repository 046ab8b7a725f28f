/**
 * Jobs on three machines with real hosts and links while server, links and hosts are killed: each effect once, each outcome
 * true, nothing left. Effects are counted by the programs' journals.
 */
import { expect, it } from 'vitest';
import type { FleetJob } from '../../src/fleet/orchestrator/types.ts';
import { oldServer } from '../../src/fleet/bus/credential.ts';
import { addQueue } from '../../src/fleet/bus/provisioning.ts';
import { falsehoods } from '../pure/fleet/world.ts';
import { until } from '../support/until.ts';
import { Proxy } from './proxy.ts';
import { SeatProcess } from './seat-process.ts';
import { messagesLeft } from './server.ts';
import { TestTenant, use } from './tenant.ts';

/** How many, and of what: all in turn where nothing is named. */
const [COUNT = '20', ...ONLY] = process.env['UIAHOST_FLEET_KILLS']?.split(' ') ?? [];
const KILLS = Number(COUNT);
const POOL = 'p_excel';
const SEATS = ['h_a', 'h_b', 'h_c'] as const;
/** What is killed, in turn: with its number the seat changes, too. */
const ALL = ['link', 'host', 'reset', 'link', 'host', 'silence', 'server'] as const;
const WAYS = ALL.filter((way) => ONLY.length === 0 || ONLY.includes(way));
const ACK_WAIT_MS = 2000;
/** A connection that is silent for longer than a message waits for its acknowledgement, and then gone. */
const SILENT_MS = 2500;

const stepsOf = (id: string) => [
  { action: 'bind-to-window', input: { title: 'Notepad' } },
  { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.1` } },
  { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.2` } },
];

async function startFleet() {
  const tenant = await TestTenant.start([...SEATS, POOL], { ackWaitMs: ACK_WAIT_MS });
  const seats = SEATS.map(() => use(new SeatProcess()));
  const proxies = await Promise.all(SEATS.map(async () => use(await Proxy.start(tenant.server.port))));
  await Promise.all(
    seats.map(async (seat, index) => {
      const credential = await tenant.credential('seat', SEATS[index] ?? '', [POOL]);
      seat.join({ ...credential, servers: [`nats://127.0.0.1:${proxies[index]?.port}`] }, 'orders');
      await seat.startHost();
      await seat.startLink();
      await seat.ready();
    }),
  );
  const { server, admin } = tenant;
  return { server, admin, seats, proxies, fleet: await tenant.open() };
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
      // a run without output for ten minutes would be ended
      if (kill % 50 === 49) process.stdout.write(`${kill + 1} of ${KILLS} kills\n`);
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
    const isEmpty = () =>
      until(async () => (await messagesLeft(admin)) === 0, 'empty queues', 3 * ACK_WAIT_MS + 10_000);
    const kept = await isEmpty().then(
      () => 0,
      () => messagesLeft(admin),
    );
    // a server before 2.10 forgets at a kill what was acknowledged in the last seconds; provisioning tells it again
    if (oldServer(admin) === null) expect(kept).toBe(0);
    for (const target of [...SEATS, POOL]) await addQueue(admin, target, { ackWaitMs: ACK_WAIT_MS });
    await isEmpty();
    expect(seats.flatMap((seat) => seat.journal)).toEqual(journal);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `nats-server ${admin.info?.version}: ${KILLS} kills and cuts (${JSON.stringify(done)}) in ${seconds} s, ${jobs.length} jobs, ${journal.length} effects; ${unclear.length} not succeeded (${unclear.map(({ status, code }) => `${status} ${code}`).join(', ')}), 0 twice, 0 false, ${kept} left, 0 after provisioning\n`,
    );
  },
  // after a server’s kill the links of a pool let each other claim first
  60_000 + KILLS * 25_000,
);
