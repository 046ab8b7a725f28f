// Which texts Windows itself reads as a number or a date, compared with the rule for apostrophes.
import { expect, it } from 'vitest';
import { bindLibrary, fn } from '../../../../native-bindings/library.ts';
import { needsApostrophe } from '../../../../src/contract/cells/cell-text.ts';
import { generatedRanges } from '../../../support/generated-ranges.ts';

const automation = bindLibrary('oleaut32.dll', {
  /** https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-varr8fromstr */
  VarR8FromStr: fn('hresult', ['ptr text', 'uint32 locale', 'uint32 flags', 'ptr out']),
  /** https://learn.microsoft.com/windows/win32/api/oleauto/nf-oleauto-vardatefromstr */
  VarDateFromStr: fn('hresult', ['ptr text', 'uint32 locale', 'uint32 flags', 'ptr out']),
});
const ENGLISH = 0x409;
const out = Buffer.alloc(8);

function isRead(text: string): boolean {
  const memory = Buffer.from(`${text}\0`, 'utf16le');
  const succeeds = (read: 'VarR8FromStr' | 'VarDateFromStr'): boolean => automation[read](memory, ENGLISH, 0, out) >= 0;
  // The name of a month alone is a date to Windows, and a word to a spreadsheet.
  return succeeds('VarR8FromStr') || (/\d/.test(text) && succeeds('VarDateFromStr'));
}

it('every generated text that Windows reads as a number or a date gets an apostrophe', () => {
  const texts = new Set(
    [...generatedRanges(2000, 20_261_123)]
      .flatMap(({ values }) => values.flat())
      .filter((cell) => typeof cell === 'string'),
  );
  expect(texts.size).toBeGreaterThan(10_000);
  const read = [...texts].filter(isRead);
  expect(read.length).toBeGreaterThan(100);
  expect(read.filter((text) => !needsApostrophe(text))).toEqual([]);
});
