// The quick check of cells accepts only what their schema accepts, and changes nothing.
import { array, assert, boolean, constantFrom, dictionary, double, oneof, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { parseOrRefuse } from '../../../../src/contract/json/issues.ts';
import { CellInput, CellInputs, CellValue, RangeRead } from '../../../../src/contract/cells/sheet.ts';

const texts = oneof(
  string({ unit: 'binary' }),
  constantFrom('', '\ud800', 'a'.repeat(32_767), 'a'.repeat(32_768), '#N/A', '#NONE', '=A1', '=', '2026-11-23'),
);
const numbers = oneof(double(), constantFrom(Infinity, -Infinity, Number.NaN, 1e308, -1e308, 9.99e307));
const plain = oneof(texts, numbers, boolean(), constantFrom(null, undefined, 1n));
const cell = oneof(
  plain,
  dictionary(constantFrom('error', 'formula', 'date', 'other', 'constructor'), oneof(texts, numbers)),
  constantFrom(
    { error: '#N/A' },
    { error: '#N/A', more: 1 },
    { formula: '=A1' },
    { formula: '=A1', more: 1 },
    { date: '2026-11-23' },
    { date: 1 },
    Array.from({ length: 2 }),
    { error: '#NONE' },
    Object.create({ error: '#N/A' }),
    JSON.parse('{"error": "#N/A", "__proto__": 1}'),
    [],
    [1],
    new Date(0),
  ),
  array(plain, { maxLength: 2 }),
);

const row = oneof(array(cell, { maxLength: 3 }), cell);

it.each([
  ['to write', CellInput, cell],
  ['that were read', CellValue, cell],
  ['of rows to write', CellInputs, oneof(array(row, { maxLength: 3 }), cell)],
  ['of rows that were read', RangeRead.shape.values, oneof(array(row, { maxLength: 3 }), cell)],
] as const)(
  '[sheet.values] cells %s are judged alike by the quick check and by the whole one',
  (_which, schema, given) => {
    const whole: z.ZodType = schema.describe('a clone, which has no quick check');
    assert(
      property<[unknown]>(given, (value) => {
        const quick = schema.safeParse(value);
        const slow = whole.safeParse(value);
        expect(quick.success).toBe(slow.success);
        expect(quick.data).toEqual(slow.data);
        expect(quick.error?.issues).toEqual(slow.error?.issues);
      }),
      { numRuns: 5000 },
    );
  },
);

it.each([Number.NaN, Infinity, -Infinity, 1.5e308, '\ud83e', 'x'.repeat(32_768)])(
  '[sheet.values] %j cannot be written, by a library’s caller neither',
  (value) => {
    expect(() => parseOrRefuse(CellInput, value)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  },
);
