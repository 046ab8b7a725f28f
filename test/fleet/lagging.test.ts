/** A seat whose own presence is read from a server of a cluster that has not caught up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Value } from '../../src/fleet/bus/records.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder, readReport } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { until } from '../support/until.ts';
import { TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

/** How often a presence is read as it was two minutes ago. */
let lagging = 3;
vi.mock('../../src/fleet/bus/records.ts', async (original) => {
  const real = await original<typeof import('../../src/fleet/bus/records.ts')>();
  const readValue = async (...given: Parameters<typeof real.readValue>): Promise<Value | null> => {
    const value = await real.readValue(...given);
    if (value === null || !given[2].startsWith('$KV.uia_hosts') || lagging === 0) return value;
    lagging -= 1;
    return { ...value, revision: value.revision - 1, at: value.at - 120_000 };
  };
  return { ...real, readValue };
});

it('takes jobs as soon as its own presence is read, and blames no clock meanwhile', async () => {
  const keys = createTenantKeys('A');
  await using server = await TestServer.start([keys]);
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  await addQueue(admin.nc, 'h_one');
  const data = mkdtempSync(join(tmpdir(), 'uiahost-lagging-'));
  const folder = memberFolder(data);
  const stop = new AbortController();
  const link = new Seat({
    folder,
    credential: await server.credentialFile(keys, 'seat', 'h_one'),
    rules: () => ({
      orchestrators: { orders: { tokenId: 'stand-in', token: 'stand-in' } },
      isDrained: false,
      onlyWhenIdle: false,
      viewers: {},
    }),
    hosts: standInHost('h_one', join(data, 'journal.txt')),
    signal: stop.signal,
  }).run();
  const said = new Set<string | null | undefined>();
  await until(() => {
    said.add(readReport(folder)?.takesNoJob);
    return said.has(null);
  }, 'a seat that takes jobs');
  expect(lagging).toBe(0);
  expect([...said]).not.toContain('clock');
  stop.abort();
  await link;
  rmSync(data, { recursive: true, force: true });
}, 60_000);
