/** Records end: old files are cut, what remains verifies and says from where, and nothing else may be missing. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { verifyCopy } from '../../../src/audit/copy.ts';
import { exportAudit } from '../../../src/audit/export.ts';
import { readKey } from '../../../src/audit/key.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { readAuditLog } from '../../../src/audit/files.ts';
import { verifyAuditLog } from '../../../src/audit/verify.ts';
import { verifyExport } from '../../../src/audit/verify-export.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { scratch } from '../store/scratch.ts';

let data: string;
let now: Date;
beforeEach(() => {
  data = scratch();
  now = new Date('2026-01-01T12:00:00Z');
});
const place = () => ({ directory: join(data, 'audit'), keyFile: join(data, 'audit.key') });
const open = () => AuditWriter.open({ ...place(), segmentRecords: 3, now: () => now });
const entry = (index: number) =>
  ({ kind: 'request', actor: { tokenId: null, surface: 'host' }, details: { index } }) as const;
const files = () => readdirSync(place().directory).filter((name) => name.endsWith('.jsonl'));

/** Ten days of five records; the first file begins with record 1. */
function tenDays(): AuditWriter {
  const writer = open();
  for (let day = 0; day < 10; day += 1, now = new Date(now.getTime() + 86_400_000))
    for (let index = 0; index < 5; index += 1) writer.append([entry(day * 5 + index)]);
  return writer;
}

describe('[audit.cut] an audit that is kept for a number of days', () => {
  test('loses whole files, keeps a record of each, and verifies from where it is complete', async () => {
    const writer = tenDays();
    expect(writer.cut(365)).toBe(0);
    expect(writer.cut(3)).toBe(7);
    expect(writer.cut(3)).toBe(0);
    writer.append([entry(99)]);
    writer.close();
    expect(await verifyAuditLog(place())).toMatchObject({
      ok: true,
      firstBad: null,
      completeFrom: 36,
      head: { seq: 58 },
    });
    expect(await verifyCopy(place())).toMatchObject({ ok: true, completeFrom: 36 });
    const { entries } = await readAuditLog(place().directory, { after: 50 });
    expect(entries.filter(({ action }) => action === 'audit.cut').map(({ details }) => details)).toEqual(
      Array.from({ length: 7 }, (_, index) =>
        expect.objectContaining({ first: index * 5 + 1, last: index * 5 + 5, days: 3, damage: null }),
      ),
    );
    // A later host continues as usual, and cuts further.
    const next = open();
    expect(next.opened.damage).toBeNull();
    now = new Date(now.getTime() + 30 * 86_400_000);
    next.append([entry(100)]);
    expect(next.cut(3)).toBeGreaterThan(0);
    next.close();
    expect(await verifyAuditLog(place())).toMatchObject({ ok: true });
  });

  test('what was deleted by anyone else is still missing', async () => {
    const writer = tenDays();
    writer.cut(8);
    writer.close();
    unlinkSync(join(place().directory, files()[0]!));
    expect(await verifyAuditLog(place())).toMatchObject({ ok: false, firstBad: { seq: 1, reason: 'gap' } });
    expect(await verifyCopy({ ...place(), keyFile: join(data, 'none') })).toMatchObject({ ok: false });
  });

  test.each(['before', 'after'])(
    'a kill %s the file is deleted leaves a whole log, and the next cut continues',
    async (when) => {
      const writer = tenDays();
      const [first] = files();
      const kept = join(data, 'kept');
      copyFileSync(join(place().directory, first!), kept);
      writer.cut(9);
      writer.abandon();
      if (when === 'before') copyFileSync(kept, join(place().directory, first!));
      expect(await verifyAuditLog(place())).toMatchObject({ ok: true, completeFrom: when === 'before' ? 1 : 6 });
      const next = open();
      next.cut(8);
      next.close();
      expect(await verifyAuditLog(place())).toMatchObject({ ok: true, completeFrom: 11 });
    },
  );

  test('a cut hides no damage: it is in the record of the cut, and verification keeps reporting it', async () => {
    const writer = tenDays();
    const file = join(place().directory, files()[0]!);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"index":2', '"index":7'));
    writer.cut(8);
    writer.close();
    expect(files()).toHaveLength(9);
    expect(await verifyAuditLog(place())).toMatchObject({ ok: false, firstBad: { seq: 3, reason: 'hash' } });
  });

  test('only the log itself may write the record of a cut', async () => {
    const log = createAuditLog(place());
    await expect(log.append({ ...entry(0), action: 'audit.cut' })).rejects.toMatchObject({ code: 'invalid_argument' });
    await log.close();
  });

  test('an export of what remains verifies, and a key of before is named as too old', async () => {
    const writer = open();
    writer.append([entry(0)]);
    mkdirSync(join(data, 'old'));
    const early = join(data, 'old', 'audit.key');
    copyFileSync(place().keyFile, early);
    writer.close();
    const days = tenDays();
    days.cut(5);
    days.close();
    const made = await exportAudit(place(), { since: null, until: null, version: '1' });
    expect(made).toMatchObject({ verdict: { ok: true }, isSealed: true });
    expect(verifyExport(made!.content, readKey(place().keyFile))).toMatchObject({
      ok: true,
      completeFrom: made!.first,
    });
    const verdict = await verifyCopy({ ...place(), keyFile: early });
    expect(verdict).toMatchObject({ ok: null, firstBad: null });
    expect(verdict.unchecked[0]).toContain('export the key again');
  });
});
