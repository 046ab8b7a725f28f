/** What a fleet's administrators set: whatever it is, it only takes away; what cannot be understood never counts as nothing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { AlwaysAsk, defaultPolicy, Flag, Level, Tier, type Policy } from '../../../../src/contract/gate/permissions.ts';
import { fleetFolders, readFleetLayers } from '../../../../src/policy/file/machine-layers.ts';
import { comparePolicies } from '../../../../src/policy/file/loosening.ts';
import { FleetPolicyFile, PolicyFile } from '../../../../src/policy/file/policy-file.ts';
import { PolicyStore, type PolicyStoreOptions } from '../../../../src/policy/file/policy-store.ts';
import { until } from '../../../support/until.ts';

const open: Array<() => void> = [];
afterEach(() => {
  for (const close of open.splice(0).reverse()) close();
});

/** A data directory with what its link wrote. */
function dataWith(files: Readonly<Record<string, unknown>>) {
  const root = mkdtempSync(join(tmpdir(), 'uiahost-layers-'));
  open.push(() => rmSync(root, { recursive: true }));
  const fleet = join(root, 'fleet', 'policy');
  const write = (name: string, content: unknown): void => {
    mkdirSync(fleet, { recursive: true });
    writeFileSync(join(fleet, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { root, fleet, write };
}

async function storeOf(root: string, options: Partial<PolicyStoreOptions> = {}): Promise<PolicyStore> {
  const store = await PolicyStore.open({
    path: join(root, 'policy.json'),
    fleetFolders: fleetFolders(root, null),
    defaults: defaultPolicy('full'),
    ...options,
  });
  open.push(() => store.close());
  return store;
}

const some = <T>(all: readonly T[]) => fc.uniqueArray(fc.constantFrom(...all));
const apps = some(['excel.exe', 'C:\\a\\b.exe', 'notepad.exe']);
const pages = fc.option(some(['https://a.example', 'https://*.a.example', 'https://b.example/x']));
const limits = {
  actionsPerMinute: fc.constantFrom(1, 60, 6000),
  maxActions: fc.option(fc.constantFrom(1, 200)),
  maxDurationMs: fc.option(fc.constantFrom(1000, 60_000)),
};
const parts = {
  level: fc.constantFrom(...Level.options),
  deny: apps,
  alwaysAsk: some(AlwaysAsk.options),
  flags: some(Flag.options),
  pages,
  elementsOnly: fc.boolean(),
  coordinateProposals: fc.boolean(),
  remoteControlMemory: fc.boolean(),
  allowInsecureUrls: fc.boolean(),
};
const layer = fc.record({ ...parts, limits: fc.record(limits, { requiredKeys: [] }) }, { requiredKeys: [] });
const grants = apps.chain((named) =>
  fc.tuple(...named.map((app) => fc.record({ app: fc.constant(app), tier: fc.constantFrom(...Tier.options) }))),
);
const user = fc.record({ ...parts, grants, limits: fc.record(limits) });

describe('what a fleet sets', () => {
  it('[policy.fleet] only takes away, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(user, fc.dictionary(fc.constantFrom('all', 'p_x', 'h_y'), layer), async (own, scopes) => {
        const { root, write } = dataWith({});
        const defaults: Policy = { ...defaultPolicy('full'), ...own };
        const before = (await storeOf(root, { defaults })).get().policy;
        write('h_y.json', scopes);
        const after = (await storeOf(root, { defaults })).get().policy;
        const { loosened, other } = comparePolicies(before, after);
        expect([loosened, other.filter((each) => each !== 'the order of a list')]).toEqual([[], []]);
        for (const each of Object.values(scopes)) {
          if (each.level !== undefined)
            expect(comparePolicies(after, { ...after, level: each.level }).narrowed).toEqual([]);
          expect(after.deny).toEqual(expect.arrayContaining(each.deny ?? []));
          expect(after.alwaysAsk).toEqual(expect.arrayContaining(each.alwaysAsk ?? []));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('[policy.fleet] has no part that can allow, or set up a host', () => {
    for (const part of Object.keys(PolicyFile.shape))
      if (!(part in FleetPolicyFile.shape))
        expect(['$schema', 'grants', 'keepPictures', 'approvals', 'retention', 'source', 'host']).toContain(part);
    for (const wrong of [
      { level: 'ful' },
      { grants: [{ app: 'a.exe', tier: 'full' }] },
      { approvals: { surfaces: ['overlay'] } },
      { host: {} },
      { levle: 'observe' },
    ])
      expect(FleetPolicyFile.safeParse(wrong).success).toBe(false);
  });

  it('[policy.fleet] is followed while a host runs, named as a source, and gone with its file', async () => {
    const { root, fleet, write } = dataWith({});
    const store = await storeOf(root);
    write('h_pc1.json', { all: { level: 'control' }, p_excel: { deny: ['bank.exe'] } });
    await until(
      () => store.get().policy,
      ({ level, deny }) => level === 'control' && deny.includes('bank.exe'),
    );
    const level = store.settings().find(({ setting }) => setting === 'level');
    expect(level).toMatchObject({ layer: 'fleet', place: `all: ${join(fleet, 'h_pc1.json')}` });
    rmSync(join(fleet, 'h_pc1.json'));
    await until(() => store.get().policy.level === 'full', 'the end of the layer');
  });

  it('[policy.fleet] is refused where it cannot be understood: no start, and the last valid one while a host runs', async () => {
    const { root, write } = dataWith({ 'h_pc1.json': { all: { level: 'observe' } } });
    const refused: string[] = [];
    const store = await storeOf(root, { onRefused: (file) => void refused.push(file) });
    for (const wrong of ['', '[]', '{"all":{"level":"ful"}}', '{"all":{"grants":[]}}', '{"all":{},"all":{}}']) {
      write('h_pc1.json', wrong);
      expect(readFleetLayers(fleetFolders(root, null)).refused).toHaveLength(1);
      await expect(storeOf(root)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('h_pc1.json') as string,
      });
    }
    await store.reload();
    expect([store.get().policy.level, refused.length > 0]).toEqual(['observe', true]);
    // a file that its link has not finished is not looked at
    write('h_pc1.json', { all: { level: 'observe' } });
    write('h_pc1.json.17', '{');
    await storeOf(root);
  });
});
