/** Evidence from two screens of a console. */
import { describe, expect, it } from 'vitest';
import { isLetterPending, keySeen, rowDifference, textSeen } from '../../../../src/win32/terminal/screen-change.ts';

const WIDTH = 20;
/** A screen of six rows; `|` marks the cursor. */
function screen(...rows: readonly string[]) {
  const y = rows.findIndex((row) => row.includes('|'));
  const all = Array.from({ length: 6 }, (_, index) => (rows[index] ?? '').replace('|', '').padEnd(WIDTH));
  return { rows: all, width: WIDTH, cursor: { x: (rows[y] ?? '').indexOf('|'), y } };
}

describe('typed text on a console’s screen', () => {
  const asked = screen('C:\\>prompt', 'Your name: |');

  it.each([
    ['at the cursor', 'Ada', screen('C:\\>prompt', 'Your name: Ada|'), { shown: 3, as: 'text' }],
    ['and Enter', 'Ada\n', screen('C:\\>prompt', 'Your name: Ada', 'Hello Ada', '|'), { shown: 3, as: 'text' }],
    [
      'over the end of the row',
      'Ada Byron-King',
      screen('C:\\>prompt', 'Your name: Ada Byron', '-King|'),
      { shown: 14, as: 'text' },
    ],
    [
      'two lines, the second at the next question',
      'Ada\r\nByron\r\n',
      screen('C:\\>prompt', 'Your name: Ada', 'And: Byron', '|'),
      { shown: 8, as: 'text' },
    ],
    ['after the screen has scrolled', 'Ada\n', screen('Your name: Ada', 'Hello Ada', '|'), { shown: 3, as: 'text' }],
    ['while a clock runs in the first row', 'Ada', screen('12:00:01', 'Your name: Ada|'), { shown: 3, as: 'text' }],
    ['as stars', '4711', screen('C:\\>prompt', 'Your name: ****|'), { shown: 4, as: 'mask' }],
  ])('is seen %s', (_what, text, after, seen) => expect(textSeen(asked, after, text)).toEqual(seen));

  it.each([
    ['nothing is shown', 'Ada', asked],
    ['only Enter is shown', 'Ada\n', screen('C:\\>prompt', 'Your name:', '|')],
    ['something else is shown', 'Ada', screen('C:\\>prompt', 'Your name: A?a|')],
    ['it stands somewhere else', 'Ada\n', screen('C:\\>prompt', 'Your name:', 'Hello Ada', '|')],
    ['only the first of two lines is shown', 'Ada\nByron\n', screen('C:\\>prompt', 'Your name: Ada', 'Password:', '|')],
    ['the screen was cleared', 'Ada\n', screen('C:\\>|')],
    ['more stars are shown than were typed', '47', screen('C:\\>prompt', 'Your name: ****|')],
    ['one star could be anything', '4', screen('C:\\>prompt', 'Your name: *|')],
    ['Enter alone shows nothing of its own', '\n', screen('C:\\>prompt', 'Your name:', '|')],
    ['a tab may become anything', 'A\tb', screen('C:\\>prompt', 'Your name: A       b|')],
  ])('is not seen where %s', (_what, text, after) => expect(textSeen(asked, after, text)).toBeNull());

  it('that was there before is not evidence unless the cursor went over it', () => {
    const filled = screen('C:\\>|Ada');
    expect(textSeen(filled, filled, 'Ada')).toBeNull();
    expect(textSeen(filled, screen('C:\\>Ada|'), 'Ada')).toEqual({ shown: 3, as: 'text' });
  });

  it('is found behind characters of two cells', () => {
    const before = { rows: ['名前: '.padEnd(WIDTH - 2)], width: WIDTH, cursor: { x: 6, y: 0 } };
    const after = { rows: ['名前: Ada'.padEnd(WIDTH - 2)], width: WIDTH, cursor: { x: 9, y: 0 } };
    expect(textSeen(before, after, 'Ada')).toEqual({ shown: 3, as: 'text' });
  });

  it('on an empty line is not mistaken for the line that has scrolled there', () => {
    const before = screen('one', 'two', 'three', '|');
    expect(textSeen(before, screen('two', 'three', 'four', 'five', '|'), 'five\n')).toBeNull();
  });
});

describe('a key on a console’s screen', () => {
  const menu = screen('12:00:00', '> Alpha', '  Beta', '|');
  it.each([
    ['the selection moves', screen('12:00:00', '  Alpha', '> Beta', '|'), true],
    ['the cursor moves', screen('12:00:00', '> Alpha|', '  Beta'), true],
    ['nothing changes', menu, false],
    ['the clock goes on', screen('12:00:01', '> Alpha', '  Beta', '|'), false],
    ['a bar grows', screen('12:00:00', '> Alpha', '  Beta', '|', '==== 4%'), false],
  ])('is seen or not where %s', (_what, after, isSeen) => expect(keySeen(menu, after)).toBe(isSeen));
});

describe('the rows of a screen that changed', () => {
  const asked = 'C:\\>prompt\nProceed? (y/n)';
  it.each([
    [
      'an answer and what follows it',
      asked,
      'C:\\>prompt\nProceed? (y/n) y\nAnswer: [y]',
      { before: 'Proceed? (y/n)', after: 'Proceed? (y/n) y\nAnswer: [y]' },
    ],
    [
      'the selection of a menu',
      'Choose\n> Alpha\n  Beta\n  Gamma',
      'Choose\n  Alpha\n> Beta\n  Gamma',
      { before: '> Alpha\n  Beta', after: '  Alpha\n> Beta' },
    ],
    [
      'what scrolled out above is no change',
      'one\ntwo\nthree\nName:',
      'three\nName: Ada\nHello Ada',
      { before: 'Name:', after: 'Name: Ada\nHello Ada' },
    ],
    ['a screen that was cleared', 'one\ntwo', '', { before: 'one\ntwo', after: '' }],
    ['a row that went', 'one\ntwo\nthree', 'two\nthree', { before: 'one', after: '' }],
    ['empty rows between', 'one\n\ntwo', 'one\n\ntwo\n\nthree', { before: '', after: 'three' }],
    ['only empty rows between', 'one\ntwo', 'one\n\ntwo', { before: '', after: '' }],
  ])('%s', (_what, before, after, expected) => expect(rowDifference(before, after)).toEqual(expected));

  it('at the end of a very long text', () => {
    const rows = (count: number): string => Array.from({ length: count }, (_, index) => `Line ${index}`).join('\n');
    expect(rowDifference(rows(9000), rows(9001))).toEqual({ before: '', after: 'Line 9000' });
  });
});

describe('a letter at a prompt', () => {
  const asked = screen('C:\\>setup', 'Go? (y/n) |');

  it.each([
    ['shown in the line', screen('C:\\>setup', 'Go? (y/n) y|')],
    ['shown as a star', screen('C:\\>setup', 'Go? (y/n) *|')],
    ['not shown', asked],
    ['shown while a clock runs', screen('12:00:01', 'Go? (y/n) y|')],
  ])('waits for Enter: %s', (_what, after) => expect(isLetterPending(asked, after)).toBe(true));

  it.each([
    ['the next question', screen('C:\\>setup', 'Go? (y/n) yes', 'Where? |')],
    ['the line drawn again', screen('C:\\>setup', '√ Go? · true', '? Where? |')],
    ['the line ended', screen('C:\\>setup', 'Go? (y/n) y', '|')],
    ['another screen', screen('Installing', '|')],
  ])('was taken by the program: %s', (_what, after) => expect(isLetterPending(asked, after)).toBe(false));
});
