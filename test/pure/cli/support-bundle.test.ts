/** The support bundle: what it has, and that nothing planted in any of its inputs is in it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32, zip } from '../../../src/base/zip.ts';
import { createRedactor } from '../../../src/cli/support-bundle.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { runCli, serveCli, temporaryFolder } from '../../support/cli.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN } from '../../support/http-server.ts';
import { wordsOf } from '../../support/words.ts';

/** Reads an archive by its directory, checking its entry for each file. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(from, from + packed));
    expect([content.length, crc32(content)]).toEqual([size, crc]);
    files.set(name, content.toString('utf8'));
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

it('[support.bundle] zip is read by another program, and the same files give the same bytes', () => {
  const folder = temporaryFolder();
  const at = new Date('2026-03-01T12:00:00Z');
  const entries = [
    { name: 'a.txt', content: 'a'.repeat(10_000) },
    { name: 'logs/ü.log', content: Buffer.from([0, 255, 10]) },
    { name: 'empty', content: '' },
  ];
  const archive = zip(entries, at);
  expect(zip(entries, at).equals(archive)).toBe(true);
  writeFileSync(join(folder, 'x.zip'), archive);
  expect(unzip(archive).get('a.txt')).toBe('a'.repeat(10_000));
  // Windows has no other program that reads it.
  if (process.platform === 'win32') return;
  const code = 'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist())';
  const listed = execFileSync('python3', ['-c', code, join(folder, 'x.zip')], { encoding: 'utf8' });
  expect(listed.trim()).toBe("None ['a.txt', 'logs/ü.log', 'empty']");
});

it('[support.secrets] redaction: tokens, keys and names are replaced in every spelling', () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'agent.token'), 'planted-token-0123456789\n');
  writeFileSync(
    join(data, 'audit.key'),
    `${'ab'.repeat(32)} 3 0123456789abcdef\n\0\0${'cd'.repeat(32)} 4 0123456789abcdef\n`,
  );
  const { text, value } = createRedactor(data, {
    USERPROFILE: 'C:\\Users\\Erika Muster',
    USERNAME: 'Erika Muster',
    COMPUTERNAME: 'PLANTEDPC',
    MY_API_KEY: 'planted-variable',
    EDITOR: 'notepad',
  });
  expect(text('x PLANTED-TOKEN-0123456789 planted-variable')).toBe('x [secret] [secret]');
  expect(text(`${'ab'.repeat(32)} ${'cd'.repeat(32)}`)).toBe('[secret] [secret]');
  expect(text('c:\\users\\ERIKA MUSTER\\a and C:/Users/Erika Muster/a on plantedpc')).toBe(
    '%USERPROFILE%\\a and %USERPROFILE%/a on %COMPUTERNAME%',
  );
  expect(text('D:\\Users\\someone\\x, /home/other/y')).toBe('D:\\Users\\%USERNAME%\\x, /home/%USERNAME%/y');
  expect(value({ 'Erika Muster': ['C:\\\\Users\\\\Erika Muster', 1, null] })).toEqual({
    '%USERNAME%': ['%USERPROFILE%', 1, null],
  });
});

describe('command', () => {
  const PLANTED = [
    'planted-window-title',
    'planted-typed-text',
    'planted-env-value',
    'plantedsecret',
    AGENT_TOKEN,
    OPERATOR_TOKEN,
  ];
  const plantIn = async (data: string): Promise<void> => {
    mkdirSync(join(data, 'logs'), { recursive: true });
    writeFileSync(
      join(data, 'logs', 'host.log'),
      [
        { level: 30, time: '2026-03-01T12:00:00.000Z', msg: 'ready', title: 'planted-window-title' },
        { level: 50, msg: `typed planted-typed-text with ${AGENT_TOKEN}` },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    writeFileSync(join(data, 'logs', 'host.log.1'), 'planted-typed-text\n');
    writeFileSync(join(data, 'policy.json'), '{"level": "control"}');
    const log = createAuditLog({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
    await log.append({
      kind: 'outcome',
      actor: { tokenId: 'agent', surface: 'http' },
      action: 'typeText',
      details: { title: 'planted-window-title', text: 'planted-typed-text' },
    });
    await log.close();
  };
  const env = { SOME_TOKEN: 'plantedsecret-0001', UIAHOST_LEVEL: 'planted-env-value', EDITOR: 'planted-env-value' };
  const expectClean = (files: ReadonlyMap<string, string>, data: string): void => {
    const all = [...files].map(([name, content]) => `${name}\n${content}`).join('\n');
    const [key = ''] = /[0-9a-f]{64}/.exec(readFileSync(join(data, 'audit.key'), 'latin1')) ?? [];
    expect(key).toHaveLength(64);
    expect([...PLANTED, key].filter((secret) => all.includes(secret))).toEqual([]);
  };

  it(
    '[support.bundle] [support.secrets] gathers helpful facts from a running host, and nothing that was planted',
    { retry: 0 },
    async () => {
      const { cli, dataDirectory } = await serveCli();
      await plantIn(dataDirectory);
      await cli(['bind-window', '--title', 'planted-window-title'], { env: {} });
      const file = join(temporaryFolder(), 'support.zip');
      const made = await cli(['support-bundle', file], { env });
      expect([made.status, made.stderr]).toEqual([0, '']);
      const files = unzip(readFileSync(file));
      expect([...files.keys()].sort()).toEqual(wordsOf`
        README.txt audit.json counters.txt doctor.json events.json machine.json policy.json status.json
      `);
      expectClean(files, dataDirectory);
      expect(JSON.parse(files.get('status.json')!)).toMatchObject({ level: 'control', stopped: false });
      expect(JSON.parse(files.get('audit.json')!)).toMatchObject({ ok: true, records: 1 });
      expect(files.get('counters.txt')).toMatch(/^uiahost_\w+(?:\{.*\})? \d/m);
      expect(JSON.parse(files.get('machine.json')!)).toMatchObject({
        uiahost: '1.2.3',
        settings: expect.arrayContaining(['UIAHOST_LEVEL']),
      });
      expect(await cli(['support-bundle', file])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('already exists'),
      });
      expect(await cli(['support-bundle', file, '--force', '--json'])).toMatchObject({ status: 0 });
    },
  );

  it(
    '[support.bundle] [support.secrets] works without a host, and names what it could not get',
    { retry: 0 },
    async () => {
      const data = temporaryFolder();
      await plantIn(data);
      writeFileSync(join(data, 'agent.token'), `${AGENT_TOKEN}\n`);
      const file = join(temporaryFolder(), 'support.zip');
      expect(await runCli(['support-bundle', file], data, { env })).toMatchObject({ status: 0 });
      const files = unzip(readFileSync(file));
      expectClean(files, data);
      expect(JSON.parse(files.get('status.json')!)).toBeNull();
      expect(JSON.parse(files.get('doctor.json')!)).toMatchObject([{ severity: 'blocks' }]);
      expect(JSON.parse(files.get('policy.json')!)).toMatchObject({
        unavailable: expect.stringContaining('No host runs'),
      });
    },
  );

  it('[doctor.status] the exit status of doctor: 0 nothing blocks, 2 could not look', async () => {
    const { cli } = await serveCli();
    expect(await cli(['doctor'])).toMatchObject({ status: 0, stdout: 'No problems found.\n' });
    expect(JSON.parse((await cli(['doctor', '--json', '--fix'])).stdout)).toEqual({ doctor: [], fixed: [] });
    expect(await runCli(['doctor'], temporaryFolder())).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No host runs'),
    });
  });
});
