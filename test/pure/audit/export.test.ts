/** Exported parts of the audit: complete on their own, and no byte of them can be changed unseen. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert as assertProperty, boolean, nat, property, uint8Array } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealLine, sha256Hex } from '../../../src/audit/chain.ts';
import { findCopy } from '../../../src/audit/copy.ts';
import { exportAudit, exportedEntries, verifyExport, type AuditExport } from '../../../src/audit/export.ts';
import { newKey, readKey, renderKey, type SegmentKey } from '../../../src/audit/key.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { readTime } from '../../../src/cli/audit-export.ts';
import { runCli, temporaryFolder } from '../../support/cli.ts';

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

describe('export', () => {
  test('[audit.export] an exported time has its records unchanged, and each key verifies what it can', async () => {
    const { content, records, first, last, isSealed, verdict } = await make(day(3), new Date(day(5).getTime() + 1000));
    expect([records, first, last, isSealed, verdict.ok]).toEqual([12, 13, 24, true, true]);
    expect(exportedEntries(content).map(({ action }) => action)).toEqual(
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

  test('[audit.export.damage] damage to any byte is found, with and without a key', async () => {
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

  test('[audit.export.damage] an export that was rebuilt without the key is found with it', async () => {
    const { content } = await make(day(2), day(6));
    const lines = content.toString('utf8').trimEnd().split('\n');
    const rebuilt = (change: (records: string[], head: Record<string, unknown>) => string[], seal?: string): Buffer => {
      const head = JSON.parse(lines[0]!) as Record<string, unknown>;
      const records = change(lines.slice(1, -1), head);
      const body = `${JSON.stringify({ ...head, records: records.length })}\n${records.map((line) => `${line}\n`).join('')}`;
      const whole = `${body}{"seal":${seal ?? JSON.stringify((JSON.parse(lines.at(-1)!) as { seal: unknown }).seal)}`;
      return Buffer.from(`${whole},"sha256":"${sha256Hex(whole)}"}\n`);
    };
    expect(
      verifyExport(
        rebuilt((records) => records),
        firstKey,
      ).ok,
    ).toBe(true);
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

describe('command', () => {
  test('[audit.export] writes an export, checks it on its own, and shows it', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'part.jsonl');
    const keyFile = join(folder, 'first.key');
    writeFileSync(keyFile, renderKey(firstKey));
    const cli = (...args: string[]) => runCli(args, data);
    const made = await cli(
      'audit',
      'export',
      '--since',
      '2026-03-03',
      '--until',
      '2026-03-05T23:59:59Z',
      '--out',
      file,
    );
    expect([made.status, made.stdout]).toEqual([0, expect.stringMatching(/^Wrote \d+ records \(\d+ to \d+\)/)]);
    expect(await cli('audit', 'export', '--out', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already exists'),
    });
    expect((await cli('audit', 'export', '--since', '2026-03-03', '--out', file, '--force')).status).toBe(0);
    expect(await cli('audit', 'verify', '--bundle', file)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Without the audit key'),
    });
    const good = await cli('audit', 'verify', '--bundle', file, '--key', keyFile);
    expect([good.status, good.stdout]).toEqual([0, expect.stringContaining('complete and unchanged')]);
    expect(
      JSON.parse((await cli('audit', 'verify', '--bundle', file, '--key', keyFile, '--json')).stdout),
    ).toMatchObject({ ok: true });
    const shown = await cli('audit', 'show', '--bundle', file, '--limit', '2');
    expect(shown.stdout.split('\n').filter((line) => line.includes('act_'))).toHaveLength(2);
    const bytes = readFileSync(file);
    bytes[200] = bytes[200]! ^ 1;
    writeFileSync(file, bytes);
    expect(await cli('audit', 'verify', '--bundle', file)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('damaged'),
    });
    expect((await cli('audit', 'verify', '--bundle', join(folder, 'none'))).status).toBe(2);
    expect((await cli('audit', 'export', '--since', 'yesterday', '--out', join(folder, 'x'))).status).toBe(2);
    expect((await cli('audit', 'export', '--data', folder, '--out', join(folder, 'x'))).status).toBe(2);
    // The key next to the file is found.
    writeFileSync(join(folder, 'audit.key'), renderKey(firstKey));
    await cli('audit', 'export', '--out', file, '--force');
    expect((await cli('audit', 'verify', '--bundle', file)).status).toBe(0);
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
