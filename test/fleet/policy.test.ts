/** The policy of a fleet: it reaches real hosts, takes away only, and the administrator alone changes it. */
import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { UiaHostClient } from '../../src/client/client.ts';
import { findHost } from '../../src/client/locate.ts';
import { POLICY_SUBJECT, STREAM } from '../../src/fleet/bus/names.ts';
import { sealPolicy, type FleetPolicy } from '../../src/fleet/bus/policy.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { readValue, writeValue } from '../../src/fleet/bus/records.ts';
import { signerOf } from '../../src/fleet/bus/signed.ts';
import { createCredential, createTenantKeys, type Credential } from '../../src/fleet/bus/tenant.ts';
import { memberFolder } from '../../src/fleet/link/membership.ts';
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

const STEPS = [
  { action: 'bind-to-window', input: { title: 'Notepad' } },
  { action: 'type-into-element', input: { name: 'Save draft', text: 'typed' } },
];
const signed = (policy: FleetPolicy, { card, seed }: Credential): string =>
  sealPolicy(policy, signerOf(card ?? '', seed ?? ''));

it('[policy.fleet] narrows all, a pool and a seat, and no forged, old or unsigned policy changes anything', async () => {
  const keys = createTenantKeys('A');
  const server = use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  for (const target of ['h_pc1', 'p_excel']) await addQueue(admin.nc, target);
  const seat = use(new SeatProcess());
  const credential = await server.credentialFile(keys, 'seat', 'h_pc1', ['p_excel']);
  seat.join(credential, 'orders');
  await seat.startHost();
  await seat.startLink();
  await seat.ready();
  const fleet = use(await openFleet({ credential: await server.credentialFile(keys, 'orchestrator', 'orders') }));
  const { url } = await findHost(seat.data);
  const client = new UiaHostClient({ url, token: 'agent-token-agent-token', operatorToken: 'operator-token-operator' });
  const inForce = () => client.getPolicy();

  const administrator = await createCredential(keys, 'administrator', 'admin', { expires: inAnHour() });
  const publish = async (text: string): Promise<void> => {
    const kept = await readValue(admin.nc, STREAM.policy, POLICY_SUBJECT);
    await writeValue(admin.nc, POLICY_SUBJECT, text, kept?.revision ?? 0);
  };
  /** A job, before which each link reads the policy. */
  const ask = (key: string) => fleet.run('h_pc1', STEPS, { idempotencyKey: key });
  expect(await ask('before')).toMatchObject({ status: 'succeeded' });
  const seatOf = async () => (await fleet.hosts())[0];

  const layers = {
    all: { deny: ['bank.exe'] },
    p_excel: { alwaysAsk: ['destructive'] },
    h_pc1: { level: 'observe' },
    h_other: { level: 'disabled' },
    p_other: { level: 'disabled' },
  };
  await publish(signed({ version: 5, revoked: [], layers }, administrator));
  await ask('tells');
  await until(async () => (await inForce()).level === 'observe', 'the level');
  expect(await inForce()).toMatchObject({ deny: ['bank.exe'], alwaysAsk: expect.arrayContaining(['destructive']) });
  expect(await ask('narrowed')).toMatchObject({ status: 'failed', step: 1, delivery: 'not_delivered' });
  await until(async () => (await seatOf())?.policyVersion === 5 && (await seatOf())?.level === 'observe', 'presence');

  const stranger = await createCredential(createTenantKeys('A'), 'administrator', 'admin', { expires: inAnHour() });
  const thief = await createCredential(keys, 'seat', 'h_pc1', { pools: ['p_excel'], expires: inAnHour() });
  const looser = { version: 9, revoked: [], layers: { all: { level: 'full' } } };
  const folder = memberFolder(seat.data);
  const kept = readFileSync(folder.layers, 'utf8');
  expect(Object.keys(JSON.parse(kept) as object)).toEqual(['all', 'p_excel', 'h_pc1']);
  const followed = readFileSync(folder.policy, 'utf8');
  for (const [index, text] of [
    JSON.stringify(looser),
    signed(looser, stranger),
    signed(looser, thief),
    signed({ ...looser, version: 4 }, administrator),
    signed({ ...looser, version: 5 }, administrator),
    signed(looser, administrator).replace('"version":9', '"version":8'),
  ].entries()) {
    await publish(text);
    await ask(`forged ${index}`);
    // what the link had written before it took that job
    expect([readFileSync(folder.layers, 'utf8'), readFileSync(folder.policy, 'utf8')]).toEqual([kept, followed]);
  }
  expect([seat.report()?.policyVersion, (await inForce()).level]).toEqual([5, 'observe']);

  // what another program took out of its file is back with the link
  await seat.killLink();
  writeFileSync(folder.layers, '{}');
  await seat.startLink();
  await until(() => readFileSync(folder.layers, 'utf8') === kept, 'the layer');

  await publish(signed({ version: 6, revoked: [] }, administrator));
  await until(() => !existsSync(folder.layers), 'the end of the layer', 60_000);
  await until(async () => (await inForce()).level === 'full', 'the level');
  expect(await ask('after')).toMatchObject({ status: 'succeeded' });
}, 240_000);

it('[policy.fleet] takes no job while the policy cannot be given to hosts, and does not claim its version', async () => {
  const keys = createTenantKeys('A');
  const server = use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  await addQueue(admin.nc, 'h_pc1');
  const seat = use(new SeatProcess());
  seat.join(await server.credentialFile(keys, 'seat', 'h_pc1'), 'orders');
  await seat.startHost();
  // a file where the folder must be
  writeFileSync(join(memberFolder(seat.data).folder, 'policy'), '');
  const administrator = await createCredential(keys, 'administrator', 'admin', { expires: inAnHour() });
  const layers = { all: { level: 'observe' } };
  await writeValue(admin.nc, POLICY_SUBJECT, signed({ version: 3, revoked: [], layers }, administrator), 0);
  await seat.startLink();
  await until(() => seat.report()?.takesNoJob === 'policy_not_written', 'the reason');
  expect(seat.report()?.policyVersion).toBe(0);
}, 120_000);
