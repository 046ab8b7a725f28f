/** Possible traces of a kill in a log’s files are not called damage. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAuditLog } from '../../support/audit-log.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { scratch } from '../store/scratch.ts';

const placeOf = (data: string) => ({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });

describe('possible traces of a kill', () => {
  const entry = { kind: 'request', actor: { tokenId: null, surface: 'test' } } as const;

  /** A log whose checkpoint is set back by one flush, as a kill between record and checkpoint leaves it. */
  async function aheadLog(count: number): Promise<{ data: string; last: Buffer; file: string }> {
    const data = scratch();
    const log = createAuditLog(placeOf(data));
    await log.append(entry);
    const before = readFileSync(join(data, 'audit', 'checkpoint'));
    await Promise.all(Array.from({ length: count }, () => log.append(entry)));
    writeFileSync(join(data, 'audit', 'checkpoint'), before);
    const file = join(data, 'audit', readdirSync(join(data, 'audit')).find((name) => name.endsWith('.jsonl')) ?? '');
    return { data, file, last: readFileSync(file) };
  }

  test.each([1, 5])(
    'a single flush of %i records ahead of the checkpoint is accepted, and adopted on opening',
    async (count) => {
      const { data } = await aheadLog(count);
      expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 1 + count, ahead: count });
      const again = createAuditLog(placeOf(data));
      expect(await again.open()).toMatchObject({ ahead: count, damage: null, head: { seq: 1 + count } });
      await again.append(entry);
      await again.close();
      expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 2 + count, ahead: 0 });
    },
  );

  test('two flushes ahead are not', async () => {
    const data = scratch();
    const log = createAuditLog(placeOf(data));
    await log.append(entry);
    const before = readFileSync(join(data, 'audit', 'checkpoint'));
    await log.append(entry);
    await log.append(entry);
    writeFileSync(join(data, 'audit', 'checkpoint'), before);
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: false, firstBad: { seq: 2, reason: 'key' } });
  });

  test('a record that was cut off while being written is accepted at every length, and cut away on opening', async () => {
    const { data, file, last } = await aheadLog(1);
    const start = last.indexOf(0x0a) + 1;
    for (let length = start; length < last.length; length += 7) {
      writeFileSync(file, last.subarray(0, length));
      expect(await verifyAuditLog(placeOf(data))).toMatchObject({
        ok: true,
        records: 1,
        ahead: 0,
        tornBytes: length - start,
      });
    }
    const again = createAuditLog(placeOf(data));
    expect((await again.open()).tornBytes).toBeGreaterThan(0);
    await again.append(entry);
    await again.close();
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 2, tornBytes: 0 });
  });

  test('the very first record cut off is cut away as well', async () => {
    const data = scratch();
    const log = createAuditLog(placeOf(data));
    await log.open();
    const before = readFileSync(join(data, 'audit', 'checkpoint'));
    await log.append(entry);
    writeFileSync(join(data, 'audit', 'checkpoint'), before);
    const name = readdirSync(join(data, 'audit')).find((file) => file.endsWith('.jsonl')) ?? '';
    writeFileSync(join(data, 'audit', name), readFileSync(join(data, 'audit', name)).subarray(0, 100));
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 0, tornBytes: 100 });
    const again = createAuditLog(placeOf(data));
    expect(await again.open()).toMatchObject({ tornBytes: 100, damage: null });
    expect(await again.append(entry)).toMatchObject({ seq: 1 });
    await again.close();
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 1 });
    expect(readdirSync(join(data, 'audit')).filter((file) => file.endsWith('.jsonl'))).toHaveLength(1);
  });

  test('after a clean end nothing may follow, not even something like a cut-off record', async () => {
    const data = scratch();
    const log = createAuditLog(placeOf(data));
    const { hash } = await log.append(entry);
    await log.close();
    const name = readdirSync(join(data, 'audit')).find((file) => file.endsWith('.jsonl')) ?? '';
    const path = join(data, 'audit', name);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"seq":2,"flush":2,"previous":"${hash}","ti`);
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: false, firstBad: { seq: 2, reason: 'hash' } });
  });

  test('an empty file, a folder that is not there, and a log that was only opened verify', async () => {
    const data = scratch();
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 0, head: null });
    mkdirSync(join(data, 'audit'));
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 0, head: null });
    const log = createAuditLog(placeOf(data));
    await log.open();
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 0 });
    await log.append(entry);
    writeFileSync(join(data, 'audit', 'audit-000000000002-20990101.jsonl'), '');
    expect(await verifyAuditLog(placeOf(data))).toMatchObject({ ok: true, records: 1 });
    await log.close();
  });
});
