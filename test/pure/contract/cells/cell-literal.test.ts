// Which texts Excel would read as something else, so that they need an apostrophe to stay text.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalText, needsApostrophe } from '../../../../src/contract/cells/cell-text.ts';
import { wordsOf } from '../../../support/words.ts';

const READ_AS_OTHERS = [
  ...wordsOf`
    =B2 =( ＝B2 +1 +B2 -B2 - −5 @x @SUM(A1) #N/A #REF! #anything TRUE true ＴＲＵＥ 0 007 1,234 1.5 .5 5. 1e5 2E+3 12%
    %12 $5 £3.20 (5) 1/2 1-2 1/2/2024 2024-01-02 2024-01-02T10:30Z 1.2.2024 5-Mar-24 MARCH1 SEPT2 Dec-01 12:30 1a
    10:30:15.5 １２３ ٣ 2024年1月2日 12時30分 JanA1 1/am 10,,A1 12Px
  `,
  ' =B2',
  "'quoted",
  '\t=B2',
  '\r\nx',
  ' False ',
  ' 7 ',
  '5 €',
  '5 USD',
  '1 1/2',
  'Jan 5',
  'March 2024',
  'Monday, March 4, 2024',
  '12:30 PM',
  '5 pm',
  'JanFeb 5',
  'aMar 5',
  'May A1',
  'e12,7',
];
const TEXTS = [
  ...wordsOf`
    Name A1 E5 P5 x=1 a-b a@b.example 1st May 0x1F v1.2 ABC-123 漢字
  `,
  '',
  'Löwe 🦁',
  'two\nlines',
  'Item 7',
  '7 items',
  '5th of May is here',
  'True story',
  '3 apples',
  'Q1 2024',
  'No. 5',
  '§ 5 BGB',
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
    const word = fc.constantFrom(...'a am May mAr JanFeb USD eur True false e text Löwe No'.split(' '));
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
