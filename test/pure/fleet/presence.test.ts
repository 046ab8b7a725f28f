/** Who is called gone: by the server's time, and only when the server was there meanwhile. */
import { beforeAll, describe, expect, it } from 'vitest';
import { PRESENCE_MS, seatsOf, type Presence } from '../../../src/fleet/bus/presence.ts';
import { PolicyTrust, sealPolicy } from '../../../src/fleet/bus/policy.ts';
import { seal, type Signer } from '../../../src/fleet/bus/signed.ts';
import { createTenant } from './cards.ts';

const tenant = createTenant();
/** The server's clock is an hour off. */
const OFF = 3_600_000;
const NOW = Date.now();
let signers: Record<string, Signer>;
beforeAll(async () => {
  signers = { h_a: await tenant.signer('seat', 'h_a'), h_b: await tenant.signer('seat', 'h_b') };
});

/** A value that was stored some intervals ago, on a connection of some intervals. */
function value(
  seat: string,
  ago: number,
  connectedFor: number | null = null,
  signer = signers[seat],
  said: Partial<Presence> = {},
) {
  const presence: Presence = {
    v: 1,
    everyMs: PRESENCE_MS,
    ledger: 'l',
    pools: [],
    version: '1',
    level: 'full',
    finding: null,
    takesNoJob: null,
    job: null,
    policyVersion: 0,
    clock: Math.round(NOW + OFF - ago * PRESENCE_MS),
    since: connectedFor === null ? null : Math.round(NOW + OFF - ago * PRESENCE_MS - connectedFor * PRESENCE_MS),
    ...said,
  };
  if (signer === undefined) throw new Error('no signer');
  const text = seal({ kind: 'presence', target: seat, id: seat }, presence, signer);
  return { subject: `$KV.uia_hosts.${seat}`, text, at: NOW + OFF - ago * PRESENCE_MS };
}

const statesOf = (values: ReturnType<typeof value>[], readerFor: number) =>
  Object.fromEntries(
    seatsOf(values, {
      aheadMs: OFF,
      since: NOW - readerFor * PRESENCE_MS,
      now: NOW,
      trust: tenant.trust,
    }).map(({ seat, state }) => [seat, state]),
  );

describe('a seat', () => {
  it.each([
    ['present within an interval', 0.9, 10, 'present'],
    ['late after a value that it missed', 2, 10, 'late'],
    ['gone after three', 3.1, 10, 'gone'],
    ['not gone for a reader that connected just now', 100, 0, 'late'],
    ['not gone for a reader that has been there for less than three', 100, 2.9, 'late'],
  ] as const)('is %s', (_, ago, readerFor, state) => {
    expect(statesOf([value('h_a', ago)], readerFor)).toEqual({ h_a: state });
  });

  it('is gone for a new reader where another seat shows that the server was there', () => {
    expect(statesOf([value('h_a', 5), value('h_b', 0.5, 4)], 0)).toEqual({ h_a: 'gone', h_b: 'present' });
  });

  it('is not gone after a restart of the server, which every seat lost', () => {
    expect(statesOf([value('h_a', 5), value('h_b', 0.5, 1)], 0)).toEqual({ h_a: 'late', h_b: 'present' });
    expect(statesOf([value('h_a', 5, 100), value('h_b', 5, 100)], 0)).toEqual({ h_a: 'late', h_b: 'late' });
  });

  it('is not there by a value that it wrote an hour ago, unless its clock is wrong', () => {
    const said = { clock: NOW + OFF - 3_600_000 };
    expect(statesOf([value('h_a', 0, null, signers['h_a'], said)], 10)).toEqual({ h_a: 'gone' });
    const wrong = { ...said, takesNoJob: 'clock' };
    expect(statesOf([value('h_a', 0, null, signers['h_a'], wrong)], 10)).toEqual({ h_a: 'present' });
  });

  it('is not there by what another signed', () => {
    expect(statesOf([value('h_a', 0, null, signers['h_b'])], 10)).toEqual({});
  });
});

it('the policy is an administrator’s alone, and never goes back to an earlier version', async () => {
  const admin = await tenant.signer('administrator', 'administrator');
  const trust = new PolicyTrust(tenant.trust.issuer);
  const texts = [3, 2].map((version) => sealPolicy({ version, revoked: [`card-${version}`] }, admin));
  expect(texts.map((text) => trust.learn(text, NOW))).toEqual([true, false]);
  expect([...trust.revoked]).toEqual(['card-3']);
  const forged = sealPolicy({ version: 9, revoked: [] }, await tenant.signer('orchestrator', 'orders'));
  expect(trust.learn(forged, NOW)).toBe(false);
  expect(trust.version).toBe(3);
});

it('shows no seat with the name of a pool, for which its members sign records', async () => {
  const member = await tenant.signer('seat', 'h_a', { pools: ['p_x'] });
  expect(statesOf([value('h_a', 0, null, member), value('p_x', 0, null, member)], 10)).toEqual({ h_a: 'present' });
});
