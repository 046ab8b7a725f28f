/** What an orchestrator had under way when it was revoked: its running action, its card, its waiting jobs. */
import { afterEach, expect, it } from 'vitest';
import { UiaHostClient } from '../../src/client/client.ts';
import { findHost } from '../../src/client/locate.ts';
import { POLICY_SUBJECT } from '../../src/fleet/bus/names.ts';
import { sealPolicy } from '../../src/fleet/bus/policy.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { writeValue } from '../../src/fleet/bus/records.ts';
import { signerOf } from '../../src/fleet/bus/signed.ts';
import { createCredential, createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { hostOfUser, SeatHosts } from '../../src/fleet/link/seat-host.ts';
import { memberFolder, readMembership, rulesOf } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import { until } from '../support/until.ts';
import { SeatProcess } from './seat-process.ts';
import { inAnHour, TestServer } from './server.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const use = <T extends AsyncDisposable>(made: T): T => {
  open.push(() => Promise.resolve(made[Symbol.asyncDispose]()));
  return made;
};

const stepsOf = (text: string) => [
  { action: 'bind-to-window', input: { title: 'Notepad' } },
  { action: 'type-into-element', input: { name: 'Save draft', text } },
];

it('ends the running action, withdraws the card, and runs no job of an orchestrator that was revoked', async () => {
  const keys = createTenantKeys('A');
  const server = use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  const seats = { h_slow: 'full', h_card: 'control' } as const;
  const machines = Object.entries(seats).map(([name, level]) => ({ name, level, seat: use(new SeatProcess()) }));
  const stop = new AbortController();
  const start = async ({ name, level, seat }: (typeof machines)[number]): Promise<void> => {
    await addQueue(admin.nc, name);
    seat.join(await server.credentialFile(keys, 'seat', name), 'orders');
    await seat.startHost(level);
    const folder = memberFolder(seat.data);
    const membership = readMembership(folder);
    if (membership === null) throw new Error('it has not joined');
    const link = new Seat({
      folder,
      credential: membership.credential,
      rules: () => rulesOf(folder),
      hosts: new SeatHosts(hostOfUser(seat.data), (by) => membership.orchestrators[by] ?? null),
      signal: stop.signal,
      presenceMs: 300,
    }).run();
    open.push(() => (stop.abort(), link));
    await seat.ready();
  };
  await Promise.all(machines.map(start));
  const orders = await server.credentialFile(keys, 'orchestrator', 'orders');
  const revoked = use(await openFleet({ credential: orders }));
  const watching = use(await openFleet({ credential: await server.credentialFile(keys, 'viewer', 'looker') }));
  for (const { name } of machines)
    for (const text of ['slow', 'queued']) await revoked.submit(name, stepsOf(text), { idempotencyKey: text });

  const hosts = await Promise.all(
    machines.map(async ({ seat }) => {
      const { url } = await findHost(seat.data);
      const client = new UiaHostClient({
        url,
        token: 'agent-token-agent-token',
        operatorToken: 'operator-token-operator',
      });
      const cards = async () => (await client.listApprovals({ status: 'pending' })).approvals.length;
      return { client, cards };
    }),
  );
  const [slow, card] = hosts;
  await until(async () => (await card?.cards()) === 1, 'the card');
  await until(() => machines[0]?.seat.report()?.job === 'h_slow.slow', 'the action');

  const administrator = await createCredential(keys, 'administrator', 'admin', { expires: inAnHour() });
  const { jti } = JSON.parse(Buffer.from(orders.card?.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
  const policy = sealPolicy(
    { version: 1, revoked: [jti] },
    signerOf(administrator.card ?? '', administrator.seed ?? ''),
  );
  await writeValue(admin.nc, POLICY_SUBJECT, policy, 0);

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
