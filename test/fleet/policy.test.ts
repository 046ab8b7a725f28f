/** The policy of a fleet: the administrator alone changes it, and it says whose cards are valid no longer. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { sealPolicy, type FleetPolicy } from '../../src/fleet/bus/policy.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { stepsOf, TestTenant } from './tenant.ts';

const signed = (policy: FleetPolicy, by: CredentialFile): string => sealPolicy(policy, signerOfCredential(by));

it('no forged, old or unsigned policy changes anything, and with an expired one no job is taken', async () => {
  const tenant = await TestTenant.start(['h_pc1', 'p_excel']);
  const seat = await tenant.machine('h_pc1', { pools: ['p_excel'] });
  await seat.startLink();
  await seat.ready();
  const fleet = await tenant.open();
  const administrator = await tenant.credential('administrator', 'admin');
  /** A job, before which each link reads the policy. */
  const ask = (key: string) => fleet.run('h_pc1', stepsOf('typed'), { idempotencyKey: key });
  const seatOf = async () => (await fleet.hosts())[0];

  await tenant.publish({ version: 5, revoked: [] });
  expect(await ask('tells')).toMatchObject({ status: 'succeeded' });
  await until(async () => (await seatOf())?.policyVersion === 5, 'presence');

  const stranger = await tenant.server.credentialFile(createTenantKeys('A'), 'administrator', 'admin');
  const thief = await tenant.credential('seat', 'h_pc1', ['p_excel']);
  const other: FleetPolicy = { version: 9, revoked: ['a card'] };
  const { policy } = memberFolder(seat.data);
  const followed = readFileSync(policy, 'utf8');
  for (const [index, text] of [
    JSON.stringify(other),
    signed(other, stranger),
    signed(other, thief),
    signed({ ...other, version: 4 }, administrator),
    signed({ ...other, version: 5 }, administrator),
    signed(other, administrator).replace('"version":9', '"version":8'),
  ].entries()) {
    await tenant.publish(text);
    await ask(`forged ${index}`);
    expect(readFileSync(policy, 'utf8')).toBe(followed);
  }
  const takesNoJob = (reason: string | null) =>
    until(() => seat.report()?.takesNoJob === reason, String(reason), 60_000);
  await tenant.publish({ version: 6, revoked: [], until: Date.now() - 1 });
  await takesNoJob('policy_old');
  await tenant.publish({ version: 7, revoked: [] });
  await takesNoJob(null);
}, 240_000);
