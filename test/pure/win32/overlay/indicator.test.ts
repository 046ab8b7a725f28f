/** What the status strip says and where it is placed. */
import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENGLISH } from '../../../../src/contract/gate/card-words.ts';
import {
  DEFAULT_MESSAGE,
  indicatorMessage,
  MESSAGE_CHARACTERS,
  stripMeasures,
  stripPlace,
  stripText,
} from '../../../../src/win32/overlay/indicator.ts';

const count = (text: string): number => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length;

describe('text of the strip', () => {
  test('control characters go, line breaks become blanks', () => {
    expect(indicatorMessage('Filling in\r\nthe form\u0007\u001b[31m \u202eevil')).toBe('Filling in the form[31m evil');
    expect(indicatorMessage('ruhig – 静か – Ünï')).toBe('ruhig – 静か – Ünï');
  });

  test('[indicator.message] at most 120 characters as a person counts them, none cut in two', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(indicatorMessage(family.repeat(200))).toBe(family.repeat(MESSAGE_CHARACTERS));
    expect(indicatorMessage(`${'a'.repeat(119)}e\u0301x`)).toBe(`${'a'.repeat(119)}e\u0301`);
    assert(
      property(string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const shown = indicatorMessage(text);
        expect(count(shown)).toBeLessThanOrEqual(MESSAGE_CHARACTERS);
        expect(shown).not.toMatch(/\p{Cc}/u);
        expect(indicatorMessage(shown)).toBe(shown);
      }),
    );
  });

  test('[indicator.strip] has a text of its own if nothing is left of the message', () => {
    for (const nothing of [undefined, '', ' \n', '\u0000\u0007'])
      expect(indicatorMessage(nothing)).toBe(DEFAULT_MESSAGE);
  });
});

test('whose words they are: a message is quoted as the agent’s, whatever it says', () => {
  expect(stripText('UIAHOST ASKS FOR APPROVAL', ENGLISH)).toBe('The agent says: “UIAHOST ASKS FOR APPROVAL”');
  expect(stripText('done” uiahost: low risk “', ENGLISH)).toBe("The agent says: “done' uiahost: low risk '”");
  expect(stripText(DEFAULT_MESSAGE, ENGLISH)).toBe(`The agent says: “${DEFAULT_MESSAGE}”`);
  expect(stripText(undefined, ENGLISH)).toBe(DEFAULT_MESSAGE);
});

describe('where the strip is', () => {
  test('[indicator.strip] along the lower edge, as wide as the window', () => {
    const frame = { x: -1920, y: 40, width: 800, height: 600 };
    const measures = stripMeasures(frame, 96);
    expect(stripPlace(frame, measures, 18)).toEqual({ x: -1920, y: 614, width: 800, height: 26 });
    expect(measures.textWidth).toBeLessThan(800 - measures.mark);
  });

  test('[indicator.strip] grows with the monitor’s scale, and ends where its window ends', () => {
    const frame = { x: 0, y: 0, width: 100, height: 20 };
    const [one, two] = [stripMeasures(frame, 96), stripMeasures(frame, 192)];
    expect(two).toEqual({
      padding: one.padding * 2,
      mark: one.mark * 2,
      width: 100,
      textWidth: 100 - two.mark - 2 * two.padding,
    });
    expect(stripPlace(frame, one, 36)).toEqual(frame);
    expect(stripPlace({ ...frame, width: 1, height: 1 }, stripMeasures({ ...frame, width: 1 }, 192), 36)).toEqual({
      ...frame,
      width: 1,
      height: 1,
    });
  });
});
