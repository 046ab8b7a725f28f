/** `uiahost data export` and `data remove`: a copy without secrets, and a deletion that was listed first. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uiahost-data-'));
  data = join(folder, 'data');
  mkdirSync(join(data, 'audit'), { recursive: true });
  writeFileSync(join(data, 'audit', 'audit-000000000001-20260101.jsonl'), '{"seq":1}\n');
  mkdirSync(join(data, 'desktop', 'drive_c'), { recursive: true });
  for (const name of ['start.lock', 'desktop.json', 'desktop/drive_c/x.dll']) writeFileSync(join(data, name), 'x');
  writeFileSync(join(data, 'policy.json'), '{}');
  for (const name of ['agent.token', 'operator.token', 'agent.given-token', 'host.key', 'audit.key'])
    writeFileSync(join(data, name), `secret of ${name}`);
  writeFileSync(join(folder, 'outside.txt'), 'not of this user');
  symlinkSync(join(folder, 'outside.txt'), join(data, 'link.txt'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('[data.commands] a person’s data', () => {
  it('is exported without tokens, keys and what links lead to, and never over a file', async () => {
    const file = join(folder, 'copy.zip');
    const made = await runCli(['data', 'export', file, '--json'], data);
    expect([made.status, JSON.parse(made.stdout)]).toEqual([0, { file, files: 2, missing: [] }]);
    const names = readFileSync(file).toString('latin1');
    for (const name of ['README.txt', 'policy.json', 'audit/audit-000000000001']) expect(names).toContain(name);
    expect(names).not.toMatch(/token|\.key|link\.txt|desktop|start\.lock/);
    expect((await runCli(['data', 'export', file], data)).status).toBe(1);
  });

  it('is deleted after it was listed, with nothing that a link leads to', async () => {
    const listed = await runCli(['data', 'remove'], data);
    expect([listed.status, listed.stdout]).toEqual([0, `would remove ${data}\n`]);
    expect(existsSync(data)).toBe(true);
    expect(await runCli(['data', 'remove', '--yes'], data)).toMatchObject({ status: 0, stdout: `removed ${data}\n` });
    expect([existsSync(data), existsSync(join(folder, 'outside.txt'))]).toEqual([false, true]);
    expect((await runCli(['data', 'remove', '--yes'], data)).stdout).toContain('no such data');
  });

  it('refuses both kinds of an administrator’s deletion at once, and either without Windows', async () => {
    expect((await runCli(['data', 'remove', '--user', 'anna', '--left'], data)).status).toBe(2);
    expect((await runCli(['data', 'remove', '--left', '--yes'], data)).status).toBe(1);
    expect(existsSync(data)).toBe(true);
  });
});
