// Which texts Excel would read as something else, so that they need an apostrophe to stay text.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalText, needsApostrophe } from '../../../../src/contract/cells/cell-text.ts';
import cases from '../../../fixtures/cells.json' with { type: 'json' };

const READ_AS_OTHERS = cases.readAsOthers;
const TEXTS = cases.texts;

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
