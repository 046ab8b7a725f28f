/** Links on a real server, in front of real hosts (the desktop is a stand-in): every job once, whatever is killed. */
import { afterEach, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server.ts';
import { UiaHostClient } from '../../src/client/client.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createRecords, submit } from '../../src/fleet/bus/records.ts';
import { recordOf, type Job, type JobRecord } from '../../src/fleet/bus/job.ts';
import { open, seal, signerOf, type Signer, type Trust } from '../../src/fleet/bus/signed.ts';
import { createTenantKeys, issuerOf, type Credential } from '../../src/fleet/bus/tenant.ts';
import { Link } from '../../src/fleet/link/carry-out.ts';
import { openLedger } from '../../src/fleet/link/ledger.ts';
import { pullJobs } from '../../src/fleet/link/pull.ts';
import { createSeatHost } from '../../src/fleet/link/seat-host.ts';
import { startTestHost } from '../pure/host/running-host.ts';
import { until } from '../support/until.ts';
import { TestServer } from './server.ts';

const POOL = 'p_excel';
const keys = createTenantKeys('A');
const trust: Trust = { issuer: issuerOf(keys), revoked: new Set() };
const stack: AsyncDisposableStack[] = [];
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync();
});

const signerFor = ({ card, seed }: Credential): Signer => {
  if (card === null || seed === null) throw new Error('it has no card');
  return signerOf(card, seed);
};

/** A host with its API, a ledger, and a link that can be killed and started again. */
async function startSeat(server: TestServer, seat: string, journal: string[], resources: AsyncDisposableStack) {
  const test = resources.use(await startTestHost({ level: 'full' }));
  test.scene.desktop.element.typeInto = (_record, _ref, text) => {
    journal.push(text);
    return Promise.resolve({
      value: true,
      outcome: {
        effect: 'confirmed',
        delivery: 'message',
        evidence: [],
        attempts: [],
        focusChanged: false,
        cursorMoved: false,
      },
    });
  };
  const http = await createHttpServer({ host: test.host, address: '127.0.0.1', port: 0 });
  resources.defer(() => http.close());
  const ledger = resources.use(openLedger(':memory:'));
  const client = new UiaHostClient({ url: http.url, token: 'agent-token-agent-token' });
  return {
    /** One life; the returned function ends it as a kill does: its connection is gone. */
    async live(): Promise<() => Promise<void>> {
      const { nc, credential } = await server.member(keys, 'seat', seat, [POOL]);
      const stop = new AbortController();
      const link = new Link({
        seat,
        signer: signerFor(credential),
        trust,
        ledger,
        records: createRecords(nc, 2000),
        host: createSeatHost(client, 'agent'),
        now: Date.now,
        pause: () => {
          if (stop.signal.aborted) throw new Error('killed');
          return new Promise((resolve) => setTimeout(resolve, 50));
        },
      });
      const running = link
        .recover()
        .then(() =>
          pullJobs(nc, [seat, POOL], async (job) => void (await link.take(job, job.id, job.target)), {
            signal: stop.signal,
            inboxPrefix: `_INBOX.${seat}`,
          }),
        )
        .catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        });
      return async () => {
        stop.abort();
        await nc.close();
        await running;
      };
    },
  };
}

it('runs each job once while the server and links are killed, and leaves no message', async () => {
  const resources = new AsyncDisposableStack();
  stack.push(resources);
  const server = resources.use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  for (const target of ['h_a', 'h_b', POOL]) await addQueue(admin.nc, target, { ackWaitMs: 2000 });
  const orchestrator = await server.member(keys, 'orchestrator', 'orch');
  const journal: string[] = [];
  const seats = [
    await startSeat(server, 'h_a', journal, resources),
    await startSeat(server, 'h_b', journal, resources),
  ];
  const lives = await Promise.all(seats.map((seat) => seat.live()));
  resources.defer(async () => {
    for (const end of lives) await end();
  });

  const jobs = Array.from({ length: 20 }, (_, index): Job => {
    const id = `j${index}`;
    return {
      v: 1,
      target: [POOL, 'h_a', POOL, 'h_b'][index % 4] ?? POOL,
      id,
      at: Date.now(),
      notAfter: Date.now() + 900_000,
      runMs: 600_000,
      steps: [
        { action: 'bind-to-window', input: { title: 'Notepad' } },
        { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.1` } },
        { action: 'type-into-element', input: { name: 'Save draft', text: `${id}.2` } },
      ],
    };
  });
  const signer = signerFor(orchestrator.credential);
  const records = createRecords(orchestrator.nc);
  const recordFor = async ({ target, id }: Job): Promise<JobRecord | null> => {
    const kept = await records.read(target, id);
    if (kept === null) return null;
    const opened = open(kept.text, { kind: 'record', target, id }, trust, Date.now());
    if ('refused' in opened) throw new Error(opened.refused);
    return recordOf(opened.body);
  };
  for (const [index, job] of jobs.entries()) {
    const text = seal({ kind: 'job', target: job.target, id: job.id }, job, signer);
    // an unanswered submission is sent again: that is all a submitter has to do
    await until(
      () =>
        submit(orchestrator.nc, job.target, job.id, text).then(
          () => true,
          () => false,
        ),
      job.id,
    );
    if (index % 3 === 1) {
      const seat = index % 2;
      await lives[seat]?.();
      lives[seat] = (await seats[seat]?.live()) ?? (() => Promise.resolve());
    }
    if (index % 7 === 6) {
      await server.kill();
      await server.run();
    }
  }
  const ended = await until(
    async () => {
      const all = await Promise.all(jobs.map((job) => recordFor(job).catch(() => null)));
      return all.every((record) => record?.state === 'ended') ? all : null;
    },
    'every outcome',
    200_000,
  );
  expect(ended.map((record) => record?.outcome?.status)).toEqual(jobs.map(() => 'succeeded'));
  expect(journal.toSorted()).toEqual(jobs.flatMap(({ id }) => [`${id}.1`, `${id}.2`]).toSorted());
  for (const [stream, target] of [
    ['UIA_JOBS', 'h_a'],
    ['UIA_JOBS', 'h_b'],
    ['UIA_POOLS', POOL],
  ] as const) {
    const { num_pending, num_ack_pending } = await until(async () => {
      const reply = await admin.nc.request(`$JS.API.CONSUMER.INFO.${stream}.${target}`, '');
      const info = reply.json<{ num_pending: number; num_ack_pending: number }>();
      return info.num_ack_pending === 0 ? info : null;
    }, 'what was acknowledged');
    expect([num_pending, num_ack_pending]).toEqual([0, 0]);
  }
});
