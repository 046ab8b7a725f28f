/** The policy of a fleet: it reaches real hosts, takes away only, and the administrator alone changes it. */
import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { sealPolicy, type FleetPolicy } from '../../src/fleet/bus/policy.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { stepsOf, TestTenant } from './tenant.ts';

const signed = (policy: FleetPolicy, by: CredentialFile): string => sealPolicy(policy, signerOfCredential(by));

it('[policy.fleet] narrows all, a pool and a seat, and no forged, old or unsigned policy changes anything', async () => {
  const tenant = await TestTenant.start(['h_pc1', 'p_excel']);
  const seat = await tenant.machine('h_pc1', { pools: ['p_excel'] });
  await seat.startLink();
  await seat.ready();
  const fleet = await tenant.open();
  const client = await seat.client();
  const inForce = () => client.getPolicy();

  const administrator = await tenant.credential('administrator', 'admin');
  /** A job, before which each link reads the policy. */
  const ask = (key: string) => fleet.run('h_pc1', stepsOf('typed'), { idempotencyKey: key });
  expect(await ask('before')).toMatchObject({ status: 'succeeded' });
  const seatOf = async () => (await fleet.hosts())[0];

  const layers = {
    all: { deny: ['bank.exe'] },
    p_excel: { alwaysAsk: ['destructive'] },
    h_pc1: { level: 'observe' },
    h_other: { level: 'disabled' },
    p_other: { level: 'disabled' },
  };
  await tenant.publish({ version: 5, revoked: [], layers });
  await ask('tells');
  await until(async () => (await inForce()).level === 'observe', 'the level');
  expect(await inForce()).toMatchObject({ deny: ['bank.exe'], alwaysAsk: expect.arrayContaining(['destructive']) });
  expect(await ask('narrowed')).toMatchObject({ status: 'failed', step: 1, delivery: 'not_delivered' });
  await until(async () => (await seatOf())?.policyVersion === 5 && (await seatOf())?.level === 'observe', 'presence');

  const stranger = await tenant.server.credentialFile(createTenantKeys('A'), 'administrator', 'admin');
  const thief = await tenant.credential('seat', 'h_pc1', ['p_excel']);
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
    await tenant.publish(text);
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

  await tenant.publish({ version: 6, revoked: [] });
  await until(() => !existsSync(folder.layers), 'the end of the layer', 60_000);
  await until(async () => (await inForce()).level === 'full', 'the level');
  expect(await ask('after')).toMatchObject({ status: 'succeeded' });
}, 240_000);

it('[policy.fleet] takes no job while the policy cannot be given to hosts, and does not claim its version', async () => {
  const tenant = await TestTenant.start(['h_pc1']);
  const seat = await tenant.machine('h_pc1');
  // a file where the folder must be
  writeFileSync(join(memberFolder(seat.data).folder, 'policy'), '');
  await tenant.publish({ version: 3, revoked: [], layers: { all: { level: 'observe' } } });
  await seat.startLink();
  await until(() => seat.report()?.takesNoJob === 'policy_not_written', 'the reason');
  expect(seat.report()?.policyVersion).toBe(0);
}, 120_000);
