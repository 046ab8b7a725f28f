/** The audit of a copied data directory: verify, show and replay with no host running. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuditLog } from '../../support/audit-log.ts';
import { runCli, serveCli, temporaryFolder } from '../../support/cli.ts';

/** Stays for the whole file; folders of single tests go with them. */
const original = mkdtempSync(join(tmpdir(), 'uiahost-audit-'));
afterAll(() => rmSync(original, { recursive: true, force: true }));
let picture: string;

/** A data directory as a host leaves it: 12 records over several files, a session with a picture. */
beforeAll(async () => {
  const images = join(original, '.agent-runtime', 'spool', 'images');
  mkdirSync(images, { recursive: true });
  const bytes = png();
  picture = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(images, `${picture}.png`), bytes);
  const log = createAuditLog({
    directory: join(original, 'audit'),
    keyFile: join(original, 'audit.key'),
    maxFileBytes: 2000,
  });
  const actor = { tokenId: 'agent', surface: 'http' };
  await log.append({
    kind: 'session',
    actor,
    sessionId: 'cus_1',
    action: 'session.started',
    details: { goal: 'File <b>it</b>', urls: ['app:notepad.exe'] },
  });
  for (let index = 0; index < 10; index += 1) {
    await log.append({
      kind: 'outcome',
      actor,
      sessionId: 'cus_1',
      actionId: `act_${index}`,
      action: 'clickElement',
      outcome: { effect: 'confirmed' },
      artifacts: index === 0 ? [picture] : [],
    });
  }
  await log.append({
    kind: 'session',
    actor,
    sessionId: 'cus_1',
    action: 'session.ended',
    details: { status: 'completed', summary: 'filed', actionsExecuted: 10 },
  });
  await log.close();
});

/** One white pixel. */
function png(): Buffer {
  const crc = (data: Buffer): Buffer => {
    let value = ~0;
    for (const byte of data) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ ((value & 1) === 1 ? 0xedb8_8320 : 0);
    }
    const result = Buffer.alloc(4);
    result.writeUInt32BE(~value >>> 0);
    return result;
  };
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, crc(body)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 255, 255]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function copy(change: (folder: string) => void = () => {}): string {
  const folder = join(temporaryFolder(), 'copy');
  cpSync(original, folder, { recursive: true });
  change(folder);
  return folder;
}
const audit = (...args: string[]) => runCli(['audit', ...args], temporaryFolder());
const logs = (folder: string): string[] =>
  readdirSync(join(folder, 'audit'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, 'audit', name));
const changeRecord = (folder: string): void => {
  const [file = ''] = logs(folder);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"act_1"', '"act_X"'));
};
const cutEnd = (folder: string): void => {
  const file = logs(folder).at(-1) ?? '';
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  if (lines.length === 1) rmSync(file);
  else writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
};
const withoutKey = (folder: string): void => rmSync(join(folder, 'audit.key'));

describe('verify', () => {
  test('a whole copy is status 0: with its key next to it, with the key elsewhere, and of the folder audit alone', async () => {
    expect(await audit('verify', '--data', copy())).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^The audit is complete and unchanged: 12 records, head [0-9a-f]{64}\.\n$/),
      stderr: '',
    });
    const key = join(temporaryFolder(), 'kept.key');
    const apart = copy((folder) => renameSync(join(folder, 'audit.key'), key));
    expect(await audit('verify', '--data', apart, '--key', key)).toMatchObject({ status: 0 });
    expect(await audit('verify', '--data', join(apart, 'audit'), '--key', key)).toMatchObject({ status: 0 });
    expect(JSON.parse((await audit('verify', '--data', apart, '--key', key, '--json')).stdout)).toEqual({
      ok: true,
      records: 12,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      firstBad: null,
      sealsCheckedFrom: 1,
      completeFrom: 1,
      unchecked: [],
    });
  });

  test.each([
    ['a changed record', changeRecord, /record 3 \(hash/],
    ['a record that was cut off at the end', cutEnd, /record 12 \(truncated/],
    ['a file that is gone', (folder: string) => rmSync(logs(folder)[1] ?? ''), /\(gap/],
    [
      'a changed record, without its key',
      (folder: string) => {
        changeRecord(folder);
        withoutKey(folder);
      },
      /record 3 \(hash/,
    ],
    [
      'a record that was cut off, without its key',
      (folder: string) => {
        cutEnd(folder);
        withoutKey(folder);
      },
      /record 12 \(truncated/,
    ],
    [
      'a file that is gone, without its key',
      (folder: string) => {
        rmSync(logs(folder)[1] ?? '');
        withoutKey(folder);
      },
      /\(gap/,
    ],
  ])('%s is status 1', async (_what, change, said) => {
    const { status, stderr } = await audit('verify', '--data', copy(change));
    expect([status, stderr]).toEqual([1, expect.stringMatching(said)]);
  });

  test('the key of another log is status 1', async () => {
    const key = join(temporaryFolder(), 'other.key');
    writeFileSync(key, `${'ab'.repeat(32)}\n`);
    const { status, stderr } = await audit('verify', '--data', copy(), '--key', key);
    expect([status, stderr]).toEqual([1, expect.stringContaining('not made with this key')]);
  });

  test('without the key, a copy without visible damage has no verdict: status 2, with the missing checks', async () => {
    const folder = copy(withoutKey);
    const { status, stdout, stderr } = await audit('verify', '--data', folder);
    expect([status, stdout]).toEqual([2, expect.stringMatching(/^No damage found: 12 records/)]);
    expect(stderr).toMatch(
      /could not be checked:\n {2}whether the records were written by the host.*\n {2}whether records at the end were cut off/,
    );
    const told = await audit('verify', '--data', folder, '--json');
    expect([told.status, JSON.parse(told.stdout)]).toEqual([
      2,
      {
        ok: null,
        records: 12,
        head: expect.any(String),
        firstBad: null,
        sealsCheckedFrom: null,
        completeFrom: 1,
        unchecked: [expect.any(String), expect.any(String)],
      },
    ]);
  });

  test.each([
    ['a folder without an audit', () => ['--data', temporaryFolder()], /There is no audit in/],
    ['a folder that is not there', () => ['--data', join(temporaryFolder(), 'none')], /There is no audit in/],
    [
      'a key file that is none',
      () => ['--data', copy(), '--key', logs(copy())[0] ?? ''],
      /does not contain an audit key/,
    ],
    ['a key without a folder', () => ['--key', 'x'], /--key needs --data/],
    ['no host and no folder', () => [], /No host runs/],
  ])('%s is status 2', async (_what, args, said) => {
    const { status, stderr } = await audit('verify', ...args());
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  });

  test('with a host: 0 whole, 1 damaged, 2 where the host cannot say', async () => {
    const { cli, host } = await serveCli();
    expect((await cli(['audit', 'verify'])).status).toBe(0);
    host.auditVerify = async () => ({
      ok: false,
      records: 3,
      head: 'h',
      firstBad: { seq: 2, reason: 'gap' },
      sealsCheckedFrom: 1,
      completeFrom: 1,
    });
    expect((await cli(['audit', 'verify'])).status).toBe(1);
    host.auditVerify = async () => {
      throw new Error('the disk is gone');
    };
    expect((await cli(['audit', 'verify'])).status).toBe(2);
  });
});

describe('export-key', () => {
  /** Another start of the host, which moves its key on. */
  const startAgain = async (folder: string): Promise<void> => {
    const log = createAuditLog({
      directory: join(folder, 'audit'),
      keyFile: join(folder, 'audit.key'),
      maxFileBytes: 2000,
    });
    for (let index = 0; index < 3; index += 1)
      await log.append({ kind: 'request', actor: { tokenId: 'agent', surface: 'http' } });
    await log.close();
  };

  test('copies the present key, and its holder checks the seals from there on; verify says from which record on it did', async () => {
    const folder = copy();
    const file = join(temporaryFolder(), 'kept.key');
    expect(await audit('export-key', file, '--data', folder)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Wrote the key of segment 1 to'),
    });
    // Windows has no such modes; there the file inherits its folder's list.
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    await startAgain(folder);
    const own = await audit('verify', '--data', folder);
    expect([own.status, own.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^The audit is complete and unchanged: 15 records.*\nSeals were checked from record 13 on: .* hash chain alone\. .*--key FILE/,
      ),
    ]);
    const kept = await audit('verify', '--data', folder, '--key', file);
    expect([kept.status, kept.stdout]).toEqual([
      0,
      expect.stringMatching(/^The audit is complete and unchanged: 15 records, head [0-9a-f]{64}\.\n$/),
    ]);
    expect(JSON.parse((await audit('verify', '--data', folder, '--json')).stdout)).toMatchObject({
      ok: true,
      sealsCheckedFrom: 13,
      completeFrom: 1,
    });
  });

  test('writes over nothing, since an earlier key checks more, and says where there is no key', async () => {
    const folder = copy();
    const file = join(temporaryFolder(), 'kept.key');
    writeFileSync(file, 'kept');
    const again = await audit('export-key', file, '--data', folder);
    expect([again.status, again.stderr, readFileSync(file, 'utf8')]).toEqual([
      1,
      expect.stringContaining('already exists'),
      'kept',
    ]);
    withoutKey(folder);
    expect(await audit('export-key', join(temporaryFolder(), 'other.key'), '--data', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not contain an audit key'),
    });
  });

  test('without --data it is the key of the host’s own folder', async () => {
    const folder = copy();
    const file = join(temporaryFolder(), 'kept.key');
    expect(await runCli(['audit', 'export-key', file], folder)).toMatchObject({ status: 0 });
    expect(await audit('verify', '--data', folder, '--key', file)).toMatchObject({ status: 0 });
  });
});

describe('show and replay', () => {
  test('prints the entries of a copy, its key or not', async () => {
    const folder = copy(withoutKey);
    const { entries, next } = JSON.parse((await audit('show', '--data', folder, '--after', '10', '--json')).stdout) as {
      entries: Array<{ seq: number }>;
      next: number | null;
    };
    expect([entries.map(({ seq }) => seq), next]).toEqual([[11, 12], null]);
    expect((await audit('show', '--data', folder, '--limit', '1')).stdout).toMatch(
      /1 {2}\S+ {2}session .*session\.started/,
    );
  });

  test('writes the page of a session with its pictures and the verdict', async () => {
    const file = join(temporaryFolder(), 'page.html');
    expect(await audit('replay', 'cus_1', '--data', copy(), '--output', file)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('12 entries, 1 pictures'),
    });
    const page = readFileSync(file, 'utf8');
    expect(page).toContain('File &lt;b&gt;it&lt;/b&gt;');
    expect(page).toContain('filed');
    expect(page).toContain('data:image/png;base64,');
    expect(page).toContain('The audit log verifies: 12 records');
    expect(
      (
        await audit(
          'replay',
          'cus_1',
          '--data',
          copy((folder) => {
            withoutKey(folder);
            changePicture(folder);
          }),
          '--output',
          file,
        )
      ).stderr,
    ).toContain('0 pictures');
    expect(readFileSync(file, 'utf8')).toContain('was not verified');
    expect((await audit('replay', 'cus_2', '--data', copy(), '--output', file)).status).toBe(1);
  });
});

function changePicture(folder: string): void {
  writeFileSync(
    join(folder, '.agent-runtime', 'spool', 'images', `${picture}.png`),
    Buffer.concat([png(), Buffer.from('x')]),
  );
}
