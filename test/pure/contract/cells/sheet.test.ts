/** The schemas of cells: what cannot be written is refused before it reaches a program. */
import { expect, it } from 'vitest';
import { CellInput } from '../../../../src/contract/cells/sheet.ts';
import { parseOrRefuse } from '../../../../src/contract/json/issues.ts';

it.each([Number.NaN, Infinity, -Infinity, 1.5e308, '\ud83e', 'x'.repeat(32_768)])(
  '[sheet.values] %j cannot be written, not even by a library’s caller',
  (value) => {
    expect(() => parseOrRefuse(CellInput, value)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  },
);
