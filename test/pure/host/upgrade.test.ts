/**
 * A data directory that commit f1eaf92c made works with today's host: test/fixtures/data-f1eaf92c was written by that commit's own
 * host, store, audit and commands. It is never edited; what an earlier version wrote stays what it is.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyCopy, findCopy } from '../../../src/audit/copy.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { readOrCreateSecret } from '../../../src/host/home/data-directory.ts';
import { PolicyStore } from '../../../src/policy/file/policy-store.ts';
import { runCli } from '../../support/cli.ts';
import { openFaces } from '../faces.ts';
import { startBoundHost, startTestHost } from './running-host.ts';

const KEPT = fileURLToPath(new URL('../../fixtures/data-f1eaf92c', import.meta.url));
const facts = JSON.parse(readFileSync(join(KEPT, 'facts.json'), 'utf8')) as Record<
  'token' | 'tokenId' | 'revoked' | 'actionId' | 'session',
  string
> & { entries: number };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'uiahost-upgrade-'));
  cpSync(KEPT, root, { recursive: true });
  mkdirSync(join(root, 'logs'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const place = () => ({ directory: join(root, 'audit'), keyFile: join(root, 'audit.key') });

describe('[upgrade.data] a data directory of f1eaf92c', () => {
  test('its audit verifies before and after this version has written to it, in one chain', async () => {
    expect(await verifyCopy(findCopy(root)!)).toMatchObject({ ok: true, records: facts.entries, completeFrom: 1 });
    {
      await using t = await startBoundHost({}, root);
      expect((await t.auditEntries()).length).toBeGreaterThan(facts.entries);
    }
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true, firstBad: null, completeFrom: 1 });
  });

  test('its tokens, with their limits, and its revocations hold; its token files are those of the directory', async () => {
    await using t = await startTestHost({}, root);
    expect(t.host.tokens.authenticate(facts.token)).toEqual({
      tokenId: facts.tokenId,
      scope: 'agent',
      limits: { level: 'observe', apps: ['notepad.exe'] },
    });
    expect(t.host.tokens.authenticate(facts.revoked)).toBeNull();
    expect((await t.host.tokens.list()).map(({ name, from }) => [name, from])).toEqual(
      expect.arrayContaining([
        ['orders', 'host'],
        ['old orders', 'host'],
      ]),
    );
    for (const scope of ['agent', 'operator'])
      expect(readOrCreateSecret(join(root, `${scope}.token`), { restrict: () => {}, whyNot: () => null })).toBe(
        `${scope}-token-${scope}${scope === 'agent' ? '-token' : ''}-of-f1eaf92c`,
      );
  });

  test('its database has its sessions and actions, and a key that was used gives the first answer', async () => {
    await using t = await startTestHost({}, root);
    expect(await t.host.sessions.get(t.operator, facts.session)).toMatchObject({
      status: expect.not.stringMatching('running') as string,
    });
    expect(await t.host.runner.record(t.agent, facts.actionId)).toMatchObject({
      actionId: facts.actionId,
      delivery: 'done',
    });
    await t.host.runner.run(t.agent, 'click-element', { name: 'Save draft' }, { idempotencyKey: 'click-1' }).result;
    expect(t.scene.delivered).toEqual([]);
  });

  test('its policies, of the user and of the machine, mean what they meant', async () => {
    const store = await PolicyStore.open({
      path: join(root, 'policy.json'),
      machinePath: join(root, 'machine-policy.json'),
    });
    try {
      expect(store.get().policy).toMatchObject({
        level: 'control',
        grants: [{ app: 'C:\\Windows\\System32\\notepad.exe', tier: 'full' }],
        deny: ['bank.exe'],
        flags: ['clipboardRead'],
        limits: { actionsPerMinute: 600 },
        retention: { auditDays: null, pictureDays: 7, sessionDays: 30 },
      });
    } finally {
      store.close();
    }
  });

  test('its printed configurations of MCP clients name what this version has', async () => {
    const { mcpServers: stdio } = JSON.parse(readFileSync(join(root, 'mcp.json'), 'utf8')) as any;
    const [, ...words] = stdio.uiahost.args as string[];
    const help = await runCli([...words, '--help'], root);
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('mcp')]);
    const { mcpServers: http } = JSON.parse(readFileSync(join(root, 'mcp-http.json'), 'utf8')) as any;
    await using face = await openFaces();
    const response = await fetch(new URL(new URL(http.uiahost.url).pathname, face.url), { method: 'POST' });
    expect(response.status).toBe(401);
    expect(existsSync(join(root, 'machine-policy.json'))).toBe(true);
  });
});
