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

it.each([
  [{ error: '#2051' }, /^error: expected one of #.*, got "#2051"\.$/],
  [{ error: '#n/a' }, /^error: expected one of #.*, got "#n\/a"\.$/],
  [{ eror: '#N/A' }, /unknown key "eror"; did you mean error\?/],
  [{ formla: '=1' }, /unknown key "formla"; did you mean formula\?/],
  [['a'], /^the input: expected a text or a finite number or true or false or null or an object, got a list of 1\.$/],
  [{ date: 3_000_000 }, /^date: expected at most 2958466, got 3000000\.$/],
])('[sheet.values] the refusal of %j names the closest form', (value, message) => {
  expect(() => parseOrRefuse(CellInput, value)).toThrow(message);
});
