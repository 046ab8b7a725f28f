/**
 * What the cells of a console show: how many a character takes, the text without escape sequences, and how cells are drawn, in
 * words, since some lists show by colour alone what is chosen. No Windows in here.
 */
import { COMMON_LVB_REVERSE_VIDEO, COMMON_LVB_UNDERSCORE } from '../../../native-bindings/win32/constants.ts';
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import type { ConsoleScreen } from './console-protocol.ts';

/** Characters that consoles draw in two cells, approximately: consoles have their own table, and a wrong guess only finds nothing. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Cells that a text takes, if each wide character takes two. */
function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += WIDE.test(character) ? 2 : 1;
  return cells;
}

/** Index of the character in a row's cell: the same number if no character takes two cells. */
export function indexOfCell(row: string, width: number, cell: number): number {
  if (row.length === width) return cell;
  let at = 0;
  let cells = 0;
  for (const character of row) {
    if (cells >= cell) return at;
    cells += WIDE.test(character) ? 2 : 1;
    at += character.length;
  }
  return at + Math.max(0, cell - cells);
}

// Screens of consoles that show escape sequences as text. A console interprets them only where its program asked for that
// and the console can, so the cells hold the sequences themselves: they are left out, and nothing is drawn as they say.
// Source: learn.microsoft.com/windows/console/console-virtual-terminal-sequences

// eslint-disable-next-line no-control-regex
const INTRODUCER = /[\u001B\u009B]/;
/**
 * A control sequence, a command that ends with a string terminator, or a short escape. A console keeps no BEL: of a command
 * whose end is not there only the beginning is one, since what follows may be text.
 */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*(?<final>[@-~])|\u001B[\]PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)|\u001B(?:\](?:\d+;)?|[PX^_])|\u001B[ -/]*[0-Z\\-~]|[\u001B\u009B][[0-?]*/gu;
/** Finals of sequences that go to a higher line: what follows is drawn again over what was there. */
const GOES_UP = new Set(['A', 'F', 'H', 'f']);
/** The rest of a sequence whose beginning has scrolled out of view. */
const CUT =
  // eslint-disable-next-line no-control-regex
  /^\[?(?:[?\d;]+[A-HJKSTXfhlmsu](?=\u001B|\s*$)|(?:[0-9]|[1-4]\d|9[0-7])(?:;\d+)*m)/u;

/** Whether a console shows escape sequences as text. */
const hasSequences = (rows: readonly string[]): boolean => rows.some((row) => INTRODUCER.test(row));

/**
 * The lines of a text without its sequences. What a program draws again over its earlier lines appears below them, after an
 * empty one, so that a menu drawn twice is not read as one menu.
 */
const strippedLines = (text: string): string[] =>
  text
    .replace(SEQUENCE, (...match) => (GOES_UP.has((match.at(-1) as { final?: string }).final ?? '') ? '\n' : ''))
    .split(/\n+/)
    .flatMap((line, index) => (index === 0 ? [line] : ['', line]));

/** Cuts a line into rows of at most `width` cells. */
function wrapped(line: string, width: number): string[] {
  const rows = [''];
  let cells = 0;
  for (const character of line) {
    const more = WIDE.test(character) ? 2 : 1;
    if (cells + more > width) {
      rows.push('');
      cells = 0;
    }
    rows[rows.length - 1] += character;
    cells += more;
  }
  return rows;
}

/** Rows without sequences; rows that wrapped into each other because of them are joined. */
function strippedRows(rows: readonly string[], width: number, keepsEnd: boolean): string[] {
  const found: string[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    let text = at === 0 ? rows[at]!.replace(CUT, '') : rows[at]!;
    for (; INTRODUCER.test(text) && at + 1 < rows.length && !rows[at]!.endsWith(' '); at += 1) text += rows[at + 1]!;
    const isWhole = keepsEnd && at === rows.length - 1;
    found.push(...strippedLines(isWhole ? text : text.trimEnd()).flatMap((line) => wrapped(line, width)));
  }
  return found;
}

/** A screen without the sequences that the console shows as text; the same screen if it shows none. */
export function withoutSequences(shown: ConsoleScreen): ConsoleScreen {
  const { rows, width, cursor, above } = shown;
  if (!hasSequences([...(above ?? []), ...rows])) return shown;
  const filled = (row: string): string => row + ' '.repeat(Math.max(0, width - cellsOf(row)));
  const all = strippedRows(rows, width, false);
  const last = all.findLastIndex((row) => row !== '');
  const cursorRow = rows[cursor.y];
  const toCursor =
    cursorRow === undefined
      ? null
      : strippedRows(
          [...rows.slice(0, cursor.y), cursorRow.slice(0, indexOfCell(cursorRow, width, cursor.x))],
          width,
          true,
        );
  // Lines that are drawn again take rows of their own: the first ones make room.
  const from = Math.max(0, Math.max(last, (toCursor?.length ?? 0) - 1) + 1 - rows.length);
  return {
    ...shown,
    rows: Array.from({ length: rows.length }, (_, y) => filled(all[from + y] ?? '')),
    cursor:
      toCursor === null ? cursor : { x: Math.min(cellsOf(toCursor.at(-1)!), width - 1), y: toCursor.length - 1 - from },
    above: above && strippedRows(above, width, false).map(filled),
  };
}

/** In the order of the attribute's bits: blue, green, red. */
const COLOURS = ['black', 'blue', 'green', 'cyan', 'red', 'magenta', 'yellow', 'white'];
const BRIGHT = 8;
const colourOf = (bits: number): string => `${(bits & BRIGHT) === 0 ? '' : 'bright '}${COLOURS[bits % BRIGHT]}`;

/**
 * How an attribute draws a cell, in words; empty if as `plain`, the attribute of most cells.
 * Source: learn.microsoft.com/windows/console/console-screen-buffers#character-attributes
 */
function styleOf(attribute: number, plain: number): string {
  const [colour, background] = [attribute & 0xf, (attribute >> 4) & 0xf];
  return [
    ...((attribute & COMMON_LVB_REVERSE_VIDEO) === 0 ? [] : ['reversed']),
    ...((attribute & COMMON_LVB_UNDERSCORE) === 0 ? [] : ['underlined']),
    ...(colour === (plain & 0xf) ? [] : [colourOf(colour)]),
    ...(background === ((plain >> 4) & 0xf) ? [] : [`on ${colourOf(background)}`]),
  ].join(' ');
}

/** More than a screen of coloured words has. */
const MOST_STYLED = 300;

/** Texts of neighbouring cells in one style, row by row; plain and blank ones are left out. Plain is what most characters have. */
export function attributedTexts(
  rows: readonly string[],
  width: number,
  attributes: readonly Uint16Array[],
): StyledText[] {
  // The second cell of a wide character is empty.
  const cells = rows.map((row, y) =>
    Array.from(attributes[y] ?? [], (attribute, x) => ({
      text: row.slice(indexOfCell(row, width, x), indexOfCell(row, width, x + 1)),
      attribute,
    })),
  );
  const counts = new Map<number, number>();
  for (const { text, attribute } of cells.flat())
    if (text.trim() !== '') counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
  const [plain = 0] = [...counts.entries()].toSorted((one, other) => other[1] - one[1])[0] ?? [];
  const found: StyledText[] = [];
  for (const [row, drawn] of cells.entries()) {
    for (let from = 0; from < drawn.length;) {
      const style = styleOf(drawn[from]!.attribute, plain);
      let to = from;
      let text = '';
      for (; to < drawn.length && (styleOf(drawn[to]!.attribute, plain) === style || drawn[to]!.text === ''); to += 1)
        text += drawn[to]!.text;
      if (style !== '' && text.trim() !== '') found.push({ row, text: text.trim(), style });
      from = to;
    }
  }
  return found.slice(0, MOST_STYLED);
}
