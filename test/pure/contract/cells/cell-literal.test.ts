// Which texts Excel would read as something else, so that they need an apostrophe to stay text.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalText, needsApostrophe } from '../../../../src/contract/cells/cell-text.ts';

const READ_AS_OTHERS = [
  '=B2',
  '=(',
  ' =B2',
  '＝B2',
  '+1',
  '+B2',
  '-B2',
  '-',
  '−5',
  '@x',
  '@SUM(A1)',
  "'quoted",
  '\t=B2',
  '\r\nx',
  '#N/A',
  '#REF!',
  '#anything',
  'TRUE',
  'true',
  ' False ',
  'ＴＲＵＥ',
  '0',
  '007',
  ' 7 ',
  '1,234',
  '1.5',
  '.5',
  '5.',
  '1e5',
  '2E+3',
  '12%',
  '%12',
  '$5',
  '5 €',
  '£3.20',
  '5 USD',
  '(5)',
  '1/2',
  '1 1/2',
  '1-2',
  '1/2/2024',
  '2024-01-02',
  '2024-01-02T10:30Z',
  '1.2.2024',
  'Jan 5',
  '5-Mar-24',
  'March 2024',
  'MARCH1',
  'SEPT2',
  'Dec-01',
  'Monday, March 4, 2024',
  '12:30',
  '12:30 PM',
  '5 pm',
  '1a',
  '10:30:15.5',
  '１２３',
  '٣',
  '2024年1月2日',
  '12時30分',
  'JanA1',
  'JanFeb 5',
  'aMar 5',
  'May A1',
  '1/am',
  '10,,A1',
  '12Px',
  'e12,7',
];
const TEXTS = [
  '',
  'Name',
  'Löwe 🦁',
  'two\nlines',
  'A1',
  'E5',
  'P5',
  'Item 7',
  '7 items',
  'x=1',
  'a-b',
  'a@b.example',
  '1st',
  '5th of May is here',
  'May',
  'True story',
  '3 apples',
  '0x1F',
  'v1.2',
  'Q1 2024',
  'No. 5',
  'ABC-123',
  '§ 5 BGB',
  '漢字',
];

describe('literal texts', () => {
  it('has a table of at least 60', () => expect(READ_AS_OTHERS.length).toBeGreaterThanOrEqual(60));
  it.each(READ_AS_OTHERS)('%j gets an apostrophe', (text) => {
    expect([needsApostrophe(text), literalText(text)]).toEqual([true, `'${text}`]);
  });
  it.each(TEXTS)('%j stays as given', (text) => {
    expect([needsApostrophe(text), literalText(text)]).toEqual([false, text]);
  });
  it('a text is judged alike with a blank in front, whatever word it begins with', () => {
    const word = fc.constantFrom(
      'a',
      'am',
      'May',
      'mAr',
      'JanFeb',
      'USD',
      'eur',
      'True',
      'false',
      'e',
      'text',
      'Löwe',
      'No',
    );
    const rest = fc.stringMatching(/^[ -~äｍé]{0,6}$/);
    fc.assert(
      fc.property(fc.tuple(word, rest), ([first, more]) => {
        expect(needsApostrophe(first + more)).toBe(needsApostrophe(` ${first}${more}`));
      }),
      { numRuns: 5000 },
    );
  });
  it('the longest text of months in a row is judged like a short one', () => {
    const months = 'jan'.repeat(10_900);
    expect([needsApostrophe(`1 ${months}x`), needsApostrophe(`1 ${months}`)]).toEqual([false, true]);
  });
});
