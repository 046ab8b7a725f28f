/**
 * Keys that change: yesterday's records cannot be sealed again with today's key, and a kill during the move raises no
 * alarm.
 */
import { createSecretKey } from 'node:crypto';
import type * as FileSystem from 'node:fs';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Anchor } from '../../../src/audit/anchor.ts';
import { GENESIS_HASH, parseLine, sealLine } from '../../../src/audit/chain.ts';
import { CheckpointFile, readCheckpoint } from '../../../src/audit/checkpoint.ts';
import { verifyCopy } from '../../../src/audit/copy.ts';
import type { AuditVerification } from '../../../src/audit/entry.ts';
import { readKey, renderKey, type SegmentKey } from '../../../src/audit/key.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { scratch } from '../store/scratch.ts';

/** How many more writes and syncs the disk takes before the process is as good as killed. */
const disk = vi.hoisted(() => ({ operations: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof FileSystem>();
  const step = (): void => {
    if (disk.operations <= 0) throw new Error('killed');
    disk.operations -= 1;
  };
  return {
    ...fs,
    writeSync: (...args: Parameters<typeof fs.writeSync>) => {
      step();
      return fs.writeSync(...args);
    },
    fsyncSync: (fd: number) => {
      step();
      fs.fsyncSync(fd);
    },
    fdatasyncSync: (fd: number) => {
      step();
      fs.fdatasyncSync(fd);
    },
  };
});

let data: string;
beforeEach(() => {
  data = scratch();
  disk.operations = Number.POSITIVE_INFINITY;
});
const place = () => ({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
const entry = (index = 0) =>
  ({ kind: 'request', actor: { tokenId: null, surface: 'host' }, details: { index } }) as const;

/** One start of a host: opens, writes, ends. */
function live(records: number, segmentRecords = 500): Anchor | null {
  const writer = AuditWriter.open({ ...place(), segmentRecords });
  expect(writer.opened.damage).toBeNull();
  for (let index = 0; index < records; index += 1) writer.append([entry(index)]);
  const { anchor } = writer;
  writer.close();
  return anchor;
}
const exportKey = (name = 'exported.key'): string => {
  const file = join(data, name);
  writeFileSync(file, renderKey(readKey(place().keyFile)!));
  return file;
};
const lines = (): string[] =>
  readdirSync(place().directory)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(place().directory, name), 'utf8').trimEnd().split('\n'));
const segments = (): number[] => lines().map((line) => (JSON.parse(line) as { segment?: number }).segment ?? 0);
const held = (keyFile: string, anchor: Anchor | null = null): Promise<AuditVerification> =>
  verifyAuditLog({ directory: place().directory, keyFile, anchor });

/**
 * What an attacker with the whole folder and the current key can do: changes records and makes hashes, seals and
 * checkpoint fit again.
 */
function sealAgain(change: (record: Record<string, unknown>) => Record<string, unknown> | null): void {
  const key = readKey(place().keyFile)!;
  const name = readdirSync(place().directory)
    .filter((each) => each.endsWith('.jsonl'))
    .sort();
  let previous = GENESIS_HASH;
  let previousMac = '0'.repeat(32);
  let seq = 0;
  const written: string[] = [];
  for (const line of lines()) {
    const { hash: _hash, mac: _mac, ...body } = JSON.parse(line) as Record<string, unknown>;
    const changed = change(body);
    if (changed === null) continue;
    seq += 1;
    const sealed = sealLine(
      JSON.stringify({
        ...changed,
        seq,
        flush: seq,
        previous,
        ...(changed.segment === undefined ? {} : { previousMac }),
      }),
      key.key,
    );
    ({ hash: previous, mac: previousMac } = sealed);
    written.push(sealed.line);
  }
  for (const each of name) rmSync(join(place().directory, each));
  const text = `${written.join('\n')}\n`;
  writeFileSync(join(place().directory, name[0] ?? ''), text);
  rmSync(join(place().directory, 'checkpoint'));
  CheckpointFile.create(place().directory, key, {
    seq,
    hash: previous,
    file: name[0] ?? '',
    bytes: Buffer.byteLength(text),
    isClosed: true,
    at: new Date().toISOString(),
  }).close();
}

describe('the key moves on', () => {
  test('[audit.segments] at each start and after a number of records; the previous key is gone from the disk', async () => {
    live(3);
    const first = readKey(place().keyFile)!.key.export().toString('hex');
    live(5, 2);
    expect(segments()).toEqual([1, 1, 1, 2, 2, 3, 3, 4]);
    expect(readKey(place().keyFile)).toMatchObject({ segment: 4 });
    expect(readFileSync(place().keyFile, 'latin1')).not.toContain(first);
    expect(readFileSync(place().keyFile, 'latin1').match(/[0-9a-f]{64}/g)).toHaveLength(1);
  });

  test('a start that writes nothing keeps the key', () => {
    live(1);
    for (let start = 0; start < 3; start += 1) live(0);
    expect(readKey(place().keyFile)).toMatchObject({ segment: 1 });
    live(1);
    expect(segments()).toEqual([1, 2]);
  });

  test('after an hour', async () => {
    const now = vi.spyOn(performance, 'now');
    let time = 0;
    now.mockImplementation(() => time);
    const writer = AuditWriter.open(place());
    for (const at of [0, 3_500_000, 3_600_001, 3_700_000]) {
      time = at;
      writer.append([entry()]);
    }
    writer.close();
    now.mockRestore();
    expect(segments()).toEqual([1, 1, 2, 2]);
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true });
  });

  test('the host checks the seals of its present segment, an exported key those from its own on, the first key all', async () => {
    live(3);
    const first = exportKey('first.key');
    live(3);
    const second = exportKey('second.key');
    live(3);
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true, records: 9, sealsCheckedFrom: 7 });
    expect(await held(second)).toMatchObject({ ok: true, records: 9, sealsCheckedFrom: 4 });
    expect(await held(first)).toMatchObject({ ok: true, records: 9, sealsCheckedFrom: 1 });
    rmSync(place().keyFile);
    expect(await verifyCopy({ ...place(), keyFile: first })).toMatchObject({ ok: true, sealsCheckedFrom: 1 });
  });

  test('a log and a key of an older host continue, and the older records are checked with the older key', async () => {
    // As older hosts wrote them: no segment, the key as one line.
    const key: SegmentKey = { segment: 0, key: createSecretKey('ab'.repeat(32), 'hex') };
    writeFileSync(place().keyFile, `${'ab'.repeat(32)}\n`);
    cpSync(place().keyFile, join(data, 'old.key'));
    const name = 'audit-000000000001-20260215.jsonl';
    let previous = GENESIS_HASH;
    let text = '';
    for (let seq = 1; seq <= 3; seq += 1) {
      const sealed = sealLine(
        JSON.stringify({
          seq,
          flush: seq,
          previous,
          time: '2026-02-15T12:00:00.000Z',
          kind: 'request',
          actor: { tokenId: null, surface: 'host' },
        }),
        key.key,
      );
      previous = sealed.hash;
      text += `${sealed.line}\n`;
    }
    rmSync(place().directory, { recursive: true, force: true });
    CheckpointFile.create(place().directory, key, {
      seq: 3,
      hash: previous,
      file: name,
      bytes: Buffer.byteLength(text),
      isClosed: true,
      at: '2026-02-15T12:00:00.000Z',
    }).close();
    expect(readFileSync(join(place().directory, 'checkpoint'), 'utf8')).not.toContain('segment');
    writeFileSync(join(place().directory, name), text);
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true, records: 3, sealsCheckedFrom: 1 });
    live(2);
    live(2);
    expect(segments()).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true, records: 7, sealsCheckedFrom: 6 });
    expect(await held(join(data, 'old.key'))).toMatchObject({ ok: true, records: 7, sealsCheckedFrom: 1 });
    expect(readFileSync(place().keyFile, 'latin1')).not.toContain('abab');
  });

  test('a changed seal of an earlier segment is noticed without its key', async () => {
    live(3);
    live(3);
    for (const file of readdirSync(place().directory).filter((name) => name.endsWith('.jsonl'))) {
      const path = join(place().directory, file);
      const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
      const mac = parseLine(Buffer.from(first))?.mac ?? '';
      writeFileSync(
        path,
        [
          first.replace(
            mac,
            mac.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
          ),
          ...rest,
        ].join('\n'),
      );
    }
    expect(await verifyAuditLog(place())).toMatchObject({ ok: false, firstBad: { seq: 2, reason: 'hash' } });
  });
});

describe('the present key and the whole log in the wrong hands', () => {
  const attacks: Record<string, (record: Record<string, unknown>) => Record<string, unknown> | null> = {
    'a record of an earlier segment is changed': (record) =>
      record.seq === 2 ? { ...record, action: 'never happened' } : record,
    'it is changed and put into the present segment, with all that follow': (record) =>
      Number(record.seq) < 2
        ? record
        : { ...record, segment: 3, ...(record.seq === 2 ? { action: 'never happened' } : {}) },
    'the whole log is put into the present segment': (record) => ({ ...record, segment: 3 }),
    'the end of the segment before is cut off': (record) => (record.seq === 5 || record.seq === 6 ? null : record),
    'an earlier segment is left out': (record) => (record.segment === 2 ? null : record),
  };
  test.each(Object.entries(attacks))(
    '%s and everything is sealed again: an earlier key shows it, and so does the database',
    async (_what, change) => {
      live(3);
      const first = exportKey('first.key');
      live(3);
      const second = exportKey('second.key');
      const anchor = live(3);
      expect(await held(first, anchor)).toMatchObject({ ok: true });
      sealAgain(change);
      // The current key alone cannot show it: the other two witnesses are for that.
      expect(await verifyAuditLog(place())).toMatchObject({ ok: true });
      expect(await held(first)).toMatchObject({ ok: false, firstBad: { reason: 'key' } });
      expect(await held(second)).toMatchObject({ ok: false, firstBad: { reason: 'key' } });
      expect(await verifyAuditLog({ ...place(), anchor })).toMatchObject({ ok: false });
    },
  );
});

describe('a kill during the move', () => {
  test('at any step of a first start raises no alarm', async () => {
    let finished = 0;
    for (let steps = 0; finished < 3; steps += 1) {
      data = scratch();
      disk.operations = steps;
      try {
        const writer = AuditWriter.open(place());
        for (let index = 0; index < 2; index += 1) writer.append([entry(index)]);
        finished += 1;
      } catch {
        // Killed at this step.
      }
      disk.operations = Number.POSITIVE_INFINITY;
      expect(await verifyAuditLog(place()), `after ${steps} steps`).toMatchObject({ ok: true });
      live(2);
      live(2);
      expect(await verifyAuditLog(place()), `after ${steps} steps and two starts`).toMatchObject({ ok: true });
    }
  });

  test('at any of its steps: no alarm, for the host and for the holder of the first key, and the move is finished', async () => {
    let finished = 0;
    for (let steps = 0; finished < 3; steps += 1) {
      data = scratch();
      live(3);
      const first = exportKey('first.key');
      const writer = AuditWriter.open(place());
      disk.operations = steps;
      try {
        writer.append([entry()]);
        finished += 1;
      } catch {
        // Killed at this step.
      }
      disk.operations = Number.POSITIVE_INFINITY;
      writer.abandon();
      for (const keyFile of [place().keyFile, first])
        expect(await held(keyFile), `after ${steps} steps`).toMatchObject({ ok: true });
      // The next start is killed as well, somewhere.
      disk.operations = steps % 5;
      try {
        AuditWriter.open(place()).abandon();
      } catch {
        // Killed while it finished the move.
      }
      disk.operations = Number.POSITIVE_INFINITY;
      for (const keyFile of [place().keyFile, first])
        expect(await held(keyFile), `after ${steps} steps and another kill`).toMatchObject({ ok: true });
      live(2);
      live(2);
      for (const keyFile of [place().keyFile, first])
        expect(await held(keyFile), `after ${steps} steps and two starts`).toMatchObject({ ok: true });
      expect(readFileSync(place().keyFile, 'latin1').match(/[0-9a-f]{64}/g)).toHaveLength(1);
      const state = readCheckpoint(place().directory, readKey(place().keyFile));
      expect(state).toMatchObject({ state: 'valid', checkpoint: { segment: readKey(place().keyFile)?.segment } });
    }
  });

  test('an earlier key in place of the current one is noticed', async () => {
    live(3);
    const first = exportKey('first.key');
    live(3);
    live(3);
    cpSync(first, place().keyFile);
    const writer = AuditWriter.open(place());
    expect(writer.opened.damage).toMatchObject({ reason: 'key' });
    writer.append([entry()]);
    writer.close();
    expect(await verifyAuditLog(place())).toMatchObject({ ok: false, firstBad: { reason: 'key' } });
    expect(await held(first)).toMatchObject({ ok: false, firstBad: { reason: 'key' } });
  });
});
