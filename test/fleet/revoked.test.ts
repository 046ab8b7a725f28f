/** What an orchestrator had under way when it was revoked: its running action, its card, its waiting jobs. */
import { decode } from '@nats-io/jwt';
import { expect, it } from 'vitest';
import { hostOfUser, SeatHosts } from '../../src/fleet/link/seat-host.ts';
import { memberFolder, readMembership, rulesOf } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { StandIn, stepsOf, TestTenant, use } from './tenant.ts';

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

  await tenant.publish({ version: 1, revoked: [decode(orders.card ?? '').jti] });

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
