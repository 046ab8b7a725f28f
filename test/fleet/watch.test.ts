/** Watching a job over cuts of the watcher's connection: each step once and in its order, and at last the outcome. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UiaHostClient } from '../../src/client/client.ts';
import { findHost } from '../../src/client/locate.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder, rulesOf, writePrivately, type Membership } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { FleetEvent } from '../../src/fleet/orchestrator/types.ts';
import { Proxy } from './proxy.ts';
import { SeatProcess } from './seat-process.ts';
import { TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

const SEAT = 'h_b=c3=bcro';
const STEPS = Array.from({ length: 12 }, () => ({ action: 'press-keys', input: { ms: 150 } }));
/** What the seat tells of them. */
const TOLD = STEPS.flatMap((_, step) => [`${step} begun`, `${step} succeeded`]);

it('tells each step once over a reset and a silent cut, and continues after a sequence', async () => {
  const keys = createTenantKeys('A');
  await using server = await TestServer.start([keys]);
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  await addQueue(admin.nc, SEAT);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'uiahost-watch-'));
  const credential = await server.credentialFile(keys, 'seat', SEAT);
  const membership: Membership = {
    format: 'uiahost fleet membership 1',
    credential,
    orchestrators: { orders: { tokenId: 'stand-in', token: 'stand-in' } },
  };
  const stop = new AbortController();
  const hosts = standInHost(SEAT, join(dataDirectory, 'journal.txt'));
  const folder = memberFolder(dataDirectory);
  writePrivately(folder.file, membership);
  const link = new Seat({
    folder,
    credential: membership.credential,
    rules: () => rulesOf(folder),
    hosts,
    signal: stop.signal,
  }).run();
  await using proxy = await Proxy.start(server.port);
  const orders = await server.credentialFile(keys, 'orchestrator', 'orders');
  const servers = [`nats://127.0.0.1:${proxy.port}`];
  await using fleet = await openFleet({ credential: orders });
  await using watcher = await openFleet({ credential: { ...orders, servers } });
  const job = await fleet.submit(SEAT, STEPS);
  const seen: FleetEvent[] = [];
  for await (const event of watcher.watch(job)) {
    seen.push(event);
    if (event.step === 2 || event.step === 4) proxy.reset();
    if (event.step === 7 && event.what === 'begun') {
      proxy.silence();
      await sleep(500);
      proxy.reset();
    }
  }
  expect(seen.slice(0, -1).map(({ step, what }) => `${step} ${what}`)).toEqual(TOLD);
  expect(seen.at(-1)).toMatchObject({ type: 'ended', seat: SEAT, outcome: { status: 'succeeded' } });

  // a watcher that came late, or starts again, gets the rest
  const rest: FleetEvent[] = [];
  for await (const event of fleet.watch(job, { after: seen[9]?.sequence })) rest.push(event);
  expect(rest.slice(0, -1)).toEqual(seen.slice(10, -1));
  const ended = AbortSignal.timeout(300);
  for await (const event of fleet.watch({ target: SEAT, id: 'never' }, { signal: ended })) expect(event).toBeNull();
  stop.abort();
  expect(await link).toBe('stopped');
  rmSync(dataDirectory, { recursive: true, force: true });
}, 240_000);

it('tells no outcome of another job with the same key, and nothing of steps for a job cancelled before it began', async () => {
  const keys = createTenantKeys('A');
  await using server = await TestServer.start([keys]);
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  await addQueue(admin.nc, SEAT);
  await using fleet = await openFleet({ credential: await server.credentialFile(keys, 'orchestrator', 'orders') });
  const submit = (idempotencyKey: string, steps: typeof STEPS) => fleet.submit(SEAT, steps, { idempotencyKey });
  // no seat is there: both wait in the queue
  const first = await submit('one', STEPS.slice(0, 1));
  const second = await submit('one', STEPS.slice(0, 2));
  expect([first.isAgain, second.isAgain]).toEqual([false, true]);
  const gone = await submit('gone', STEPS.slice(0, 1));
  await fleet.cancel(gone);
  expect(await submit('gone', STEPS.slice(0, 1))).toMatchObject({ isAgain: true });
  expect(await fleet.run(SEAT, STEPS.slice(0, 1), { idempotencyKey: 'gone' })).toMatchObject({ status: 'cancelled' });

  const folder = memberFolder(mkdtempSync(join(tmpdir(), 'uiahost-key-')));
  const stop = new AbortController();
  const link = new Seat({
    folder,
    credential: await server.credentialFile(keys, 'seat', SEAT),
    rules: () => ({
      orchestrators: { orders: { tokenId: 't', token: 't' } },
      viewers: {},
      isDrained: false,
      onlyWhenIdle: false,
    }),
    hosts: standInHost(SEAT, join(folder.folder, 'journal.txt')),
    signal: stop.signal,
  }).run();
  expect(await fleet.wait(first)).toMatchObject({ status: 'succeeded', values: [expect.anything()] });
  await expect(fleet.wait(second)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  stop.abort();
  await link;
}, 120_000);

it('reports a card once when it comes, and once when it is decided', async () => {
  const keys = createTenantKeys('A');
  await using server = await TestServer.start([keys]);
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  await addQueue(admin.nc, SEAT);
  await using seat = new SeatProcess();
  seat.join(await server.credentialFile(keys, 'seat', SEAT), 'orders');
  await seat.startHost('control');
  await seat.startLink();
  await using fleet = await openFleet({ credential: await server.credentialFile(keys, 'orchestrator', 'orders') });
  const { url } = await findHost(seat.data);
  const client = new UiaHostClient({ url, token: 'agent-token-agent-token', operatorToken: 'operator-token-operator' });
  const steps = [
    { action: 'bind-to-window', input: { title: 'Notepad' } },
    { action: 'type-into-element', input: { name: 'Save draft', text: 'typed' } },
  ];
  for (const decision of ['approve', 'deny'] as const) {
    const from = Date.now();
    const job = await fleet.submit(SEAT, steps, { idempotencyKey: decision, runMs: 60_000 });
    const seen: FleetEvent[] = [];
    for await (const event of fleet.watch(job)) {
      if (event.step === 1 || event.type === 'ended') seen.push(event);
      if (event.what !== 'waiting') continue;
      const { approvals } = await client.listApprovals({ status: 'pending' });
      expect(approvals).toMatchObject([{ approvalId: event.approvalId }]);
      // the card is withdrawn with the job, which may have begun a little later
      expect(event.until).toBeGreaterThanOrEqual(from + 60_000);
      // a person may take their time: nothing is reported again
      await sleep(1000);
      await client.decideApproval(event.approvalId ?? '', { decision });
    }
    const ended = decision === 'approve' ? 'succeeded' : 'failed';
    expect(seen.map(({ what, outcome }) => what ?? outcome?.status)).toEqual([
      'begun',
      'waiting',
      'decided',
      ended,
      ended,
    ]);
  }
  expect(seat.journal).toEqual(['typed']);
}, 240_000);
