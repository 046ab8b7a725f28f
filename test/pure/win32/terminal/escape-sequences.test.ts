/**
 * Consoles that show escape sequences as text. The screens of prompt libraries (inquirer 8.8, clack 1.9, prompts 2.4,
 * enquirer 2.4, ink 8.0) are recorded from a console that interprets none; `npm run programs` drives the libraries.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ConsoleScreen } from '../../../../src/win32/terminal/console-protocol.ts';
import { interpreted } from '../../../../src/win32/terminal/escape-sequences.ts';

interface Recorded {
  readonly library: string;
  /** The last answer or key. */
  readonly after: string;
  readonly cursor: { readonly x: number; readonly y: number };
  readonly rows: readonly string[];
  /** What a terminal that interprets sequences shows. */
  readonly shows: readonly string[];
  readonly cursorAt: { readonly x: number; readonly y: number };
}

const WIDTH = 80;
const HEIGHT = 25;
const recorded = JSON.parse(readFileSync(new URL('prompt-screens.json', import.meta.url), 'utf8')) as Recorded[];

/** A console of 80 × 25 with these rows; the cursor is behind the last one, or where it is given. */
function console80(rows: readonly string[], more: Partial<ConsoleScreen> = {}): ConsoleScreen {
  return {
    rows: Array.from({ length: HEIGHT }, (_, y) => (rows[y] ?? '').padEnd(WIDTH)),
    width: WIDTH,
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
const shown = (...rows: readonly string[]): string => textOf(interpreted(console80(rows)));

describe('[terminal.sequences] a screen with escape sequences', () => {
  it.each(recorded.map((each) => [each.library, each.after, each] as const))(
    '%s after %s is read as the program meant it',
    (_library, _after, { rows, cursor, shows, cursorAt }) => {
      const screen = interpreted(console80(rows, { cursor }));
      expect(textOf(screen)).toBe(shows.join('\n'));
      expect(screen.cursor).toEqual(cursorAt);
      // eslint-disable-next-line no-control-regex
      expect(screen.rows.join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
      expect(screen.rows).toHaveLength(HEIGHT);
    },
  );

  it('without any sequence is unchanged', () => {
    const plain = console80(['C:\\>dir', '[0m is not a sequence without its first character', '2K is text']);
    expect(interpreted(plain)).toBe(plain);
  });

  it('colours, titles, character sets and the cursor’s shape show nothing', () => {
    expect(shown('\u001B]0;a title\u001B\\\u001B(B\u001B[?25l\u001B[38;5;12mblue\u001B[0m \u001B[1 qend')).toBe(
      'blue end',
    );
    expect(shown('\u009B31mred\u009B0m')).toBe('red');
  });

  it('what was written over, erased, inserted and deleted is gone', () => {
    expect(shown('10 %\u001B[1G\u001B[K100 %')).toBe('100 %');
    expect(shown('one', 'two\u001B[A\u001B[2K\u001B[GONE')).toBe('ONE\ntwo');
    expect(shown('a', 'b', 'c\u001B[2A\u001B[G\u001B[J')).toBe('');
    expect(shown('abc\u001B[2D\u001B[P\u001B[@-')).toBe('a-c');
    expect(shown('first\u001B[H\u001B[2Jsecond')).toBe('second');
  });

  it('a program that takes the whole screen releases it at its end', () => {
    expect(shown('C:\\>app', '\u001B[?1049h\u001B[2J\u001B[HMenu')).toBe('Menu');
    expect(shown('C:\\>app', '\u001B[?1049h\u001B[2J\u001B[HMenu\u001B[?1049lC:\\>')).toBe('C:\\>app\nC:\\>');
  });

  it('a sequence that is cut off shows nothing, at the end and at the top', () => {
    expect(shown('text\u001B[3')).toBe('text');
    expect(shown('22mtext\u001B[0m')).toBe('text');
    expect(shown('3D printing\u001B[0m')).toBe('3D printing');
  });

  it('wide characters take two cells, so that what follows is where the program put it', () => {
    expect(shown('東京\u001B[5Gx\u001B[0m')).toBe('東京x');
    const { cursor } = interpreted(console80(['? \u001B[1m名前\u001B[22m '], { cursor: { x: 14, y: 0 } }));
    expect(cursor).toEqual({ x: 7, y: 0 });
  });

  it('rows above the visible ones tell where the drawing began', () => {
    const screen = interpreted(
      console80(['> two\u001B[0m'], { above: ['menu'.padEnd(WIDTH), '\u001B[32m> one'.padEnd(WIDTH)] }),
    );
    expect([...(screen.above ?? []), ...screen.rows].map((row) => row.trimEnd()).filter((row) => row !== '')).toEqual([
      'menu',
      '> one',
      '> two',
    ]);
  });
});

describe('[terminal.unfinished] a sequence whose end is not there', () => {
  it.each([
    ['\u001B]0;npmOk to proceed? (y) ', 'npmOk to proceed? (y)'],
    ['\u001B]0;setupDelete all files on drive C? (y/n)', 'setupDelete all files on drive C? (y/n)'],
    ['\u001B]2;title\u001B[1mbold', 'titlebold'],
    ['\u001BPsome data', 'some data'],
    ['\u001B]8;;https://example.com\u001B\\link\u001B]8;;\u001B\\ text', 'link text'],
    ['\u001B]0;title\u0007prompt', 'prompt'],
  ])('%j loses no text', (row, text) => {
    expect(shown(row)).toBe(text);
  });
});
