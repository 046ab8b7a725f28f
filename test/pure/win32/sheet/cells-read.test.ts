/** The digest of what was read: different for every difference, and the same in whatever form dates are answered. */
import { describe, expect, test } from 'vitest';
import { Currency, ErrorValue, OleDate, OtherValue, type Grid } from '../../../../native-bindings/com/variant-grid.ts';
import { cellsRead } from '../../../../src/win32/sheet/read-range.ts';

const found = { sheetName: 'Data' };
const AREA = { row: 1, column: 1, rows: 1, columns: 2 };

/** Two cells as Value2 has them, and as Value where that differs. */
const digest = (
  raw: Grid[number],
  typed: Grid[number] | null = null,
  dates: 'iso' | 'serial' = 'iso',
  formulas: Record<string, string> = {},
): string =>
  cellsRead(found, AREA, { raw: [raw], typed: typed === null ? null : [typed], formulas, dates, is1904: false }).digest;

describe('the digest of cells', () => {
  test('[sheet.overwrite] differs between kinds of values that look alike', () => {
    const all = [
      digest([undefined, 1]),
      digest(['', 1]),
      digest(['1', 1]),
      digest([1, 1]),
      digest([true, 1]),
      digest(['TRUE', 1]),
      digest(['#N/A', 1]),
      digest([new ErrorValue(0x800a_07fa | 0), 1]),
      digest([new OtherValue(13), 1]),
      digest([new OtherValue(14), 1]),
      digest([1, undefined]),
      digest([1, 1], null, 'iso', { A1: '=B1' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('[sheet.overwrite] does not depend on the form in which dates are answered, and follows parts of a millisecond', () => {
    const at = (days: number, dates: 'iso' | 'serial'): string => digest([days, 1], [new OleDate(days), 1], dates);
    expect(at(45_000.5, 'iso')).toBe(at(45_000.5, 'serial'));
    expect(at(45_000.5, 'iso')).not.toBe(at(45_000.5 + 1e-9, 'iso'));
    expect(digest([2.5, 1], [new Currency(2.5), 1])).toBe(digest([2.5, 1], [new Currency(2.5), 1], 'serial'));
  });
});
