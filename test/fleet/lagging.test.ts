/** A seat whose own presence is read from a server of a cluster that has not caught up. */
import { expect, it, vi } from 'vitest';
import type { Value } from '../../src/fleet/bus/records.ts';
import { memberFolder, readReport } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { testFolder, TestTenant } from './tenant.ts';

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
  const tenant = await TestTenant.start(['h_one']);
  const folder = memberFolder(testFolder());
  await tenant.standIn('h_one', { folder });
  const said = new Set<string | null | undefined>();
  await until(() => {
    said.add(readReport(folder)?.takesNoJob);
    return said.has(null);
  }, 'a seat that takes jobs');
  expect(lagging).toBe(0);
  expect([...said]).not.toContain('clock');
}, 60_000);
