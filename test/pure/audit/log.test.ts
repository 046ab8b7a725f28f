/** The audit log: its lines, its pages, its failures, and its thread. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntryInput, AuditLog } from '../../../src/audit/log.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { openStore } from '../../../src/store/client.ts';
import { threadEntry } from '../../support/bundled.ts';
import { scratch } from '../store/scratch.ts';

let data: string;
let log: AuditLog;
const place = () => ({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
const files = (): string[] =>
  readdirSync(place().directory)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
const text = (): string =>
  files()
    .map((name) => readFileSync(join(place().directory, name), 'utf8'))
    .join('');
const entry = (changes: Partial<AuditEntryInput> = {}): AuditEntryInput => ({
  kind: 'request',
  actor: { tokenId: 'tok_1', surface: 'http' },
  ...changes,
});

beforeEach(() => {
  data = scratch();
  log = createAuditLog(place());
});
afterEach(() => log.close().catch(() => undefined));

describe('[audit.readable] the log', () => {
  test('is lines of JSON, numbered from 1, every field there, and can be read while it is open', async () => {
    const whole = {
      sessionId: 'ses_1',
      actionId: 'act_1',
      action: 'typeIntoElement',
      decision: 'execute',
      riskLevel: 'high',
      riskTags: ['computer:input'],
      why: ['level full'],
      outcome: { effect: 'confirmed' },
      text: { length: 3, hmac: 'f'.repeat(64) },
      input: { name: 'Body' },
      digest: 'd'.repeat(64),
      artifacts: ['a'.repeat(64)],
      details: { hwnd: '7' },
    } as const;
    const [first, second] = await Promise.all([
      log.append(entry(whole)),
      log.append(entry({ kind: 'outcome', errorCode: 'window_gone' })),
    ]);
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual((await log.read()).entries);
    expect(lines[0]).toMatchObject({
      seq: 1,
      flush: 1,
      kind: 'request',
      actor: { tokenId: 'tok_1', surface: 'http' },
      ...whole,
      errorCode: null,
      previous: '0'.repeat(64),
      hash: first?.hash,
    });
    expect(Date.parse(String(lines[0]?.time))).toBeCloseTo(Date.now(), -4);
    expect(lines[1]).toMatchObject({
      seq: 2,
      flush: 1,
      sessionId: null,
      errorCode: 'window_gone',
      previous: first?.hash,
      hash: second?.hash,
    });
  });

  test('[audit.chain] anyone can recompute the chain with SHA-256 alone', async () => {
    for (let index = 0; index < 5; index += 1) await log.append(entry({ details: { text: '‘"\\ \u2028 😀' } }));
    let previous = '0'.repeat(64);
    for (const line of text().trimEnd().split('\n')) {
      const [body = ''] = line.split(',"hash":"');
      const record = JSON.parse(line) as { previous: string; hash: string };
      expect(record.previous).toBe(previous);
      expect(createHash('sha256').update(`${body}}`).digest('hex')).toBe(record.hash);
      previous = record.hash;
    }
  });

  test('is read in pages after a seq', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, index) => log.append(entry({ details: { index } }))));
    const first = await log.read({ limit: 10 });
    expect(first.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(first.next).toBe(10);
    expect(await log.read({ after: 20, limit: 10 })).toMatchObject({
      entries: [{ seq: 21 }, {}, {}, {}, { seq: 25 }],
      next: null,
    });
    expect(await log.read({ after: 15, limit: 10 })).toMatchObject({ next: null });
    expect(await log.read({ after: 99 })).toEqual({ entries: [], next: null });
    for (const query of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { after: -1 }, { after: Number.NaN }])
      await expect(log.read(query)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('only grows: earlier bytes never change', async () => {
    let before = '';
    for (let index = 0; index < 20; index += 1) {
      await log.append(entry({ details: { index } }));
      const now = text();
      expect(now.startsWith(before)).toBe(true);
      expect(now.length).toBeGreaterThan(before.length);
      before = now;
    }
  });

  test('files change by size and by day, and the chain continues across them', async () => {
    let now = new Date('2026-02-15T23:59:00Z');
    const writer = AuditWriter.open({ ...place(), maxFileBytes: 2000, now: () => now });
    for (let index = 0; index < 10; index += 1) writer.append([entry()]);
    now = new Date('2026-02-16T00:01:00Z');
    writer.append([entry()]);
    // A clock that is set back begins a new file as well; the order is that of the numbers.
    now = new Date('2026-02-15T12:00:00Z');
    writer.append([entry()]);
    writer.close();
    expect(files().length).toBeGreaterThan(4);
    expect(files().at(-1)).toBe('audit-000000000012-20260215.jsonl');
    expect(files().at(-2)).toBe('audit-000000000011-20260216.jsonl');
    expect(await log.verify()).toMatchObject({ ok: true, records: 12, head: { seq: 12 } });
    expect((await log.read({ after: 7 })).entries.map(({ seq }) => seq)).toEqual([8, 9, 10, 11, 12]);
  });

  test('opens again where it ended, in the same file', async () => {
    await log.append(entry());
    await log.close();
    const again = createAuditLog(place());
    expect(await again.open()).toMatchObject({ head: { seq: 1 }, ahead: 0, tornBytes: 0, damage: null });
    expect(await again.append(entry())).toMatchObject({ seq: 2 });
    await again.close();
    expect(files()).toHaveLength(1);
    expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
  });

  test('key, log and checkpoint are readable by the user only', async () => {
    await log.append(entry());
    // Windows has no such modes: there the files inherit the list of the data directory, which the host sets.
    const others = process.platform === 'win32' ? 0o044 : 0;
    for (const path of [
      place().keyFile,
      join(place().directory, 'checkpoint'),
      join(place().directory, files()[0] ?? ''),
    ])
      expect(statSync(path).mode & 0o044).toBe(others);
  });

  test('a huge entry becomes a small record', async () => {
    await log.append(
      entry({
        input: { steps: Array.from({ length: 5000 }, () => ({ name: 'x'.repeat(50) })) },
        why: ['y'.repeat(100_000)],
      }),
    );
    expect(text().length).toBeLessThan(4000);
    expect((await log.read()).entries[0]).toMatchObject({
      input: { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await log.verify()).toMatchObject({ ok: true });
  });

  test('entries that are not plain data, or that only the log may write, are refused alone', async () => {
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    const results = await Promise.allSettled([
      log.append(entry()),
      log.append(entry({ details: loop })),
      log.append(entry({ action: 'audit.damaged' })),
      log.append(entry()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results.slice(1, 3)).toMatchObject([
      { reason: { code: 'invalid_argument' } },
      { reason: { code: 'invalid_argument' } },
    ]);
    expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
  });

  test('fields that an entry does not have never reach the disk', async () => {
    await log.append({
      ...entry({ text: { length: 6, hmac: 'e'.repeat(64), plain: 'hunter2' } as never }),
      password: 'hunter2',
    } as never);
    expect(text()).not.toContain('hunter2');
  });
});

describe('in the store’s thread', () => {
  test('the audit shares the thread and its flushes, and verifies while it is written', async () => {
    await using store = await openStore({ file: join(data, 'host.sqlite'), threadEntry: threadEntry() });
    const shared = createAuditLog({ ...place(), thread: store.thread, maxFileBytes: 20_000 });
    const state = { isWriting: true };
    let written = 0;
    const writing = (async () => {
      for (let round = 0; round < 60; round += 1) {
        const burst = Array.from({ length: 1 + (round % 9) }, () => shared.append(entry()));
        written += burst.length;
        await Promise.all([store.events.append('s', { type: 'x' }), ...burst]);
      }
      state.isWriting = false;
    })();
    const verdicts = [];
    while (state.isWriting) verdicts.push(await shared.verify());
    await writing;
    expect(verdicts.length).toBeGreaterThan(3);
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
    expect(await shared.verify()).toMatchObject({ ok: true, records: written });
    const { entries } = await shared.read({ limit: 1000 });
    expect(new Set(entries.map(({ flush }) => flush)).size).toBeLessThan(entries.length / 2);
    await shared.close();
  });

  test('[audit.verifies] a log that is read while it is used for the first time does not count as tampered with', async () => {
    await using store = await openStore({ file: join(data, 'host.sqlite'), threadEntry: threadEntry() });
    for (let round = 0; round < 25; round += 1) {
      const fresh = createAuditLog({
        directory: join(data, `audit-${round}`),
        keyFile: join(data, `key-${round}`),
        thread: store.thread,
      });
      const written = fresh.append(entry());
      const verdicts = [];
      do verdicts.push(await fresh.verify());
      while (verdicts.at(-1)!.records === 0);
      await written;
      expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
      await fresh.close();
    }
  });

  test('when the thread is gone, entries reject', async () => {
    const store = await openStore({ file: join(data, 'host.sqlite'), threadEntry: threadEntry() });
    const shared = createAuditLog({ ...place(), thread: store.thread });
    await shared.append(entry());
    await store.close();
    await expect(shared.append(entry())).rejects.toMatchObject({ code: 'audit_unavailable', status: 503 });
    expect(await shared.verify()).toMatchObject({ ok: true, records: 1 });
  });
});

describe('a log that cannot be written', () => {
  test('rejects, and works again once the disk is mended, without an alarm', async () => {
    writeFileSync(place().directory, 'a file where the folder should be');
    await expect(log.append(entry())).rejects.toMatchObject({
      code: 'audit_unavailable',
      delivery: 'not_delivered',
      message: expect.stringContaining('must not run'),
    });
    rmSync(place().directory);
    expect(await log.append(entry())).toMatchObject({ seq: 1 });
    expect(await log.verify()).toMatchObject({ ok: true, records: 1 });
  });

  test('that is taken away while it is open rejects, and is noticed when it is back', async () => {
    await log.append(entry());
    const away = join(data, 'away');
    try {
      renameSync(place().directory, away);
    } catch {
      // Windows does not rename a folder with open files, so it cannot be removed like that.
      expect(process.platform).toBe('win32');
      return;
    }
    writeFileSync(place().directory, '');
    await wait(300);
    await expect(log.append(entry())).rejects.toMatchObject({ code: 'audit_unavailable' });
    rmSync(place().directory);
    renameSync(away, place().directory);
    expect(await log.append(entry())).toMatchObject({ seq: 2 });
    expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
  });
});

describe('[audit.damage] damage', () => {
  const damaged = async (): Promise<AuditLog> => {
    const again = createAuditLog(place());
    await again.open();
    return again;
  };
  beforeEach(async () => {
    await log.append(entry());
    await log.append(entry());
    await log.append(entry());
  });
  const path = (): string => join(place().directory, files()[0] ?? '');

  test('found while the log is open: recorded, and the log continues', async () => {
    appendFileSync(path(), 'x\n');
    await wait(300);
    expect(await log.append(entry())).toMatchObject({ seq: 5 });
    expect(await log.verify()).toMatchObject({ ok: false, records: 3, firstBad: { seq: 4, reason: 'hash' } });
    expect((await log.read({ after: 3 })).entries).toMatchObject([
      { seq: 4, kind: 'audit', action: 'audit.damaged', details: { reason: 'order' } },
      { seq: 5 },
    ]);
  });

  test('a file replaced by one of the same length while it is open is noticed', async () => {
    const name = path();
    const bytes = readFileSync(name);
    try {
      rmSync(name);
    } catch {
      expect(process.platform).toBe('win32');
      return;
    }
    writeFileSync(name, bytes);
    await wait(300);
    await log.append(entry());
    expect((await log.read({ after: 3 })).entries).toMatchObject([
      { action: 'audit.damaged', details: { reason: 'truncated' } },
      {},
    ]);
    expect(await log.verify()).toMatchObject({ ok: false, firstBad: { reason: 'truncated' } });
  });

  test.each([
    [
      'a record cut off',
      () => writeFileSync(path(), readFileSync(path(), 'utf8').split('\n').slice(0, 2).join('\n') + '\n'),
      'gap',
    ],
    [
      'a record changed',
      () => writeFileSync(path(), readFileSync(path(), 'utf8').replaceAll('tok_1', 'tok_2')),
      'hash',
    ],
    ['the file deleted', () => rmSync(path()), 'gap'],
    ['the checkpoint deleted', () => rmSync(join(place().directory, 'checkpoint')), 'key'],
    ['the checkpoint changed', () => writeFileSync(join(place().directory, 'checkpoint'), 'x'), 'key'],
    ['the key deleted', () => rmSync(place().keyFile), 'key'],
    ['the key replaced by something else', () => writeFileSync(place().keyFile, 'no key'), 'key'],
    ['log and checkpoint deleted', () => rmSync(place().directory, { recursive: true }), 'key'],
    ['log and key deleted', () => [path(), place().keyFile].forEach((name) => rmSync(name)), 'gap'],
  ] as const)(
    '%s while no host runs: found at once, recorded on opening, never forgotten',
    async (_name, harm, reason) => {
      await log.close();
      harm();
      expect((await log.verify()).ok).toBe(false);
      const again = await damaged();
      await again.append(entry());
      await again.close();
      expect(await log.verify()).toMatchObject({ ok: false, firstBad: { reason } });
      const third = await damaged();
      await third.append(entry());
      await third.close();
      expect(await log.verify()).toMatchObject({ ok: false, firstBad: { reason } });
      expect((await log.read({ limit: 1000 })).entries.filter(({ action }) => action === 'audit.damaged')).toHaveLength(
        1,
      );
    },
  );

  test('a key file that was no key is set aside, not overwritten', async () => {
    await log.close();
    writeFileSync(place().keyFile, 'no key');
    await (await damaged()).close();
    expect(readdirSync(data).filter((name) => name.startsWith('audit.key.damaged-'))).toHaveLength(1);
    expect(existsSync(place().keyFile)).toBe(true);
  });
});
