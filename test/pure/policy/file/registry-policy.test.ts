/** Group Policy's values: how they are judged, how they narrow, and where each value in force comes from. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  PolicyRegistryContent,
  RegistryContent,
  RegistryEntry,
} from '../../../../src/contract/gate/registry-content.ts';
import type { PolicySetting } from '../../../../src/contract/gate/policy-sources.ts';
import { describeSources } from '../../../../src/cli/policy-commands.ts';
import { DEFAULT_PORT, readConfig } from '../../../../src/host/home/config.ts';
import { narrowListen } from '../../../../src/host/home/listen-policy.ts';
import { PolicyStore } from '../../../../src/policy/file/policy-store.ts';
import { registryPolicy } from '../../../../src/policy/file/registry-policy.ts';
import { defaultPolicy } from '../../../../src/contract/gate/permissions.ts';
import { loosened } from '../../../../src/policy/file/loosening.ts';
import {
  machineHost,
  narrowByMachine,
  NO_LAYERS,
  type MachineSettings,
} from '../../../../src/policy/file/machine-layers.ts';
import { completePolicy, PolicyFile, put, readPolicy } from '../../../../src/policy/file/policy-file.ts';
import {
  isHostField,
  isMachineOnly,
  POLICY_KEY,
  REGISTRY_VALUES,
  type RegistryValue,
} from '../../../../src/policy/file/registry-values.ts';
import { failure as failureOf, thinkingPerson } from '../world.ts';

type Data = string | number | null | RegistryEntry | { readonly [name: string]: string | number | null };

/** A key from values as an administrator thinks of them: text, number, or a key of them. */
function content(name: string, values: Readonly<Record<string, Data>>): RegistryContent {
  const entries: RegistryEntry[] = [];
  const keys: RegistryContent[] = [];
  for (const [each, value] of Object.entries(values)) {
    if (typeof value === 'string') entries.push({ name: each, kind: 'REG_SZ', value });
    else if (typeof value === 'number') entries.push({ name: each, kind: 'REG_DWORD', value });
    else if (value === null) entries.push({ name: each, kind: 'REG_BINARY', value });
    else if ('kind' in value && 'value' in value) entries.push(value as RegistryEntry);
    else keys.push(content(each, value as Record<string, Data>));
  }
  return { name, entries, keys, unreadable: null };
}
const NO_POLICY_REGISTRY: PolicyRegistryContent = {
  machine: null,
  user: null,
  writable: { machine: null, user: null },
};
const HKLM = `HKEY_LOCAL_MACHINE\\${POLICY_KEY}`;
const HKCU = `HKEY_CURRENT_USER\\${POLICY_KEY}`;
const registry = (
  machine: Readonly<Record<string, Data>> | null,
  user: Readonly<Record<string, Data>> | null = null,
  writable: Partial<PolicyRegistryContent['writable']> = {},
): PolicyRegistryContent => ({
  machine: machine === null ? null : content(HKLM, machine),
  user: user === null ? null : content(HKCU, user),
  writable: { machine: null, user: null, ...writable },
});
const KEY = `${'A'.repeat(43)}=`;
const [HASH, OTHER_HASH] = ['a'.repeat(64), 'b'.repeat(64)];
const problemsOf = (found: PolicyRegistryContent): string[] =>
  registryPolicy(found).refused.map(({ file, problems }) => `${file}: ${problems[0]?.reason}`);

const hostOf = (values: Readonly<Record<string, Data>>, writable: string | null = null): MachineSettings =>
  machineHost(
    {
      file: null,
      isFileBelieved: true,
      registry: registryPolicy(registry(values, null, { machine: writable })).layers,
    },
    '',
  );

/** Every value of the table, with something that is valid. */
const EVERY: Readonly<Record<string, Data>> = {
  Level: 'observe',
  Grants: { 'C:\\Windows\\notepad.exe': 'click' },
  Deny: { 1: 'bank.exe', 2: 'mail.exe' },
  Pages: { 1: 'https://example.org' },
  Flags: { clipboardRead: 1, systemKeyCombos: 0 },
  ElementsOnly: 1,
  CoordinateProposals: 0,
  RemoteControlMemory: 0,
  AllowInsecureUrls: 0,
  AlwaysAsk: { financial: 1 },
  ApprovalSurfaces: { overlay: 1, api: 0 },
  ApprovalTimeoutMs: 30_000,
  ActionsPerMinute: 60,
  MaxActions: 20,
  MaxDurationMs: 60_000,
  KeepPictures: 0,
  AuditDays: 90,
  PictureDays: 3,
  SessionDays: 10,
  Address: '10.0.0.1',
  Names: { 1: 'pc1.example' },
  TlsKey: 'C:\\k.pem',
  TlsCertificate: 'C:\\c.pem',
  TlsPfx: 'C:\\c.pfx',
  TlsPassphraseFile: 'C:\\p',
  TlsStore: 'pc1',
  Users: { 1: 'EXAMPLE\\anna' },
  Groups: { 1: 'S-1-5-32-555' },
  Sessions: { console: 1, remote: 0 },
  OnDemand: 1,
  ApproverAddress: 'https://approve.example/cards',
  ApproverName: 'jane',
  ApproverKey: KEY,
  ApproverSecretFile: 'C:\\s',
  ApproverWaitMs: 60_000,
  ApproverPictures: 1,
  CollectorAddress: 'https://otel.example:4318',
  CollectorHeadersFile: 'C:\\h',
  CollectorTitles: 1,
  Fleet: 1,
  FleetDrain: 0,
  FleetOnlyWhenIdle: 1,
  FleetPools: { 1: 'p_excel' },
  FleetOrchestrators: { 1: 'orders' },
  FleetLive: { 1: 'anna' },
  FleetLedger: 'D:\\uiahost',
  NotificationIcon: 0,
  Tokens: {
    'fleet-orders': `scope=agent; sha256=${HASH}; expires=2030-01-01T00:00:00Z; level=observe; apps=a.exe|C:\\b c.exe`,
    desk: `Scope = operator;sha256=${OTHER_HASH};`,
  },
  TokensNotBefore: '2030-01-01T00:00:00.123Z',
  Port: 7500,
  AllowRemote: 0,
};

describe('values', () => {
  it('every value of the table is read into its part of the policy', () => {
    const { layers, refused } = registryPolicy(registry(EVERY));
    expect(refused).toEqual([]);
    expect(layers).toEqual([
      {
        name: HKLM,
        isAdministrators: true,
        policy: {
          level: 'observe',
          grants: [{ app: 'C:\\Windows\\notepad.exe', tier: 'click' }],
          deny: ['bank.exe', 'mail.exe'],
          pages: ['https://example.org'],
          flags: ['clipboardRead'],
          elementsOnly: true,
          coordinateProposals: false,
          remoteControlMemory: false,
          allowInsecureUrls: false,
          alwaysAsk: ['financial'],
          approvals: { surfaces: ['overlay'], timeoutMs: 30_000 },
          limits: { actionsPerMinute: 60, maxActions: 20, maxDurationMs: 60_000 },
          keepPictures: false,
          retention: { auditDays: 90, pictureDays: 3, sessionDays: 10 },
          host: {
            address: '10.0.0.1',
            port: 7500,
            allowRemote: false,
            names: ['pc1.example'],
            tls: {
              key: 'C:\\k.pem',
              certificate: 'C:\\c.pem',
              pfx: 'C:\\c.pfx',
              passphraseFile: 'C:\\p',
              store: 'pc1',
            },
            users: ['EXAMPLE\\anna'],
            groups: ['S-1-5-32-555'],
            sessions: ['console'],
            onDemand: true,
            approver: {
              address: 'https://approve.example/cards',
              name: 'jane',
              publicKey: KEY,
              secretFile: 'C:\\s',
              waitMs: 60_000,
              pictures: true,
            },
            collector: { address: 'https://otel.example:4318', headersFile: 'C:\\h', titles: true },
            fleet: {
              on: true,
              drain: false,
              onlyWhenIdle: true,
              pools: ['p_excel'],
              orchestrators: ['orders'],
              live: ['anna'],
              ledger: 'D:\\uiahost',
            },
            icon: false,
            tokensNotBefore: '2030-01-01T00:00:00.123Z',
            tokens: [
              {
                id: 'fleet-orders',
                scope: 'agent',
                sha256: HASH,
                expiresAt: '2030-01-01T00:00:00Z',
                level: 'observe',
                apps: ['a.exe', 'C:\\b c.exe'],
              },
              { id: 'desk', scope: 'operator', sha256: OTHER_HASH },
            ],
          },
        },
      },
    ]);
  });

  it('names are compared as Windows compares them; a default value and an empty key set nothing', () => {
    const found = registryPolicy(registry({ lEvEl: 'observe', '': 'x', deny: {}, FLAGS: {}, ApprovalSurfaces: {} }));
    expect([found.refused, found.layers.map(({ policy }) => policy)]).toEqual([[], [{ level: 'observe' }]]);
    expect(registryPolicy(registry({})).layers).toEqual([]);
    expect(registryPolicy(NO_POLICY_REGISTRY)).toMatchObject({ layers: [], refused: [] });
  });

  it('[policy.registry.refused] a value of another type, an unknown choice, and a value out of bounds are named by key and value', () => {
    const cases: ReadonlyArray<readonly [Readonly<Record<string, Data>>, string]> = [
      [{ Level: 1 }, 'Level: expected a text (REG_SZ), found REG_DWORD.'],
      [{ Level: 'ful' }, 'Level: expected disabled, observe, control, full, found "ful".'],
      [{ KeepPictures: '1' }, 'KeepPictures: expected a number (REG_DWORD), found REG_SZ.'],
      [{ KeepPictures: 2 }, 'KeepPictures: expected 1 or 0, found 2.'],
      [{ MaxActions: 0 }, 'MaxActions: too small: expected number to be >=1, found 0.'],
      [{ Port: 0 }, 'Port: expected a port (1 to 65535), found 0.'],
      [{ Deny: { 1: 5 } }, 'Deny\\1: expected a text (REG_SZ), found REG_DWORD.'],
      [{ Deny: 'bank.exe' }, 'Deny: expected a key with values, found a value.'],
      [{ Level: { x: 1 } }, 'Level: expected a value (REG_SZ), found a key.'],
      [{ Grants: { 'a.exe': 'ful' } }, 'Grants\\a.exe: expected read, click, full, found "ful".'],
    ];
    for (const [values, expected] of cases)
      for (const key of [HKLM, HKCU].slice(0, 'Port' in values ? 1 : 2))
        expect(problemsOf(key === HKLM ? registry(values) : registry(null, values))).toEqual([`${key}\\${expected}`]);
    for (const address of ['http://approve.example', 'https://a:b@approve.example', 'ftp://127.0.0.1', 'approve'])
      expect(problemsOf(registry({ ApproverAddress: address }))).toEqual([
        expect.stringMatching(/\\ApproverAddress: expected an https:\/\/ address/),
      ]);
    expect(problemsOf(registry({ ApproverAddress: 'fleet:' }))).toEqual([]);
    expect(problemsOf(registry({ Flags: { nope: 1 } }))).toEqual([expect.stringMatching(/\\Flags\\nope: expected /)]);
    const unreadable = { name: HKLM, entries: [], keys: [], unreadable: 'Windows error 5' };
    expect(problemsOf({ ...NO_POLICY_REGISTRY, machine: unreadable })).toEqual([
      `${HKLM}: the key cannot be read (Windows error 5).`,
    ]);
  });

  it('[policy.registry.unknown] a name that is not known is reported, and the others hold', () => {
    const found = registryPolicy(
      registry({ FutureSetting: 1, Level: 'observe', FutureKey: { x: 'y' }, Deny: { 1: 'bank.exe' } }),
    );
    expect(found.refused).toEqual([]);
    expect(found.layers.map(({ policy }) => policy)).toEqual([{ level: 'observe', deny: ['bank.exe'] }]);
    expect(found.unknown.toSorted()).toEqual([
      `${HKLM}\\FutureKey: unknown key; this version has no such policy.`,
      `${HKLM}\\FutureSetting: unknown value; this version has no such policy.`,
    ]);
  });

  it('[policy.registry.machine-only] port and access from other machines count in HKEY_LOCAL_MACHINE alone', () => {
    const found = registryPolicy(registry(null, { Port: 7500, AllowRemote: 0 }));
    expect([found.refused, found.layers]).toEqual([[], []]);
    const config = readConfig({ UIAHOST_DATA_DIR: tmpdir(), UIAHOST_PORT: '7600', UIAHOST_ALLOW_REMOTE: '1' });
    const narrowed = narrowListen(config, hostOf({ Port: 7500, AllowRemote: 0 }), {
      layer: 'environment',
      place: 'UIAHOST_PORT',
    });
    expect(narrowed.config).toMatchObject({ port: 7500, allowRemote: false });
    expect(narrowed.settings).toMatchObject([
      {
        setting: 'port',
        value: 7500,
        layer: 'registry_machine',
        place: `${HKLM}\\Port`,
        narrowed: [{ from: 7600, to: 7500 }],
      },
      { setting: 'allowRemote', value: false, layer: 'registry_machine' },
      { setting: 'address', value: '127.0.0.1', layer: 'default' },
      { setting: 'names', value: [], layer: 'default' },
    ]);
    const plain = narrowListen(readConfig({ UIAHOST_DATA_DIR: tmpdir() }), hostOf({ AllowRemote: 1 }), undefined);
    expect(plain.config).toMatchObject({ port: DEFAULT_PORT, allowRemote: true });
    expect(plain.config.hasIcon).toBeUndefined();
    expect(narrowListen(config, hostOf({ NotificationIcon: 0 }), undefined).config.hasIcon).toBe(false);
    expect(() => narrowListen({ ...config, address: '0.0.0.0' }, hostOf({ AllowRemote: 0 }), undefined)).toThrow(
      /AllowRemote is 0/,
    );
  });
});

describe('policy store', () => {
  let folder: string;
  const stores: PolicyStore[] = [];
  let now = NO_POLICY_REGISTRY;
  let notify: () => void = () => {};
  const path = (name = 'policy.json'): string => join(folder, name);
  const open = async (more: Partial<Parameters<typeof PolicyStore.open>[0]> = {}): Promise<PolicyStore> => {
    const store = await PolicyStore.open({
      path: path(),
      machinePath: path('machine.json'),
      registry: {
        read: () => registryPolicy(now),
        watch: (changed) => {
          notify = changed;
          return () => {
            notify = () => {};
          };
        },
      },
      ...more,
    });
    stores.push(store);
    return store;
  };
  const rowOf = (store: PolicyStore, name: string): PolicySetting =>
    store.settings().find(({ setting }) => setting === name)!;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uiahost-registry-'));
    now = NO_POLICY_REGISTRY;
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const store of stores.splice(0)) store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('[policy.registry.narrowing] layers only narrow: the lowest level, all denials, the smallest limits', async () => {
    await writeFile(
      path(),
      '{"level": "full", "deny": ["a.exe"], "flags": ["clipboardRead", "systemKeyCombos"], "limits": {"maxActions": 10}}',
    );
    await writeFile(path('machine.json'), '{"level": "control", "deny": ["b.exe"]}');
    now = registry(
      { Deny: { 1: 'c.exe' }, MaxActions: 50, Flags: { clipboardRead: 1 } },
      { Level: 'observe', Deny: { 1: 'd.exe' }, KeepPictures: 1 },
    );
    const { policy } = (await open()).get();
    expect(policy).toMatchObject({
      level: 'observe',
      flags: ['clipboardRead'],
      keepPictures: true,
      limits: { maxActions: 10 },
    });
    expect([...policy.deny].sort()).toEqual(['a.exe', 'b.exe', 'c.exe', 'd.exe']);
  });

  it('a missing level in the registry means no opinion, not disabled', async () => {
    await writeFile(path(), '{"level": "full"}');
    now = registry({ KeepPictures: 0 });
    const { policy } = (await open()).get();
    expect(policy).toMatchObject({ level: 'full', keepPictures: false, approvals: { surfaces: ['overlay', 'api'] } });
  });

  it('[policy.registry.refused] a host does not start with a value that it does not understand, and names it', async () => {
    now = registry({ Level: 7 });
    const failure = await failureOf(open());
    expect(failure.message).toContain(`${HKLM}\\Level`);
    expect(failure.hint).toContain('Group Policy');
  });

  it('[policy.registry.changes] a narrower value applies at once; a looser value waits for a person in an installed host', async () => {
    now = registry({ Level: 'control' });
    const { asked, agree, confirmLoosening } = thinkingPerson();
    const store = await open({ isInstalled: true, confirmLoosening });
    now = registry({ Level: 'observe' });
    notify();
    await expect.poll(() => store.get().policy.level).toBe('observe');
    now = registry({ Level: 'control', KeepPictures: 0 });
    notify();
    await expect.poll(() => asked).toEqual([['level: observe → control']]);
    expect(store.get().policy).toMatchObject({ level: 'observe', keepPictures: false });
    agree(true);
    await expect.poll(() => store.get().policy.level).toBe('control');
  });

  const HALF = Symbol('half of a text');
  const WELL = { ...EVERY, Level: 'control', ApprovalSurfaces: { approver: 1 }, MaxActions: 50 };
  const asFile = (bad?: readonly [field: string, value: unknown]): PolicyFile => {
    const file = structuredClone(registryPolicy(registry({ ...WELL, Tokens: {} })).layers[0]!.policy);
    if (bad !== undefined) put(file, ...bad);
    return file;
  };
  /** Values of a row that are not valid in a layer. */
  const badOf = (layer: string, { field, kind, ...row }: RegistryValue): readonly unknown[] => {
    const half = field === 'level' ? [HALF] : [];
    if (layer.startsWith('HKEY')) {
      if (layer === HKCU && isMachineOnly({ field, kind, ...row })) return [];
      return ['list', 'set', 'grants', 'tokens'].includes(kind)
        ? [null, 'x', 7, { x: null }, { x: 7 }].filter((value) => kind !== 'set' || value !== null)
        : [null, { x: 'y' }, 4_000_000_000, ...half];
    }
    // Another level in a file means disabled.
    if ((layer === 'policy.json' && isHostField(field)) || field === 'level') return half;
    return [7.5, 'nope?', null, { x: 1 }, [7]].filter((value) => !PolicyFile.safeParse(asFile([field, value])).success);
  };

  it.each(['policy.json', 'machine.json', HKLM, HKCU])(
    '[policy.layers-alone] [policy.registry.refused] %s: each bad value is the narrowest, delays no other, and stops after a minute',
    async (layer) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      let machine = NO_LAYERS;
      const asked = vi.fn(async () => true);
      const denied: Record<string, string> = { 1: 'bank.exe' };
      /** Writes every layer, one with a bad value; `Tokens`: of the machine's key. */
      const write = async (Tokens: Data, row?: RegistryValue, value?: unknown) => {
        for (const name of ['policy.json', 'machine.json']) {
          const { host, ...file } = asFile(layer === name && row && value !== HALF ? [row.field, value] : undefined);
          const text = JSON.stringify(name === 'machine.json' ? { ...file, host } : file);
          await writeFile(path(name), layer === name && value === HALF ? text.slice(0, -9) : text);
        }
        const hive = (key: string, values: Readonly<Record<string, Data>>): RegistryContent =>
          layer !== key || row === undefined
            ? content(key, values)
            : value === HALF
              ? { name: key, entries: [], keys: [], unreadable: 'Windows error 5' }
              : content(key, { ...values, [row.name]: value as Data });
        now = {
          ...NO_POLICY_REGISTRY,
          machine: hive(HKLM, { ...WELL, Deny: { ...denied }, Tokens }),
          user: hive(HKCU, WELL),
        };
      };
      await write(EVERY['Tokens']!);
      const store = await open({
        isInstalled: true,
        confirmLoosening: asked,
        onMachine: (layers) => void (machine = layers),
      });
      expect(store.get().policy).toMatchObject({ level: 'control', approvals: { surfaces: ['approver'] } });
      for (const row of REGISTRY_VALUES)
        for (const value of badOf(layer, row)) {
          const name = `${row.name} = ${String(value === HALF ? 'half' : JSON.stringify(value))}`;
          await write(EVERY['Tokens']!);
          const before = (await store.reload()).policy;
          expect(machineHost(machine, '').host.tokens).toHaveLength(2);
          denied[name] = name;
          await write({}, row, value);
          const { policy } = await store.reload();
          expect(loosened(before, policy), name).toEqual([]);
          if (layer !== HKLM || value !== HALF) {
            expect(policy.deny.includes(name) || policy.level === 'disabled', name).toBe(true);
            expect(machineHost(machine, '').host.tokens ?? [], name).toEqual([]);
          }
          expect(store.flaws.refused.join(), name).toContain(layer);
          await vi.advanceTimersByTimeAsync(60_000);
          expect((await store.reload()).policy.level, name).toBe('disabled');
          expect(store.settings()[0], name).toMatchObject({ setting: 'level', layer: 'refused' });
          await write({});
          expect((await store.reload()).policy, name).toEqual({ ...before, deny: [...before.deny, name] });
          expect([store.flaws.refused, asked.mock.calls], name).toEqual([[], []]);
        }
      expect(Object.keys(denied).length).toBeGreaterThan(50);
    },
    60_000,
  );

  it('[policy.layers-alone] a caller who breaks their own file loosens nothing by mending it', async () => {
    await writeFile(path(), '{"level": "observe"}');
    const asked = vi.fn(async () => false);
    const store = await open({ isInstalled: true, confirmLoosening: asked });
    await writeFile(path(), '{"level": "full", "deny": 7}');
    expect((await store.reload()).policy.level).toBe('disabled');
    expect((await failureOf(store.change({ level: 'full' }, 'replace', undefined, 'api:1'))).code).toBe(
      'approval_denied',
    );
    await writeFile(path(), '{"level": "full"}');
    expect((await store.reload()).policy.level).toBe('observe');
  });

  it('[policy.registry.api] only a key of the administrators may let the API decide, and any layer may take that back', async () => {
    const surfaces = async (found: PolicyRegistryContent): Promise<readonly string[]> => {
      now = found;
      return (await open({ isInstalled: true })).get().policy.approvals.surfaces;
    };
    const both = { ApprovalSurfaces: { overlay: 1, api: 1 } };
    expect(await surfaces(registry(both))).toEqual(['overlay', 'api']);
    expect(await surfaces(registry({ Level: 'control' }, both))).toEqual(['overlay', 'api']);
    expect(await surfaces(registry(null, both, { user: 'S-1-5-21-1 can change that key' }))).toEqual(['overlay']);
    expect(await surfaces(registry(both, { ApprovalSurfaces: { overlay: 1, api: 0 } }))).toEqual(['overlay']);
    expect(await surfaces(registry({ ApprovalSurfaces: { overlay: 0, api: 0 } }))).toEqual([]);
    expect(await surfaces(registry({ Level: 'control' }))).toEqual(['overlay']);
    await writeFile(path('machine.json'), '{"level": "control", "approvals": {"surfaces": ["overlay", "api"]}}');
    expect(await surfaces(registry({ Level: 'control' }))).toEqual(['overlay', 'api']);
  });

  it('[policy.sources] every setting has a source, and what narrowed it', async () => {
    await writeFile(path(), '{"level": "full", "deny": ["a.exe"]}');
    await writeFile(path('machine.json'), '{"level": "control"}');
    now = registry({ Level: 'observe', Deny: { 1: 'b.exe' } });
    const store = await open({ isInstalled: true });
    expect(store.settings().map(({ setting }) => setting)).toEqual(
      REGISTRY_VALUES.flatMap(({ field }) => (isHostField(field) ? [] : [field])),
    );
    expect(rowOf(store, 'level')).toEqual({
      setting: 'level',
      value: 'observe',
      layer: 'registry_machine',
      place: `${HKLM}\\Level`,
      set: [
        { layer: 'user_file', place: path(), value: 'full' },
        { layer: 'machine_file', place: path('machine.json'), value: 'control' },
        { layer: 'registry_machine', place: `${HKLM}\\Level`, value: 'observe' },
      ],
      narrowed: [
        { layer: 'machine_file', place: path('machine.json'), from: 'full', to: 'control' },
        { layer: 'registry_machine', place: `${HKLM}\\Level`, from: 'control', to: 'observe' },
      ],
    });
    expect(rowOf(store, 'deny')).toMatchObject({ value: ['a.exe', 'b.exe'], layer: 'registry_machine' });
    expect(rowOf(store, 'keepPictures')).toMatchObject({ value: true, layer: 'default', place: null, narrowed: [] });
    expect(rowOf(store, 'approvals.surfaces')).toMatchObject({ value: ['overlay'], layer: 'installation' });
    await store.change({ keepPictures: true }, 'merge', undefined, 'api:1').catch(() => undefined);
    for (const row of store.settings())
      expect(row.value).toEqual(row.setting.split('.').reduce<any>((value, part) => value[part], store.get().policy));
    const text = describeSources({ settings: store.settings(), problems: ['x'] });
    expect(text).toMatch(/^setting +value +source\nlevel +observe +Group Policy \(machine\): /);
    expect(text).toContain('level: full → control, by machine’s file');
    expect(text).toContain('Note: x');
  });
});

describe('[policy.host-settings] settings of hosts', () => {
  const LISTEN = { Address: '10.0.0.1', Port: 7500, AllowRemote: 1, TlsPfx: 'C:\\c.pfx' };
  const TOKEN = { Tokens: { desk: `scope=operator; sha256=${HASH}` } };
  const config = readConfig({ UIAHOST_DATA_DIR: tmpdir() });

  it('come from the machine’s file and from the registry, which takes the place of the file', () => {
    const layers = {
      file: { level: 'full' as const, host: { port: 7001, names: ['a.example'] } },
      isFileBelieved: true,
      registry: registryPolicy(registry({ Port: 7002 })).layers,
    };
    const machine = machineHost(layers, 'C:\\p.json');
    expect(machine.host).toEqual({ port: 7002, names: ['a.example'] });
    const { config: now, settings } = narrowListen(config, machine, undefined);
    expect(now).toMatchObject({ port: 7002, allowedHosts: ['a.example'] });
    expect(settings.find(({ setting }) => setting === 'port')?.set.map(({ layer }) => layer)).toEqual([
      'default',
      'machine_file',
      'registry_machine',
    ]);
  });

  it('count only as a port and a prohibition where others can change the key or file', () => {
    const key = hostOf({ ...LISTEN, ...TOKEN, Users: { 1: 'anna' } }, 'S-1-5-21-1 can change that key');
    expect(key.host).toEqual({ port: 7500 });
    expect(hostOf({ AllowRemote: 0 }, 'x').host).toEqual({ allowRemote: false });
    const file = { file: { host: { address: '10.0.0.1', tokens: [] } }, isFileBelieved: false, registry: [] };
    expect(machineHost(file, '').host).toEqual({});
  });

  it('name the collector, with its headers in a file, and take the place of the variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-collector-'));
    const file = join(folder, 'headers.txt');
    const collector = (values: Record<string, string | number>) =>
      narrowListen(
        readConfig({ UIAHOST_DATA_DIR: tmpdir(), UIAHOST_OTLP_URL: 'http://127.0.0.1:1', UIAHOST_OTLP_HEADERS: 'a=b' }),
        hostOf(values),
        undefined,
      ).config.collector;
    const address = 'https://otel.example:4318';
    try {
      writeFileSync(file, 'x-key=s3cr=t\r\n\r\nother=1\n');
      expect(collector({ CollectorAddress: address, CollectorHeadersFile: file, CollectorTitles: 1 })).toEqual({
        url: address,
        headers: { 'x-key': 's3cr=t', other: '1' },
        titles: true,
      });
      expect(collector({ CollectorAddress: address })).toEqual({ url: address, headers: {}, titles: false });
      expect(collector({})).toEqual({ url: 'http://127.0.0.1:1', headers: { a: 'b' }, titles: false });
      expect(() => collector({ CollectorAddress: address, CollectorHeadersFile: `${file}.none` })).toThrow(/ENOENT/);
      writeFileSync(file, 'a secret without a name\n');
      expect(() => collector({ CollectorAddress: address, CollectorHeadersFile: file })).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.not.stringContaining('secret') }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('serve other machines without a variable, with exactly one certificate', () => {
    expect(narrowListen(config, hostOf(LISTEN), undefined).config).toMatchObject({
      address: '10.0.0.1',
      port: 7500,
      allowRemote: true,
      tls: { pfxFile: 'C:\\c.pfx' },
    });
    const tls = (values: Record<string, string>) => () => narrowListen(config, hostOf(values), undefined).config.tls;
    // An earlier version's value is accepted, and not used.
    expect(tls({ TlsStore: 'pc1' })()).toBeUndefined();
    expect(tls({ TlsStore: 'pc1', TlsPfx: 'x' })()).toMatchObject({ pfxFile: 'x' });
    expect(tls({ TlsKey: 'k', TlsCertificate: 'c' })()).toEqual({ keyFile: 'k', certificateFile: 'c' });
    expect(tls({ TlsKey: 'k' })).toThrow(/only one of/);
    expect(tls({ TlsKey: 'k', TlsCertificate: 'c', TlsPfx: 'x' })).toThrow(
      /twice: TlsKey with TlsCertificate and TlsPfx/,
    );
  });

  it('are no part of a user’s policy', () => {
    expect(() => readPolicy({ level: 'full', host: {} })).toThrow(/host/);
    expect(completePolicy({ level: 'full', host: { port: 1 } }, 'x')).not.toHaveProperty('host');
  });

  it('[records.retention] administrators decide how long records are kept, in both directions; others only keep longer', () => {
    const user = defaultPolicy('full');
    const days = (values: Record<string, number>, writable: string | null = null) =>
      narrowByMachine(user, {
        file: null,
        isFileBelieved: true,
        registry: registryPolicy(registry(values, null, { machine: writable })).layers,
      }).retention;
    expect(days({ AuditDays: 90, PictureDays: 1, SessionDays: 365 })).toEqual({
      auditDays: 90,
      pictureDays: 1,
      sessionDays: 365,
    });
    expect(days({ AuditDays: 90, PictureDays: 1, SessionDays: 365 }, 'x')).toEqual({
      auditDays: null,
      pictureDays: 7,
      sessionDays: 365,
    });
    expect(loosened(user, { ...user, retention: { ...user.retention, auditDays: 90 } })).toEqual([
      'days that the audit is kept: all → 90',
    ]);
    expect(loosened({ ...user, retention: { ...user.retention, auditDays: 90 } }, user)).toEqual([]);
  });
});
