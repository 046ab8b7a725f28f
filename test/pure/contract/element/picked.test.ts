/** The texts of date pickers, calendars and address fields. */
import { describe, expect, it } from 'vitest';
import { addressIn, dateParts, daysIn, saysPicked } from '../../../../src/contract/element/picked.ts';

describe('[picker.set] texts', () => {
  it.each([
    ['2026-12-31', '2026-12-31 14:05:00', true],
    ['2026-12-31 14:05', '2026-12-31 14:05:00', true],
    ['2026-12-31T14:05:09', '2026-12-31 14:05:09', true],
    ['14:05', '2026-12-31 14:05:30', false],
    ['2026-12-31', '2026-12-24/2026-12-31', false],
    ['2026-12-31', '2026-12-31/2026-12-31', true],
    [' None ', '', true],
    ['', '', true],
    ['2026-12-31', '', false],
    ['192.168.000.001', '192.168.0.1', true],
    ['192.168.0.1', '192.168.0.2', false],
    ['soon', '2026-12-31 00:00:00', false],
  ])('%j says %j: %s', (text, held, says) => expect(saysPicked(text, held)).toBe(says));

  it('no day that a calendar lacks, no range backwards, no part above 255', () => {
    for (const text of ['2026-02-30', '2026-13-01', '2026-12-09/2026-12-01', '12/01/2026', ''])
      expect(daysIn(text)).toBeNull();
    for (const text of ['1.2.3.256', '1.2.3', '1.2.3.4.5', '1.2..4', 'a.b.c.d']) expect(addressIn(text)).toBeNull();
    for (const text of ['', 'tomorrow', '26-1-1']) expect(dateParts(text)).toBeNull();
  });
});
