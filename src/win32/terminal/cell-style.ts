/**
 * How many cells of a console a character takes, and how they are drawn, in words: some lists show by colour alone what is chosen. Only what differs from
 * the rest of the screen is named. No Windows in here.
 */
import { COMMON_LVB_REVERSE_VIDEO, COMMON_LVB_UNDERSCORE } from '../../../native-bindings/win32/constants.ts';
import type { StyledText } from '../../contract/terminal/terminal-style.ts';

/** Characters that consoles draw in two cells, approximately: consoles have their own table, and a wrong guess only finds nothing. */
export const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Cells that a text takes, if each wide character takes two. */
export function cellsOf(text: string): number {
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

/** Empty strings: the screen's own colours. */
export interface CellStyle {
  readonly colour: string;
  readonly background: string;
  readonly marks: readonly string[];
}

export const PLAIN: CellStyle = { colour: '', background: '', marks: [] };
/** More than a screen of coloured words has. */
const MOST_STYLED = 300;

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** In the order of the attribute's bits: blue, green, red. */
const ATTRIBUTE_COLOURS = ['black', 'blue', 'green', 'cyan', 'red', 'magenta', 'yellow', 'white'];
const BRIGHT = 8;
const MARKS: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underlined',
  7: 'reversed',
  9: 'struck',
};
const ENDS: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underlined'],
  27: ['reversed'],
  29: ['struck'],
};

const named = (index: number): string => `${index >= BRIGHT ? 'bright ' : ''}${COLOURS[index % BRIGHT]}`;
const hex = (...parts: readonly number[]): string =>
  `#${parts.map((part) => (part & 0xff).toString(16).padStart(2, '0')).join('')}`;

/** One of the 256 colours: sixteen names, a cube of six steps each way, shades of grey. */
function paletteColour(index: number): string {
  if (index < 16) return named(index);
  if (index >= 232) return hex(...[0, 0, 0].map(() => 8 + 10 * (index - 232)));
  const step = (part: number): number => (part === 0 ? 0 : 55 + 40 * part);
  const at = index - 16;
  return hex(step(Math.floor(at / 36)), step(Math.floor(at / 6) % 6), step(at % 6));
}

/** The style after a sequence `CSI … m`. Source: learn.microsoft.com/windows/console/console-virtual-terminal-sequences#text-formatting */
export function withSequence(style: CellStyle, parameters: string): CellStyle {
  const numbers = parameters.split(/[;:]/).map((each) => Number.parseInt(each, 10) || 0);
  let now = style;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at]!;
    const mark = MARKS[number];
    const ended = ENDS[number];
    if (number === 0) now = PLAIN;
    else if (mark !== undefined) now = { ...now, marks: [...now.marks.filter((each) => each !== mark), mark] };
    else if (ended !== undefined) now = { ...now, marks: now.marks.filter((each) => !ended.includes(each)) };
    else if (number === 38 || number === 48) {
      const isPalette = numbers[at + 1] === 5;
      const colour = isPalette
        ? paletteColour(numbers[at + 2] ?? 0)
        : hex(...[2, 3, 4].map((by) => numbers[at + by] ?? 0));
      now = number === 38 ? { ...now, colour } : { ...now, background: colour };
      at += isPalette ? 2 : 4;
    } else if (number >= 30 && number <= 37) now = { ...now, colour: named(number - 30) };
    else if (number >= 90 && number <= 97) now = { ...now, colour: named(number - 90 + BRIGHT) };
    else if (number >= 40 && number <= 47) now = { ...now, background: named(number - 40) };
    else if (number >= 100 && number <= 107) now = { ...now, background: named(number - 100 + BRIGHT) };
    else if (number === 39) now = { ...now, colour: '' };
    else if (number === 49) now = { ...now, background: '' };
  }
  return now;
}

const attributeColour = (bits: number): string =>
  `${(bits & BRIGHT) === 0 ? '' : 'bright '}${ATTRIBUTE_COLOURS[bits % BRIGHT]}`;

/** @param plain the attribute of most cells. Source: learn.microsoft.com/windows/console/console-screen-buffers#character-attributes */
function ofAttribute(attribute: number, plain: number): CellStyle {
  const [colour, background] = [attribute & 0xf, (attribute >> 4) & 0xf];
  return {
    colour: colour === (plain & 0xf) ? '' : attributeColour(colour),
    background: background === ((plain >> 4) & 0xf) ? '' : attributeColour(background),
    marks: [
      ...((attribute & COMMON_LVB_REVERSE_VIDEO) === 0 ? [] : ['reversed']),
      ...((attribute & COMMON_LVB_UNDERSCORE) === 0 ? [] : ['underlined']),
    ],
  };
}

/** In words; empty for a plain one. */
export const styleText = ({ colour, background, marks }: CellStyle): string =>
  [...marks, colour, background === '' ? '' : `on ${background}`].filter((word) => word !== '').join(' ');

/** A row's cells: the text of each and its style. The second cell of a wide character is empty. */
export type StyledCells = ReadonlyArray<{ readonly text: string; readonly style: string }>;

/** Texts of neighbouring cells in one style, row by row; plain and blank ones are left out. */
export function styledTexts(rows: readonly StyledCells[]): StyledText[] {
  const found: StyledText[] = [];
  for (const [row, cells] of rows.entries()) {
    for (let from = 0; from < cells.length;) {
      const { style } = cells[from]!;
      let to = from;
      let text = '';
      for (; to < cells.length && (cells[to]!.style === style || cells[to]!.text === ''); to += 1)
        text += cells[to]!.text;
      if (style !== '' && text.trim() !== '') found.push({ row, text: text.trim(), style });
      from = to;
    }
  }
  return found.slice(0, MOST_STYLED);
}

/** The same for the attributes of a console's cells, row by row. Plain is what most characters have. */
export function attributedTexts(
  rows: readonly string[],
  width: number,
  attributes: readonly Uint16Array[],
): StyledText[] {
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
  return styledTexts(
    cells.map((row) => row.map(({ text, attribute }) => ({ text, style: styleText(ofAttribute(attribute, plain)) }))),
  );
}
