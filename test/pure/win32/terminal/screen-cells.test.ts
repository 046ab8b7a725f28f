/** What a console's cells show: texts without the sequences that it shows as text, and colours and styles in words. */
import { describe, expect, it } from 'vitest';
import { choiceIn } from '../../../../src/contract/terminal/console-prompt.ts';
import type { ConsoleScreen } from '../../../../src/win32/terminal/console-protocol.ts';
import { attributedTexts, withoutSequences } from '../../../../src/win32/terminal/screen-cells.ts';

const WIDTH = 20;
const CONSOLE_WIDTH = 80;
const HEIGHT = 12;

/** A console of 80 × 12 with these rows; the cursor is behind the last one, or where it is given. */
function console80(rows: readonly string[], more: Partial<ConsoleScreen> = {}): ConsoleScreen {
  return {
    rows: Array.from({ length: HEIGHT }, (_, y) => (rows[y] ?? '').padEnd(CONSOLE_WIDTH)),
    width: CONSOLE_WIDTH,
    cursor: { x: rows.at(-1)?.length ?? 0, y: Math.max(0, rows.length - 1) },
    above: null,
    ...more,
  };
}
const textOf = ({ rows }: ConsoleScreen): string =>
  rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd();
const shown = (...rows: readonly string[]): string => textOf(withoutSequences(console80(rows)));

describe('a screen with escape sequences', () => {
  it('without any sequence is unchanged', () => {
    const plain = console80(['C:\\>dir', '[0m is not a sequence without its first character', '2K is text']);
    expect(withoutSequences(plain)).toBe(plain);
  });

  it('colours, titles, character sets and the cursor’s shape show nothing', () => {
    expect(shown('\u001B]0;a title\u001B\\\u001B(B\u001B[?25l\u001B[38;5;12mblue\u001B[0m \u001B[1 qend')).toBe(
      'blue end',
    );
    expect(shown('\u009B31mred\u009B0m')).toBe('red');
  });

  it('the cursor is behind what was printed before it, with blanks and wide characters', () => {
    const ask = '\u001B[34m?\u001B[39m \u001B[1mDeploy?\u001B[22m \u001B[2m(y/N)\u001B[22m \u001B[16G';
    expect(withoutSequences(console80([ask])).cursor).toEqual({ x: 16, y: 0 });
    const wide = withoutSequences(console80(['? \u001B[1m名前\u001B[22m '], { cursor: { x: 14, y: 0 } }));
    expect(wide.cursor).toEqual({ x: 7, y: 0 });
    expect(withoutSequences(console80(['\u001B[1mone'], { cursor: { x: 3, y: 40 } })).cursor).toEqual({ x: 3, y: 40 });
  });

  it('a line that its sequences made wrap is one line again, a longer one is cut at the width', () => {
    const words = Array.from({ length: 13 }, (_, at) => `\u001B[2mnumber${at}\u001B[22m-`).join('');
    const rows = [words.slice(0, 80), words.slice(80, 160), words.slice(160)];
    const screen = withoutSequences(console80([...rows, 'end']));
    const text = Array.from({ length: 13 }, (_, at) => `number${at}-`).join('');
    expect(textOf(screen)).toBe(`${text.slice(0, 80)}\n${text.slice(80)}\nend`);
    expect(screen.cursor).toEqual({ x: 3, y: 2 });
    expect(screen.rows.map((row) => row.length)).toEqual(Array.from({ length: HEIGHT }, () => CONSOLE_WIDTH));
  });

  it('a menu that is drawn again appears below the earlier one, which is not read as a part of it', () => {
    const rows = ['> Yes', '  No', '\u001B[2K\u001B[1A\u001B[2K\u001B[1A\u001B[G  Yes', '\u001B[36m> No\u001B[39m'];
    expect(shown(...rows)).toBe('> Yes\n  No\n\n\n  Yes\n> No');
    expect(choiceIn(withoutSequences(console80(rows)).rows, 'yes')).toEqual({ text: 'Yes', steps: -1 });
    expect(choiceIn(withoutSequences(console80(rows)).rows, 'no')).toEqual({ text: 'No', steps: 0 });
  });

  it('what is drawn again moves the first rows out of view, not the last', () => {
    const rows = Array.from({ length: HEIGHT }, (_, at) => `line ${at}\u001B[A`);
    const screen = withoutSequences(console80([...rows.slice(0, -1), 'last']));
    expect(screen.rows.at(-1)?.trim()).toBe('last');
    expect(screen.cursor).toEqual({ x: 4, y: HEIGHT - 1 });
    expect(screen.rows).toHaveLength(HEIGHT);
  });

  it('a sequence that is cut off shows nothing, at the end and at the top', () => {
    expect(shown('text\u001B[3')).toBe('text');
    expect(shown('22mtext\u001B[0m')).toBe('text');
    expect(shown('3D printing\u001B[0m')).toBe('3D printing');
  });

  it('rows above the visible ones have none either', () => {
    const { above } = withoutSequences(console80(['two'], { above: ['\u001B[32mone'.padEnd(CONSOLE_WIDTH)] }));
    expect(above).toEqual(['one'.padEnd(CONSOLE_WIDTH)]);
  });
});

it.each([
  ['\u001B]0;npmOk to proceed? (y) ', 'npmOk to proceed? (y)'],
  ['\u001B]0;setupDelete all files on drive C? (y/n)', 'setupDelete all files on drive C? (y/n)'],
  ['\u001B]2;title\u001B[1mbold', 'titlebold'],
  ['\u001BPsome data', 'some data'],
  ['\u001B]8;;https://example.com\u001B\\link\u001B]8;;\u001B\\ text', 'link text'],
  ['\u001B]0;title\u0007prompt', 'prompt'],
])('a sequence whose end is not there: %j loses no text', (row, text) => expect(shown(row)).toBe(text));

describe('the attributes of cells', () => {
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
