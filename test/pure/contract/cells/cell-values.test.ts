// Values for cells: sizes, kinds and limits are checked before anything is written.
import { describe, expect, it } from 'vitest';
import { formatArea, parseAddress, type CellArea } from '../../../../src/contract/cells/cell-address.ts';
import { checkCellValues } from '../../../../src/contract/cells/cell-values.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { MOST_CELLS } from '../../../../src/contract/cells/cells.ts';
import type { CellInput } from '../../../../src/contract/cells/sheet.ts';

const area = (range: string): CellArea => {
  const read = parseAddress(range);
  if (read.kind !== 'areas') throw new Error(range);
  return read.areas[0];
};
const check = (range: string, values: CellInput[][]): string => formatArea(checkCellValues(area(range), values));
const refusal = (range: string, values: CellInput[][]): string => {
  try {
    check(range, values);
  } catch (error) {
    if (error instanceof UiaHostError && error.code === 'invalid_argument' && error.delivery === 'not_delivered')
      return error.message;
    throw error;
  }
  return 'accepted';
};
const grid = (rows: number, columns: number, value: CellInput = 1): CellInput[][] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => value));

describe('values for cells', () => {
  it('[sheet.values] takes a range of their size, or the cell that they begin in', () => {
    expect(check('B2:C4', grid(3, 2))).toBe('B2:C4');
    expect(check('B2', grid(3, 2))).toBe('B2:C4');
    expect(check('XFD1048576', [['x']])).toBe('XFD1048576');
    expect(check('A1', [['a', 1, true, null, '', { formula: '=A2' }, { date: '2024-02-29' }, { error: '#N/A' }]])).toBe(
      'A1:H1',
    );
    expect(check('A1', [['x'.repeat(32_767), '🦁'.repeat(10), '\n'.repeat(253)]])).toBe('A1:C1');
    expect(check('A1', [[{ formula: `=${'1'.repeat(8191)}` }, -0, 1e308, Number.MIN_VALUE]])).toBe('A1:D1');
    expect(check('A1', grid(100, MOST_CELLS / 100))).toBe('A1:CV100');
  });

  it.each<[what: string, range: string, values: CellInput[][], message: string]>([
    ['another size', 'A1:B2', grid(2, 3), 'values: 2 × 3 cells for the range A1:B2, which has 2 × 2.'],
    ['a turned size', 'A1:C2', grid(3, 2), 'values: 3 × 2 cells for the range A1:C2, which has 2 × 3.'],
    ['rows beyond the sheet', 'A1048576', grid(2, 1), 'values: 2 × 1 cells from A1048576 end beyond the sheet.'],
    ['columns beyond the sheet', 'XFD1', grid(1, 2), 'values: 1 × 2 cells from XFD1 end beyond the sheet.'],
    ['30 February', 'B2', [[{ date: '2026-02-30' }]], 'values: cell B2: “2026-02-30” is not a date from 1900 to 9999.'],
    ['U+0000', 'B2', [['a\0b']], 'values: cell B2: the text has a character U+0000.'],
    ...['-', '=', "'", '1'].map((first): [string, string, CellInput[][], string] => [
      `32,767 characters that begin with ${first}`,
      'B2',
      [[first === '1' ? '1'.repeat(32_767) : `${first}${'x'.repeat(32_766)}`]],
      'values: cell B2: the text has 32767 characters and is kept as text by an apostrophe in front of it, so at most 32766 fit.',
    ]),
    ['254 line feeds', 'B2', [['\n'.repeat(254)]], 'values: cell B2: the text has more than 253 line feeds.'],
  ])('[sheet.values] refuses %s', (_, range, values, message) => expect(refusal(range, values)).toBe(message));
});
