/** Watching a job over cuts of the watcher's connection: each step once and in its order, and at last the outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FleetEvent } from '../../src/fleet/orchestrator/types.ts';
import { Proxy } from './proxy.ts';
import { stepsOf, TestTenant, use } from './tenant.ts';

const SEAT = 'h_b=c3=bcro';
const STEPS = Array.from({ length: 12 }, () => ({ action: 'press-keys', input: { ms: 150 } }));
/** What the seat tells of them. */
const TOLD = STEPS.flatMap((_, step) => [`${step} begun`, `${step} succeeded`]);

it('tells each step once over a reset and a silent cut, and continues after a sequence', async () => {
  const tenant = await TestTenant.start([SEAT]);
  const link = await tenant.standIn(SEAT);
  const proxy = use(await Proxy.start(tenant.server.port));
  const orders = await tenant.credential('orchestrator', 'orders');
  const fleet = await tenant.open(orders);
  const watcher = await tenant.open({ ...orders, servers: [`nats://127.0.0.1:${proxy.port}`] });
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
  expect(await link.end()).toBe('stopped');
}, 240_000);

it('tells no outcome of another job with the same key, and nothing of steps for a job cancelled before it began', async () => {
  const tenant = await TestTenant.start([SEAT]);
  const fleet = await tenant.open();
  const submit = (idempotencyKey: string, steps: typeof STEPS) => fleet.submit(SEAT, steps, { idempotencyKey });
  // no seat is there: both wait in the queue
  const first = await submit('one', STEPS.slice(0, 1));
  const second = await submit('one', STEPS.slice(0, 2));
  expect([first.isAgain, second.isAgain]).toEqual([false, true]);
  const gone = await submit('gone', STEPS.slice(0, 1));
  await fleet.cancel(gone);
  expect(await submit('gone', STEPS.slice(0, 1))).toMatchObject({ isAgain: true });
  expect(await fleet.run(SEAT, STEPS.slice(0, 1), { idempotencyKey: 'gone' })).toMatchObject({ status: 'cancelled' });

  await tenant.standIn(SEAT);
  expect(await fleet.wait(first)).toMatchObject({ status: 'succeeded', values: [expect.anything()] });
  await expect(fleet.wait(second)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
}, 120_000);

it('reports a card once when it comes, and once when it is decided', async () => {
  const tenant = await TestTenant.start([SEAT]);
  const seat = await tenant.machine(SEAT, { level: 'control' });
  await seat.startLink();
  const fleet = await tenant.open();
  const client = await seat.client();
  for (const decision of ['approve', 'deny'] as const) {
    const from = Date.now();
    const job = await fleet.submit(SEAT, stepsOf('typed'), { idempotencyKey: decision, runMs: 60_000 });
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
