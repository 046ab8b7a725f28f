/** What a member had under way or done when it was revoked: an orchestrator's action, card and jobs, a seat's outcomes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '@nats-io/jwt';
import { expect, it } from 'vitest';
import { hostOfUser, SeatHosts } from '../../src/fleet/link/seat-host.ts';
import { memberFolder, readMembership, rulesOf } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { StandIn, stepsOf, testFolder, TestTenant, use } from './tenant.ts';

it('ends the running action, withdraws the card, and runs no job of an orchestrator that was revoked', async () => {
  const seats = { h_slow: 'full', h_card: 'control' } as const;
  const tenant = await TestTenant.start(Object.keys(seats));
  const start = async ([name, level]: [string, string]) => {
    const seat = await tenant.machine(name, { level });
    const folder = memberFolder(seat.data);
    const membership = readMembership(folder);
    if (membership === null) throw new Error('it has not joined');
    const hosts = new SeatHosts(hostOfUser(seat.data), (by) => membership.orchestrators[by] ?? null);
    const { credential } = membership;
    use(new StandIn({ folder, credential, rules: () => rulesOf(folder), hosts, presenceMs: 300 }));
    await seat.ready();
    const client = await seat.client();
    return { name, seat, cards: async () => (await client.listApprovals({ status: 'pending' })).approvals.length };
  };
  const machines = await Promise.all(Object.entries(seats).map(start));
  const orders = await tenant.credential('orchestrator', 'orders');
  const revoked = await tenant.open(orders);
  const watching = await tenant.open(await tenant.credential('viewer', 'looker'));
  for (const { name } of machines)
    for (const text of ['slow', 'queued']) await revoked.submit(name, stepsOf(text), { idempotencyKey: text });

  const [slow, card] = machines;
  await until(async () => (await card?.cards()) === 1, 'the card');
  await until(() => slow?.seat.report()?.job === 'h_slow.slow', 'the action');

  await tenant.publish({ version: 2, revoked: [decode(orders.card ?? '').jti] });

  const ended = { step: 1, values: [expect.anything()] };
  const cancelled = { status: 'cancelled', code: 'orchestrator_revoked', delivery: 'not_delivered' };
  for (const target of ['h_slow', 'h_card'])
    expect(await watching.wait({ target, id: 'slow' })).toMatchObject({ ...ended, ...cancelled });
  expect([await slow?.cards(), await card?.cards()]).toEqual([0, 0]);
  // its waiting jobs leave the queue without a record, and nothing was typed
  for (const { name, seat } of machines) {
    await until(() => seat.report()?.refused === 1, `the refusal of ${name}`);
    expect(seat.report()?.lastRefusal).toContain('revoked');
    expect(seat.journal).toEqual([]);
  }
}, 120_000);

it('keeps the outcomes of a seat that was revoked, and ends the wait for the job that it had', async () => {
  const tenant = await TestTenant.start(['h_gone']);
  const credential = await tenant.credential('seat', 'h_gone');
  const fleet = await tenant.open();
  const viewer = await tenant.open(await tenant.credential('viewer', 'looker'));
  const folder = memberFolder(testFolder());
  const seat = await tenant.standIn('h_gone', { folder, credential, presenceMs: 300 });
  const asked = (ms: number) => [{ action: 'a', input: { ms } }];
  const done = { target: 'h_gone', id: 'done' };
  await fleet.run('h_gone', asked(0), { idempotencyKey: done.id });
  const running = await fleet.submit('h_gone', asked(60_000), { idempotencyKey: 'running' });
  await until(async () => (await fleet.hosts())[0]?.job === 'h_gone.running', 'the job');
  void seat.end();
  await sleep(1100);
  const card = decode(credential.card ?? '').jti;
  await tenant.publish({ version: 2, revoked: [card], revokedAt: [Math.floor(Date.now() / 1000)] });
  const ended = { status: 'unknown', delivery: 'unknown', code: 'seat_ended', retryable: false };
  for (const each of [viewer, fleet]) {
    expect(await each.wait(done)).toMatchObject({ status: 'succeeded', seat: 'h_gone' });
    expect(await each.wait(running)).toMatchObject(ended);
    expect(await each.hosts()).toMatchObject([{ seat: 'h_gone', state: 'ended' }]);
  }
  expect(await fleet.giveUp(done)).toMatchObject({ status: 'succeeded' });
  expect(await fleet.submit('h_gone', asked(0), { idempotencyKey: done.id })).toMatchObject({ isAgain: true });
}, 120_000);
