/** Which of a terminal’s consoles it shows. */
import { describe, expect, it } from 'vitest';
import { shownConsole } from '../../../../src/win32/input/consoles.ts';

const CMD = [
  'Microsoft Windows [Version 10.0.26100.1742]',
  '(c) Microsoft Corporation. All rights reserved.',
  '',
  String.raw`C:\Users\Ada>`,
];
const CLAUDE = [
  'Do you want to make this edit to main.ts?',
  '❯ 1. Yes',
  '  2. No, and tell Claude what to do differently (esc)',
  '',
];

describe('which console a terminal shows', () => {
  it('is the console whose screen its text contains, even with scroll-back above and other lines below', () => {
    expect(shownConsole([CMD, CLAUDE], ['npm run build', 'done', ...CLAUDE, ''].join('\n'))).toBe(1);
    expect(shownConsole([CMD, CLAUDE], CMD.join('\n'))).toBe(0);
  });

  it('rows that the terminal joined where they were wrapped are found', () => {
    const long = 'a path that is longer than the window is wide and goes on in the next row of it';
    expect(shownConsole([[long.slice(0, 40), long.slice(40)], CMD], `> ${long}`)).toBe(0);
  });

  it('none where another kind of tab is in front, several where two look alike', () => {
    expect(shownConsole([CMD], 'Settings\nStartup\nInteraction')).toBe('none');
    expect(shownConsole([], 'text')).toBe('none');
    expect(shownConsole([CMD, CMD], CMD.join('\n'))).toBe('several');
    // A prompt's sign alone tells nothing.
    expect(shownConsole([['>']], 'a > b')).toBe('none');
  });

  it('an empty console is shown by an empty window alone', () => {
    expect(shownConsole([['', '  ']], '')).toBe(0);
    expect(shownConsole([['', '  ']], 'text')).toBe('none');
  });
});
