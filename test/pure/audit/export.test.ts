/** Exported parts of the audit: complete on their own, and no byte of them can be changed unseen. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert as assertProperty, boolean, nat, property, uint8Array } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealLine, sha256Hex } from '../../../src/audit/chain.ts';
import { findCopy } from '../../../src/audit/copy.ts';
import { exportAudit, exportMac, FORMAT, type AuditExport } from '../../../src/audit/export.ts';
import { keyIdOf, newKey, readKey, renderKey, type SegmentKey } from '../../../src/audit/key.ts';
import { exportedEntries, verifyExport } from '../../../src/audit/verify-export.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { bundleVerdict, readTime, sayBundleVerdict } from '../../../src/cli/audit-export.ts';
import type { CliContext } from '../../../src/cli/flags.ts';
import { describeError, UnansweredError } from '../../../src/cli/output.ts';
import { runCli, temporaryFolder } from '../../support/cli.ts';
import { textOf } from '../../support/pages.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T12:00:00.000Z');
const day = (number: number): Date => new Date(START + number * DAY);

const entry = (index: number) =>
  ({ kind: 'outcome', actor: { tokenId: 'agent', surface: 'http' }, action: `act_${index}` }) as const;

let data: string;
let firstKey: SegmentKey;
let lastKey: SegmentKey;

/** Forty records over ten days and several segments of the key, some written together. */
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'uiahost-export-'));
  let now = START;
  const writer = AuditWriter.open({
    directory: join(data, 'audit'),
    keyFile: join(data, 'audit.key'),
    segmentRecords: 7,
    now: () => new Date(now),
  });
  firstKey = readKey(join(data, 'audit.key'))!;
  for (let index = 0; index < 40; index += 2) {
    now = START + Math.floor(index / 4) * DAY;
    writer.append([entry(index), entry(index + 1)]);
  }
  writer.close();
  lastKey = readKey(join(data, 'audit.key'))!;
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const make = async (since: Date | null, until: Date | null, keyFile?: string): Promise<AuditExport> =>
  (await exportAudit(findCopy(data, keyFile)!, { since, until, version: '1.2.3' }))!;

/** What the Python of docs/audit.md answers: its status, and its words. */
function byPython(content: Buffer, key: SegmentKey | null): [status: number | null, text: string] {
  const folder = temporaryFolder();
  const [, code = ''] = /```python\n(.*?)```/s.exec(textOf('docs/audit.md')) ?? [];
  for (const [name, bytes] of Object.entries({ code, content, key: key === null ? '' : renderKey(key) }))
    writeFileSync(join(folder, name), bytes);
  const given = key === null ? ['code', 'content'] : ['code', 'content', 'key'];
  const { status, stdout, stderr } = spawnSync('python3', given, { cwd: folder, encoding: 'utf8' });
  expect(code.split('\n').length).toBeLessThanOrEqual(31);
  return [status, stdout + stderr];
}

describe('export', () => {
  test('[audit.export] an exported time has its records unchanged, and each key verifies what it can', async () => {
    const { content, records, first, last, isSealed, verdict } = await make(day(3), new Date(day(5).getTime() + 1000));
    expect([records, first, last, isSealed, verdict.ok]).toEqual([12, 13, 24, true, true]);
    expect([...exportedEntries(content)].map(({ action }) => action)).toEqual(
      Array.from({ length: 12 }, (_, index) => `act_${index + 12}`),
    );
    expect(verifyExport(content, firstKey)).toMatchObject({
      ok: true,
      records: 12,
      sealsCheckedFrom: 13,
      isSealChecked: true,
      unchecked: [],
      newest: { seq: 40 },
    });
    expect(verifyExport(content, lastKey)).toMatchObject({ ok: true, isSealChecked: true, sealsCheckedFrom: null });
    const without = verifyExport(content, null);
    expect([without.ok, without.unchecked]).toEqual([
      null,
      [expect.stringContaining('written by the host'), expect.stringContaining('every record of its range')],
    ]);
    // A key of another audit fits nothing, and one from before the first record checks nothing.
    expect(verifyExport(content, newKey(firstKey.segment)).ok).toBe(false);
    expect(verifyExport(content, newKey(firstKey.segment - 1)).ok).toBeNull();
  });

  test('[audit.export] every range of whole flushes verifies, and an empty range is not written', async () => {
    for (const [from, to] of [
      [null, null],
      [null, day(0)],
      [day(9), null],
      [day(0), day(9)],
      [new Date(day(3).getTime() + 1), null],
    ] as const) {
      const { content } = await make(from, to);
      expect(verifyExport(content, firstKey).ok).toBe(true);
    }
    expect(await exportAudit(findCopy(data)!, { since: day(20), until: null, version: '1' })).toBeNull();
    expect(await exportAudit(findCopy(data)!, { since: null, until: day(-1), version: '1' })).toBeNull();
  });

  test('damage to any byte is found, with and without a key', async () => {
    const { content } = await make(day(2), day(4));
    for (let at = 0; at < content.length; at += 1) {
      const changed = Buffer.from(content);
      changed[at] = changed[at]! ^ (1 + (at % 255));
      expect(verifyExport(changed, null).ok, `byte ${at}`).toBe(false);
    }
    assertProperty(
      property(
        nat(content.length - 1),
        uint8Array({ maxLength: 40 }),
        nat(40),
        boolean(),
        (at, bytes, removed, hasKey) => {
          const changed = Buffer.concat([content.subarray(0, at), bytes, content.subarray(at + removed)]);
          return changed.equals(content) || verifyExport(changed, hasKey ? firstKey : null).ok === false;
        },
      ),
      { numRuns: 500 },
    );
  });

  test('an export that was rebuilt without the key is found with it', async () => {
    const { content } = await make(day(2), day(6));
    const lines = content.toString('utf8').trimEnd().split('\n');
    const rebuilt = (change: (records: string[], head: Record<string, unknown>) => string[], seal?: string): Buffer => {
      const head = JSON.parse(lines[0]!) as Record<string, unknown>;
      const records = change(lines.slice(1, -1), head);
      const body = `${JSON.stringify({ ...head, records: records.length })}\n${records.map((line) => `${line}\n`).join('')}`;
      const whole = `${body}{"seal":${seal ?? JSON.stringify((JSON.parse(lines.at(-1)!) as { seal: unknown }).seal)}`;
      return Buffer.from(`${whole},"sha256":"${sha256Hex(whole)}"}\n`);
    };
    const same = rebuilt((records) => records);
    expect(verifyExport(same, firstKey).ok).toBe(true);
    // Records left out at the end: the chain is whole, the seal is not.
    const shorter = rebuilt((records, head) => {
      head['last'] = Number(head['last']) - 2;
      return records.slice(0, -2);
    });
    expect(verifyExport(shorter, null).ok).toBeNull();
    expect(verifyExport(shorter, firstKey)).toMatchObject({ ok: false, damage: expect.stringContaining('seal') });
    // Without a seal it says that it cannot know.
    const unsealed = rebuilt((records, head) => {
      head['last'] = Number(head['last']) - 2;
      return records.slice(0, -2);
    }, 'null');
    expect(verifyExport(unsealed, firstKey)).toMatchObject({
      ok: null,
      unchecked: [expect.stringContaining('every record')],
    });
    // A record replaced, with hash and chain made to fit, by someone with another key.
    const other = newKey(0);
    const forged = rebuilt((records, head) => {
      let { hash, mac } = head['previous'] as { hash: string; mac: string };
      return records.map((line) => {
        const { hash: _hash, mac: _mac, ...body } = JSON.parse(line) as Record<string, unknown>;
        const sealed = sealLine(
          JSON.stringify({ ...body, previous: hash, previousMac: mac, action: 'forged' }),
          other.key,
        );
        ({ hash, mac } = sealed);
        return sealed.line;
      });
    });
    expect(verifyExport(forged, firstKey).ok).toBe(false);
    // The auditor's Python of the docs judges alike; Windows has none.
    if (process.platform === 'win32') return;
    for (const [file, key, status, says] of [
      [same, firstKey, 0, /^20 records, 20 with/],
      [same, null, 0, /^no damage/],
      [(await make(null, null)).content, lastKey, 0, /^40 records, \d with/],
      [shorter, firstKey, 1, /^wrong: the seal$/m],
      [unsealed, firstKey, 1, /no seal/],
      [forged, null, 0, /^no damage/],
      [forged, firstKey, 1, /seal/],
      [Buffer.from(same.toString().replace('act_9', 'act_8')), null, 1, /the file/],
    ] as const)
      expect(byPython(file, key)).toEqual([status, expect.stringMatching(says)]);
  });

  test('[audit.export] a damaged audit is exported unchanged, and its export shows the damage', async () => {
    const copy = join(data, 'damaged');
    cpSync(join(data, 'audit'), join(copy, 'audit'), { recursive: true });
    const [file = ''] = readdirSync(join(copy, 'audit'))
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
    const path = join(copy, 'audit', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('act_2', 'act_9'));
    const made = (await exportAudit(findCopy(copy)!, { since: null, until: null, version: '1' }))!;
    expect(made.verdict.ok).toBe(false);
    expect(verifyExport(made.content, null)).toMatchObject({ ok: false, firstBad: { seq: 3 } });
    rmSync(copy, { recursive: true });
  });
});

/** An export as another program would write it: any head, any records, chained and sealed with a key of its own. */
function forgery(
  key: SegmentKey,
  { head = {}, bodies = ['forged'], seal = true }: { head?: object; bodies?: readonly string[]; seal?: boolean } = {},
): Buffer {
  let [previous, previousMac] = ['0'.repeat(64), '0'.repeat(32)];
  const records = bodies.map((action, index) => {
    const seq = index + 1;
    const body = { seq, flush: seq, previous, time: '2026-03-01T12:00:00.000Z', segment: key.segment, previousMac };
    const nothing = { sessionId: null, decision: null, errorCode: null };
    const actor = { tokenId: null, surface: 'x' };
    const text = JSON.stringify({ ...body, kind: 'outcome', actor, action, ...nothing });
    const sealed = sealLine(action.startsWith('{') ? `${text.slice(0, -1)},${action.slice(1)}` : text, key.key);
    [previous, previousMac] = [sealed.hash, sealed.mac];
    return sealed.line;
  });
  const first = {
    format: FORMAT,
    version: '1.2.3',
    exportedAt: '2026-03-01T12:00:00.000Z',
    since: null,
    until: null,
    records: records.length,
    first: 1,
    last: records.length,
    previous: { seq: 0, hash: '0'.repeat(64), mac: '0'.repeat(32), segment: 0 },
    segments: [],
    newest: { seq: records.length, hash: previous },
    verdict: {},
    ...head,
  };
  const body = [JSON.stringify(first), ...records].map((line) => `${line}\n`).join('');
  const mac = exportMac(key.key, sha256Hex(body));
  const whole = `${body}{"seal":${seal ? JSON.stringify({ segment: key.segment, mac }) : 'null'}`;
  return Buffer.from(`${whole},"sha256":"${sha256Hex(whole)}"}\n`);
}

describe('a hostile export', () => {
  const check = (content: Buffer, key?: SegmentKey, keyIsNext = false) => {
    const folder = temporaryFolder();
    const file = join(folder, 'part.jsonl');
    const keyFile = join(folder, keyIsNext ? 'audit.key' : 'kept.key');
    writeFileSync(file, content);
    if (key !== undefined) writeFileSync(keyFile, renderKey(key));
    let [stdout, stderr, status] = ['', '', 0];
    const output = { out: (text: string) => (stdout += text), err: (text: string) => (stderr += text) };
    try {
      const verdict = bundleVerdict(file, key === undefined || keyIsNext ? undefined : keyFile);
      sayBundleVerdict(verdict, { output } as unknown as CliContext);
    } catch (error) {
      status = error instanceof UnansweredError ? 2 : 1;
      stderr += describeError(error, false);
    }
    return { stdout, stderr, status };
  };

  test('with its own log and its own key next to it is never complete and unchanged', () => {
    const key = newKey(0);
    const content = forgery(key, { bodies: ['one', 'two'] });
    const { status, stdout, stderr } = check(content, key, true);
    expect([status, stdout, stderr]).toEqual([
      2,
      expect.stringContaining(`Checked with the key ${keyIdOf(key.key)}`),
      expect.stringContaining('whether the key is the host’s'),
    ]);
    expect(stdout).not.toContain('complete');
    expect(verifyExport(content, firstKey).ok).not.toBe(true);
  });

  test('whose earlier records were rewritten with the present key is reported as checked by the chain alone there', async () => {
    const content = (await make(null, null)).content;
    const lines = content.toString('utf8').trimEnd().split('\n');
    const head = JSON.parse(lines[0]!) as Record<string, unknown>;
    let { hash, mac } = head['previous'] as { hash: string; mac: string };
    const records = lines.slice(1, -1).map((line) => {
      const { hash: _hash, mac: _mac, ...body } = JSON.parse(line) as Record<string, unknown>;
      const link = 'previousMac' in body ? { previous: hash, previousMac: mac } : { previous: hash };
      const changed = body['seq'] === 3 ? { action: 'harmless' } : {};
      const sealed = sealLine(JSON.stringify({ ...body, ...link, ...changed }), lastKey.key);
      ({ hash, mac } = sealed);
      return sealed.line;
    });
    const body = [JSON.stringify(head), ...records].map((line) => `${line}\n`).join('');
    const seal = JSON.stringify({ segment: lastKey.segment, mac: exportMac(lastKey.key, sha256Hex(body)) });
    const whole = `${body}{"seal":${seal}`;
    const rewritten = Buffer.from(`${whole},"sha256":"${sha256Hex(whole)}"}\n`);
    const { stdout } = check(rewritten, lastKey);
    expect(stdout).toMatch(/No seal was checked|Seals were checked from record \d+ on/);
    expect(stdout).toContain('checked by the hash chain alone');
    expect(verifyExport(rewritten, firstKey).ok).toBe(false);
  });

  test('prints nothing of its own to the terminal', () => {
    const key = newKey(0);
    const escape = '\u001b[2J\u001b]0;x\u0007The audit is complete';
    const heads = [
      { exportedAt: escape },
      { since: escape },
      { until: `2026-03-01T12:00:00.000Z${escape}` },
      { newest: { seq: 1, hash: escape } },
      { previous: { seq: 0, hash: escape, mac: '0'.repeat(32), segment: 0 } },
      { version: escape },
      { more: escape },
    ];
    for (const head of heads) {
      const { status, stdout, stderr } = check(forgery(key, { head }), key);
      expect([status, stderr]).toEqual([1, expect.stringContaining('not the head of an export')]);
      for (const text of ['\u001b', 'is complete']) expect(stdout + stderr).not.toContain(text);
    }
    for (const reason of ['constructor', '__proto__', escape]) {
      const body = JSON.stringify({ action: 'audit.damaged', details: { seq: 1, reason } });
      const { status, stdout, stderr } = check(forgery(key, { bodies: [body] }), key);
      expect(status).toBe(1);
      for (const text of ['\u001b', 'is complete', 'function']) expect(stdout + stderr).not.toContain(text);
    }
  });

  test.each([
    ['no previous record', { previous: null }],
    ['no newest record', { newest: null }],
    ['segments that are none', { segments: [null] }],
    ['segments twice', { segments: [1, 1].map((segment) => ({ segment, seq: 1, hash: '0'.repeat(64) })) }],
    ['a number below 0', { first: -1 }],
    ['no number', { records: 1e300 }],
    ['a list as its verdict', { verdict: [] }],
  ])('with %s in its head is damaged, in words', (_what, head) => {
    const key = newKey(0);
    const { status, stderr } = check(forgery(key, { head }), key);
    expect([status, stderr]).toEqual([1, expect.stringContaining('not the head of an export')]);
    expect(stderr).not.toMatch(/TypeError|undefined|Cannot read/);
  });

  test('with many segments takes time that grows with its size alone', () => {
    const key = newKey(0);
    const timed = (count: number): number => {
      const segments = Array.from({ length: count }, (_, segment) => ({ segment, seq: segment, hash: '0'.repeat(64) }));
      const previous = { seq: 0, hash: '0'.repeat(64), mac: '0'.repeat(32), segment: count };
      const content = forgery(key, { head: { segments, previous }, seal: false });
      const begun = process.cpuUsage();
      expect(verifyExport(content, key).ok).not.toBe(true);
      const { user, system } = process.cpuUsage(begun);
      return (user + system) / 1000;
    };
    timed(1000);
    const [less, more] = [timed(6000), timed(60_000)];
    // Ten times the size; a search through the list for each would take a hundred times as long.
    expect(more).toBeLessThan(Math.max(40 * less, 3000));
  });

  test('without a line end is refused after a bounded part of it', () => {
    const read: number[] = [];
    const whole = forgery(newKey(0));
    const length = 2 ** 31;
    const bytes = {
      length,
      subarray(from: number, to: number) {
        read.push(to - from);
        return Buffer.alloc(to - from, to === length && from >= length - 4096 ? whole.subarray(-(to - from)) : 0x20);
      },
    };
    const entries = [...exportedEntries(bytes)];
    expect([entries, Math.max(...read) <= 2 ** 20, read.reduce((sum, one) => sum + one, 0) < 2 ** 27]).toEqual([
      [],
      true,
      true,
    ]);
  });

  test('shows only records that have the form of one', () => {
    const key = newKey(0);
    const content = forgery(key, { bodies: ['good', '{"actor":null}', '{"kind":3}', '{broken', 'last'] });
    expect([...exportedEntries(content)].map(({ action }) => action)).toEqual(['good', 'last']);
  });
});

describe('command', () => {
  test('[audit.export] writes an export, checks it on its own, and shows it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'part.jsonl');
    const keyFile = join(folder, 'first.key');
    writeFileSync(keyFile, renderKey(firstKey));
    const cli = (...args: string[]) => runCli(args, data);
    const made = await cli(...'audit export --since 2026-03-03 --until 2026-03-05T23:59:59Z --out'.split(' '), file);
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^Wrote \d+ records \(\d+ to \d+\)/)]);
    expect(await cli('audit', 'export', '--out', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already exists'),
    });
    expect((await cli('audit', 'export', '--since', '2026-03-03', '--out', file, '--force')).status).toBe(0);
    const verify = (...more: string[]) => cli('audit', 'verify', '--bundle', file, ...more);
    expect(await verify()).toMatchObject({ status: 2, stderr: expect.stringContaining('Without an audit key that') });
    const good = await verify('--key', keyFile);
    expect([good.status, good.stdout]).toEqual([0, expect.stringContaining('complete and unchanged')]);
    expect(JSON.parse((await verify('--key', keyFile, '--json')).stdout)).toMatchObject({ ok: true });
    const shown = await cli('audit', 'show', '--bundle', file, '--limit', '2');
    expect(shown.stdout.split('\n').filter((line) => line.includes('act_'))).toHaveLength(2);
    const bytes = readFileSync(file);
    bytes[200] = bytes[200]! ^ 1;
    writeFileSync(file, bytes);
    expect(await verify()).toMatchObject({ status: 1, stderr: expect.stringContaining('damaged') });
    expect((await cli('audit', 'verify', '--bundle', join(folder, 'none'))).status).toBe(2);
    expect((await cli('audit', 'export', '--since', 'yesterday', '--out', join(folder, 'x'))).status).toBe(2);
    expect((await cli('audit', 'export', '--data', folder, '--out', join(folder, 'x'))).status).toBe(2);
    // The key next to the file finds damage, and proves nothing.
    writeFileSync(join(folder, 'audit.key'), renderKey(firstKey));
    await cli('audit', 'export', '--out', file, '--force');
    const beside = await cli('audit', 'verify', '--bundle', file);
    expect(beside).toMatchObject({ status: 2, stderr: expect.stringContaining('whether the key is the host’s') });
    expect(beside.stdout).toContain(
      `Checked with the key ${keyIdOf(firstKey.key)} of segment ${firstKey.segment}, from ${folder}`,
    );
    expect(beside.stdout).not.toContain('complete');
  });

  test('[audit.export] times are dates, times and ages', () => {
    const now = Date.parse('2026-03-10T00:00:00Z');
    expect(readTime('24h', '--since', false, now).toISOString()).toBe('2026-03-09T00:00:00.000Z');
    expect(readTime('2026-03-01T08:00Z', '--since').toISOString()).toBe('2026-03-01T08:00:00.000Z');
    expect(readTime('2026-03-01', '--until', true).getTime() - readTime('2026-03-01', '--since').getTime()).toBe(
      DAY - 1,
    );
    for (const wrong of ['', '2026', '7w', '2026-13-01', 'now', '2026-03-01 08:00'])
      expect(() => readTime(wrong, '--since')).toThrow(/--since is/);
  });
});
