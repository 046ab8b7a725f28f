/** How far the audit reaches is reported to an outside witness; a failing witness harms nothing. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditReceipt } from '../../../src/audit/log.ts';
import { createAuditLog } from '../../support/audit-log.ts';
import { witnessed, type WitnessOptions } from '../../../src/audit/anchor.ts';
import { scratch } from '../store/scratch.ts';

const entry = { kind: 'request', actor: { tokenId: null, surface: 'host' } } as const;
let reports: string[];
beforeEach(() => {
  reports = [];
});
afterEach(() => {
  vi.useRealTimers();
});
const said = (receipt: AuditReceipt): string => `record ${receipt.seq} has the hash ${receipt.hash}`;

/** An audit in a folder of its own, whose witness does what `report` does. */
function started(report: WitnessOptions['report'] = () => Promise.resolve(true)) {
  const data = scratch();
  const directory = join(data, 'audit');
  const told: WitnessOptions['report'] = (text) => {
    reports.push(text);
    return report(text);
  };
  return {
    directory,
    ...witnessed(createAuditLog({ directory, keyFile: join(data, 'audit.key') }), { directory, report: told }),
  };
}

describe('the witness', () => {
  test('[audit.witness] gets the first record, each thousandth, and the last one', async () => {
    const { log, state, directory } = started();
    expect(state()).toBe('waiting');
    const first = await log.append(entry);
    await vi.waitFor(() => expect(state()).toBe('kept'));
    expect(reports).toEqual([`uiahost audit in ${directory}: ${said(first)}.`]);
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, () => log.append(entry)));
    expect(reports).toHaveLength(2);
    const last = await log.append(entry);
    await log.close();
    expect(reports).toHaveLength(3);
    expect(reports.at(-1)).toContain(said(last));
  });

  test('gets the newest record each hour, if there is a new one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { log } = started();
    await log.append(entry);
    const second = await log.append(entry);
    expect(reports).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reports).toHaveLength(2);
    expect(reports[1]).toContain(said(second));
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(reports).toHaveLength(2);
    await log.close();
    expect(reports).toHaveLength(2);
  });

  test.each([
    ['keeps nothing', () => Promise.resolve(false)],
    ['fails', () => Promise.reject(new Error('no such service'))],
  ])('that %s is a state for the doctor; the audit continues', async (_what, report) => {
    const { log, state } = started(report);
    await log.append(entry);
    await vi.waitFor(() => expect(state()).toBe('failed'));
    await log.append(entry);
    expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
    await log.close();
    expect(reports).toHaveLength(2);
  });

  test('that never answers keeps no record and no end waiting for long', async () => {
    const { log, state } = started(() => new Promise(() => {}));
    await log.append(entry);
    await log.append(entry);
    const from = performance.now();
    await log.close();
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(state()).toBe('waiting');
  });

  test('a report that is under way at the end is followed by one of the last record', async () => {
    const { log } = started(
      () =>
        new Promise((resolve) => {
          setTimeout(() => resolve(true), 100);
        }),
    );
    await log.append(entry);
    const last = await log.append(entry);
    await log.close();
    expect(reports).toHaveLength(2);
    expect(reports[1]).toContain(said(last));
  });
});
