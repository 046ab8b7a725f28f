/** Colours and styles of a console's cells in words: by attributes, and by sequences that a console shows as text. */
import { describe, expect, it } from 'vitest';
import { attributedTexts, PLAIN, styleText, withSequence } from '../../../../src/win32/terminal/cell-style.ts';
import { interpreted } from '../../../../src/win32/terminal/escape-sequences.ts';

const WIDTH = 20;
const after = (...parameters: readonly string[]): string => styleText(parameters.reduce(withSequence, PLAIN));
const styled = (...printed: readonly string[]) => {
  const rows = printed.map((row) => row.padEnd(80));
  return interpreted({ rows, width: 80, cursor: { x: 0, y: printed.length }, above: null }).styles;
};

describe('[terminal.styles] sequences', () => {
  it.each([
    [['32'], 'green'],
    [['1;36', '4'], 'bold underlined cyan'],
    [['2'], 'dim'],
    [['97;44'], 'bright white on blue'],
    [['38;5;9'], 'bright red'],
    [['38;5;196'], '#ff0000'],
    [['48;2;1;2;3'], 'on #010203'],
    [['38;5;244;1'], 'bold #808080'],
    [['1;31', '22'], 'red'],
    [['31;7', '39', '27'], ''],
    [['1;31', ''], ''],
  ])('%j is %j', (parameters, words) => {
    expect(after(...parameters)).toBe(words);
  });

  it('the ticks of a list are distinguished, wide characters and cleared rows included', () => {
    expect(
      styled(
        '\u001B[32mold\u001B[39m\u001B[1G\u001B[2K\u001B[32m√\u001B[39m Käse',
        '\u001B[2m√\u001B[22m Brot',
        '\u001B[32m√\u001B[39m \u001B[4m豆腐\u001B[24m',
      ),
    ).toEqual([
      { row: 0, text: '√', style: 'green' },
      { row: 1, text: '√', style: 'dim' },
      { row: 2, text: '√', style: 'green' },
      { row: 2, text: '豆腐', style: 'underlined' },
    ]);
  });
});

describe('[terminal.styles] attributes', () => {
  const row = (text: string): string => text.padEnd(WIDTH);
  const cells = (...styles: readonly number[]): Uint16Array =>
    Uint16Array.from({ length: WIDTH }, (_, x) => styles[x] ?? 0x07);

  it('differ from the usual style of the screen; blanks are left out', () => {
    expect(
      attributedTexts([row('√ Käse'), row('√ Brot'), row('   menu'), row('')], WIDTH, [
        cells(0x02),
        cells(0x08),
        cells(7, 7, 7, 0x4007, 0x4007, 0x8017, 0x8017),
        cells(0x0a, 0x0a),
      ]),
    ).toEqual([
      { row: 0, text: '√', style: 'green' },
      { row: 1, text: '√', style: 'bright black' },
      { row: 2, text: 'me', style: 'reversed' },
      { row: 2, text: 'nu', style: 'underlined on blue' },
    ]);
  });

  it('a wide character has two cells', () => {
    // 19 units in 20 cells: the console gives one character for two cells
    const wide = '豆 ok and plain'.padEnd(WIDTH - 1);
    expect(attributedTexts([wide], WIDTH, [cells(0x04, 0x04, 7, 0x02, 0x02)])).toEqual([
      { row: 0, text: '豆', style: 'red' },
      { row: 0, text: 'ok', style: 'green' },
    ]);
  });
});
