/** Changes of the policy in the audit: what changed, by whom, before it takes effect. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../../src/audit/entry.ts';
import { PolicyRecord } from '../../../../src/host/home/policy-record.ts';
import { defaultPolicy, type Policy } from '../../../../src/contract/gate/permissions.ts';
import { comparePolicies } from '../../../../src/policy/file/loosening.ts';
import { startTestHost, type TestHost } from '../running-host.ts';

const changes = async (t: TestHost): Promise<AuditEntry[]> =>
  (await t.auditEntries()).filter(({ action }) => action === 'policy.changed');
const lastOf = async (t: TestHost): Promise<AuditEntry | undefined> => (await changes(t)).at(-1);

test('[policy.recorded] a PATCH is in the audit with what it loosens and narrows, and by whom', async () => {
  await using t = await startTestHost({ level: 'control' });
  await t.host.policy.change(
    { alwaysAsk: ['password'], deny: ['bank.exe'], limits: { maxActions: 5 } },
    'merge',
    undefined,
    'api:operator',
  );
  expect(await lastOf(t)).toMatchObject({
    kind: 'policy',
    actor: { tokenId: 'api:operator', surface: 'api' },
    details: {
      level: 'control',
      loosened: expect.arrayContaining([
        'no longer always asked: financial',
        'no longer always asked: destructive',
        'no longer always asked: prompts',
      ]),
      narrowed: ['denied: bank.exe', 'actions a session: no limit → 5'],
    },
  });
  await t.host.policy.change({ deny: [], flags: ['clipboardRead'] }, 'merge', undefined, 'api:operator');
  expect((await lastOf(t))?.details).toMatchObject({
    loosened: ['flag given: clipboardRead', 'no longer denied: bank.exe'],
    narrowed: [],
  });
});

test('a file that was edited is in the audit with the grants that it adds, while the host runs and while none does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-'));
  const edit = (grants: Policy['grants']): void =>
    writeFileSync(join(folder, 'policy.json'), JSON.stringify({ level: 'control', grants }));
  const edited = { kind: 'policy', actor: { tokenId: null } };
  try {
    {
      await using t = await startTestHost({}, folder);
      const before = (await changes(t)).length;
      edit([{ app: 'C:\\Apps\\one.exe', tier: 'full' }]);
      await expect.poll(async () => (await changes(t)).length, { timeout: 60_000 }).toBe(before + 1);
      expect(await lastOf(t)).toMatchObject({
        ...edited,
        actor: { tokenId: null, surface: 'file' },
        details: { loosened: ['granted: C:\\Apps\\one.exe full'], narrowed: ['level: full → control'] },
      });
    }
    edit([
      { app: 'C:\\Apps\\one.exe', tier: 'full' },
      { app: 'C:\\Apps\\two.exe', tier: 'click' },
    ]);
    let count: number;
    {
      await using t = await startTestHost({}, folder);
      expect(await lastOf(t)).toMatchObject({
        ...edited,
        actor: { surface: 'start' },
        details: { loosened: ['granted: C:\\Apps\\two.exe click'], narrowed: [] },
      });
      count = (await changes(t)).length;
    }
    await using again = await startTestHost({}, folder);
    expect(await changes(again)).toHaveLength(count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a change that cannot be recorded does not hold: neither a PATCH nor a file, which is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-'));
  try {
    await using t = await startTestHost({ level: 'control' }, folder);
    const { etag } = t.host.policy.get();
    for (const broken of ['policy', 'meta.set']) {
      t.unwritable.add(broken);
      await expect(t.host.policy.change({ alwaysAsk: [] }, 'merge', undefined, 'api:operator')).rejects.toThrow();
      expect(t.host.policy.get().etag).toBe(etag);
      t.unwritable.delete(broken);
    }
    t.unwritable.add('policy');
    writeFileSync(join(folder, 'policy.json'), '{"level": "full"}');
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    expect(t.host.policy.get().policy.level).toBe('control');
    t.unwritable.delete('policy');
    await expect.poll(() => t.host.policy.get().policy.level, { timeout: 60_000 }).toBe('full');
    expect((await lastOf(t))?.details).toMatchObject({ loosened: ['level: control → full'] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('however large a change is, each of its points is named', async () => {
  const entries: Array<{ details?: Readonly<Record<string, unknown>> }> = [];
  const record = new PolicyRecord(
    { append: async (entry) => void entries.push(entry) },
    { get: async () => null, set: async () => null as unknown as void },
  );
  const grants = Array.from({ length: 500 }, (_, index) => ({
    app: `C:\\${'x'.repeat(1000)}\\${index}.exe`,
    tier: 'full' as const,
  }));
  await record.changed({
    from: defaultPolicy(),
    to: { ...defaultPolicy(), grants },
    by: 'api:operator',
    surface: 'api',
  });
  expect(entries.flatMap(({ details }) => details?.['loosened'])).toEqual(
    grants.map(({ app }) => `granted: ${app} full`),
  );
  for (const { details } of entries) expect(JSON.stringify(details).length).toBeLessThan(24_000);
});

test('every setting that differs is named, in both directions', () => {
  const policy = defaultPolicy();
  const other: { [K in keyof Omit<Policy, 'source'>]: Policy[K] } = {
    level: 'full',
    grants: [{ app: 'a.exe', tier: 'read' }],
    flags: ['prompts'],
    deny: ['b.exe'],
    alwaysAsk: [],
    elementsOnly: true,
    coordinateProposals: true,
    remoteControlMemory: false,
    allowInsecureUrls: true,
    pages: ['https://example.com'],
    keepPictures: false,
    approvals: { timeoutMs: 1000, surfaces: ['overlay'] },
    limits: { actionsPerMinute: 1, maxActions: 2, maxDurationMs: 1000 },
    retention: { auditDays: 90, pictureDays: 1, sessionDays: 365 },
  };
  const count = (from: Policy, to: Policy): number => Object.values(comparePolicies(from, to)).flat().length;
  for (const [key, value] of Object.entries(other)) {
    const changed: Policy = { ...policy, [key]: value };
    expect([key, count(policy, changed) > 0, count(changed, policy) > 0, count(changed, changed)]).toEqual([
      key,
      true,
      true,
      0,
    ]);
  }
  expect(
    comparePolicies({ ...policy, deny: ['a.exe', 'b.exe'] }, { ...policy, deny: ['b.exe', 'a.exe'] }).other,
  ).toEqual(['the order of a list']);
});

test('a lasting grant from a card is in the audit before it holds', async () => {
  await using t = await startTestHost({ level: 'control' });
  const read = () => t.host.runner.run(t.agent, 'read-clipboard', {});
  const request = { apps: [{ app: 'notepad.exe' }], flags: ['clipboardRead'], reason: 'to read a list' };
  t.unwritable.add('grant');
  const refused = t.host.runner.run(t.agent, 'request-access', request);
  await t.decideNext('approve');
  await expect(refused.result).rejects.toMatchObject({ code: 'audit_unavailable' });
  await expect(read().result).rejects.toMatchObject({ code: 'grant_flag_required' });
  t.unwritable.delete('grant');
  const granted = t.host.runner.run(t.agent, 'request-access', request);
  await t.decideNext('approve');
  await granted.result;
  expect((await t.auditEntries()).find(({ action }) => action === 'access.requested')).toMatchObject({
    details: { granted: expect.arrayContaining([{ flag: 'clipboardRead' }]) },
  });
  await read().result.catch((error: { code: string }) => expect(error.code).not.toBe('grant_flag_required'));
});

test('[policy.agreement] an agreement counts as this host wrote it alone, and a difference is audited', async () => {
  const meta = new Map<string, string | null>();
  const audited: unknown[] = [];
  let users: string | null = null;
  const record = new PolicyRecord(
    { append: async ({ action }) => audited.push(action) },
    { get: async (key) => meta.get(key) ?? null, set: async (key, value) => void meta.set(key, value) },
  );
  const place = { read: () => users, write: (text: string) => void (users = text) };
  const open = (): ReturnType<PolicyRecord['agreement']> => record.agreement(place, Buffer.from('key'));
  const text = '{"policy":{"level":"full"}}';
  const first = await open();
  first.write(text);
  expect((await open()).read()).toBe(text);
  expect(audited).toEqual([]);
  for (const other of ['{"policy":null}', null, text]) {
    users = other;
    if (other === text) meta.clear();
    else expect(first.read()).toBeNull();
    expect((await open()).read()).toBeNull();
  }
  expect(audited).toEqual(Array.from({ length: 3 }, () => 'host.agreement-differs'));
  // In a directory of a version without proofs it is kept unchanged.
  meta.set('agreement', null).set('policy', '{}');
  expect((await open()).read()).toBe(text);
});
