/**
 * Screens of consoles that show escape sequences as text: what the program meant to show. A console interprets them only
 * where its program asked for that and the console can, so the cells hold the sequences themselves. No Windows in here.
 * Source: learn.microsoft.com/windows/console/console-virtual-terminal-sequences
 */
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import {
  cellsOf,
  indexOfCell,
  PLAIN,
  styledTexts,
  styleText,
  WIDE,
  withSequence,
  type CellStyle,
} from './cell-style.ts';
import type { ConsoleScreen } from './console-protocol.ts';

// eslint-disable-next-line no-control-regex
const INTRODUCER = /[\u001B\u009B]/;
/**
 * A control sequence, a command that ends with a string terminator, or a short escape. A console keeps no BEL: of a command
 * whose end is not there only the beginning is one, since what follows may be text.
 */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|\u001B[\]PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)|\u001B(?:\](?:\d+;)?|[PX^_])|\u001B[ -/]*(?<short>[0-Z\\-~])|[\u001B\u009B][[0-?]*/gu;
/** The rest of a sequence whose beginning has scrolled out of view. */
const CUT =
  // eslint-disable-next-line no-control-regex
  /^\[?(?:[?\d;]+[A-HJKSTXfhlmsu](?=\u001B|\s*\n)|(?:[0-9]|[1-4]\d|9[0-7])(?:;\d+)*m)/u;

/** Whether a console shows escape sequences as text. */
export const hasSequences = (rows: readonly string[]): boolean => rows.some((row) => INTRODUCER.test(row));

/** A row as it was printed: with the blanks before the cursor, without the blanks that fill it up. */
interface PrintedRow {
  readonly text: string;
  /** The next row continues this one. */
  readonly isJoined: boolean;
  /** Index of the cursor in the text; -1 if it is in another row. */
  readonly cursorAt: number;
}

const withoutSequences = (text: string): string => text.replace(SEQUENCE, '');
/** Programs show or hide the cursor where they begin a line. */
// eslint-disable-next-line no-control-regex
const BEGINNING = /^\u001B\[\?25[hl]/u;
/** The right border of a frame, and the blanks before it. */
const BORDER = new RegExp('^\\s+[│┃║|]$', 'u');

/**
 * Whether a row continues in the next one. Its last cells may be printed blanks, which look like cells that were never
 * printed: one is taken as printed, more if only the right border of a frame follows.
 */
function isContinued(row: string, next: string, width: number): boolean {
  const text = row.trimEnd();
  if (text.length >= row.length) return true;
  if (!INTRODUCER.test(text) || next.trim() === '' || BEGINNING.test(next)) return false;
  if (text.length === row.length - 1) return true;
  const rest = withoutSequences(next.trimEnd());
  return BORDER.test(rest) && cellsOf(withoutSequences(row)) + cellsOf(rest) === width;
}

function printedRows({ rows, width, cursor }: ConsoleScreen): PrintedRow[] {
  const last = Math.max(
    cursor.y,
    rows.findLastIndex((row) => row.trim() !== ''),
  );
  return rows.slice(0, last + 1).map((row, y) => {
    const isJoined = y < last && isContinued(row, rows[y + 1] ?? '', width);
    const text = isJoined ? row : row.trimEnd();
    if (y !== cursor.y) return { text, isJoined, cursorAt: -1 };
    const cursorAt = indexOfCell(row, width, cursor.x);
    return { text: text.padEnd(cursorAt), isJoined, cursorAt };
  });
}

/** What was printed before the cursor, and what the rows show after it. */
function printedText(screen: ConsoleScreen): [before: string, after: string] {
  let text = '';
  let cursorAt = 0;
  for (const row of printedRows(screen)) {
    if (row.cursorAt >= 0) cursorAt = text.length + row.cursorAt;
    text += row.isJoined ? row.text : `${row.text}\n`;
  }
  const [before, after] = [text.slice(0, cursorAt), text.slice(cursorAt, -1)];
  return [screen.above === null || screen.above.length === 0 ? before.replace(CUT, '') : before, after];
}

const MARK = /\p{M}|\u200D|\uFE0E|\uFE0F/u;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/;
/** More lines than consoles keep. */
const MOST_LINES = 10_000;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** A character with its marks; the second cell of a wide one is empty. */
interface Cell {
  readonly text: string;
  readonly style: string;
}

const BLANK: Cell = { text: ' ', style: '' };

/** A screen in memory that takes text and control sequences, as far as line-based programs use them. */
class VirtualScreen {
  readonly #width: number;
  readonly #height: number;
  #cells: Cell[][] = [[]];
  #style: CellStyle = PLAIN;
  /** The same in words. */
  #styleText = '';
  /** The column may equal the width: the next character begins a new line. */
  #x = 0;
  #y = 0;
  #saved: Place = { x: 0, y: 0 };
  #main: { readonly cells: Cell[][]; readonly cursor: Place } | null = null;

  constructor(width: number, height: number) {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
  }

  get cursor(): Place {
    return { x: this.#x, y: this.#y };
  }

  /** The first line in view. */
  get top(): number {
    return Math.max(0, this.#cells.length - this.#height);
  }

  /** All lines, each filled up to the width. */
  get lines(): string[] {
    return this.#cells.map((cells) => {
      const text = Array.from({ length: Math.min(cells.length, this.#width) }, (_, x) => cells[x]?.text ?? ' ').join(
        '',
      );
      return text + ' '.repeat(Math.max(0, this.#width - cells.length));
    });
  }

  /** What in view is drawn in another style than plain text. */
  get styles(): StyledText[] {
    return styledTexts(
      this.#cells.slice(this.top, this.top + this.#height).map((row) => Array.from(row, (cell) => cell ?? BLANK)),
    );
  }

  write(text: string): void {
    for (const character of text) {
      if (character === '\n') this.#go(0, this.#y + 1);
      else if (character === '\r') this.#x = 0;
      else if (MARK.test(character)) this.#addMark(character);
      else if (!CONTROL.test(character)) this.#put(character);
    }
  }

  /** A control sequence by its last character; unknown ones show nothing. */
  control(final: string, parameters: string): void {
    const numbers = parameters.split(';').map((each) => Number.parseInt(each, 10));
    const count = Math.max(1, numbers[0] || 1);
    const kind = numbers[0] || 0;
    const column = Math.min(this.#x, this.#width - 1);
    switch (final) {
      case 'A':
        return this.#go(column, Math.max(this.top, this.#y - count));
      case 'B':
      case 'e':
        return this.#go(column, Math.min(this.top + this.#height - 1, this.#y + count));
      case 'C':
      case 'a':
        return this.#go(column + count, this.#y);
      case 'D':
        return this.#go(column - count, this.#y);
      case 'E':
        return this.#go(0, Math.min(this.top + this.#height - 1, this.#y + count));
      case 'F':
        return this.#go(0, Math.max(this.top, this.#y - count));
      case 'G':
      case '`':
        return this.#go(count - 1, this.#y);
      case 'H':
      case 'f':
        return this.#go((numbers[1] || 1) - 1, this.top + Math.min(this.#height, count) - 1);
      case 'd':
        return this.#go(column, this.top + Math.min(this.#height, count) - 1);
      case 'J':
        return this.#eraseInScreen(kind);
      case 'K':
        return this.#eraseInLine(kind, this.#y);
      case 'L':
        for (let line = 0; line < Math.min(count, this.#height); line += 1) this.#cells.splice(this.#y, 0, []);
        return;
      case 'M':
        this.#cells.splice(this.#y, count);
        return this.#go(0, this.#y);
      case 'P':
        this.#line.splice(column, count);
        return;
      case '@':
        this.#line.splice(column, 0, ...Array.from({ length: Math.min(count, this.#width) }, () => BLANK));
        return;
      case 'X':
        for (let x = column; x < Math.min(this.#width, column + count); x += 1) this.#line[x] = BLANK;
        return;
      case 'm':
        this.#style = withSequence(this.#style, parameters);
        this.#styleText = styleText(this.#style);
        return;
      case 's':
        this.#saved = this.cursor;
        return;
      case 'u':
        return this.#go(this.#saved.x, this.#saved.y);
      case 'h':
      case 'l':
        if (/^\?(?:47|1047|1049)$/.test(parameters)) this.#turnTo(final === 'h');
        return;
      default:
    }
  }

  /** A short escape by its last character. */
  escape(final: string): void {
    if (final === '7') this.#saved = this.cursor;
    else if (final === '8') this.#go(this.#saved.x, this.#saved.y);
    else if (final === 'M') this.#go(this.#x, Math.max(this.top, this.#y - 1));
    else if (final === 'D') this.#go(this.#x, this.#y + 1);
    else if (final === 'E') this.#go(0, this.#y + 1);
    else if (final === 'c') {
      this.#cells = [[]];
      this.#style = PLAIN;
      this.#styleText = '';
      this.#go(0, 0);
    }
  }

  get #line(): Cell[] {
    return this.#cells[this.#y]!;
  }

  #go(x: number, y: number): void {
    this.#x = Math.max(0, Math.min(this.#width, x));
    this.#y = Math.max(0, Math.min(MOST_LINES, y));
    while (this.#cells.length <= this.#y) this.#cells.push([]);
  }

  #put(character: string): void {
    const cells = WIDE.test(character) ? 2 : 1;
    if (this.#x + cells > this.#width) this.#go(0, this.#y + 1);
    const line = this.#line;
    while (line.length < this.#x) line.push(BLANK);
    const style = this.#styleText;
    line[this.#x] = { text: character, style };
    if (cells === 2) line[this.#x + 1] = { text: '', style };
    this.#x += cells;
  }

  #addMark(mark: string): void {
    const line = this.#line;
    const at = line[this.#x - 1]?.text === '' ? this.#x - 2 : this.#x - 1;
    const cell = line[at];
    if (cell !== undefined) line[at] = { ...cell, text: cell.text + mark };
  }

  /** 0: from the cursor on, 1: up to it, 2: all. */
  #eraseInLine(kind: number, y: number): void {
    const line = this.#cells[y]!;
    const x = Math.min(this.#x, this.#width - 1);
    if (kind === 0) line.length = Math.min(line.length, x);
    else if (kind === 1) for (let cell = 0; cell <= Math.min(x, line.length - 1); cell += 1) line[cell] = BLANK;
    else line.length = 0;
  }

  #eraseInScreen(kind: number): void {
    const { top } = this;
    if (kind === 0) {
      this.#eraseInLine(0, this.#y);
      for (let y = this.#y + 1; y < this.#cells.length; y += 1) this.#cells[y]!.length = 0;
    } else if (kind === 1) {
      for (let y = top; y < this.#y; y += 1) this.#cells[y]!.length = 0;
      this.#eraseInLine(1, this.#y);
    } else for (let y = kind === 3 ? 0 : top; y < this.#cells.length; y += 1) this.#cells[y]!.length = 0;
  }

  /** Programs that take the whole screen have one of their own, and give the former one back at their end. */
  #turnTo(isOwn: boolean): void {
    if (isOwn === (this.#main !== null)) return;
    if (isOwn) {
      this.#main = { cells: this.#cells, cursor: this.cursor };
      this.#cells = [[]];
      this.#go(0, 0);
      return;
    }
    const { cells, cursor } = this.#main!;
    this.#main = null;
    this.#cells = cells;
    this.#go(cursor.x, cursor.y);
  }
}

function print(screen: VirtualScreen, text: string): void {
  let at = 0;
  for (const match of text.matchAll(SEQUENCE)) {
    screen.write(text.slice(at, match.index));
    at = match.index + match[0].length;
    const { parameters = '', final, short } = match.groups ?? {};
    if (final !== undefined) screen.control(final, parameters);
    else if (short !== undefined) screen.escape(short);
  }
  screen.write(text.slice(at));
}

/**
 * The screen as the program meant it, with its styles; the same if it holds no sequences. `above` are rows above the visible ones, which
 * tell where a program that draws its lines again began.
 */
export function interpreted(shown: ConsoleScreen): ConsoleScreen {
  const { rows, width, cursor } = shown;
  const above = shown.above ?? [];
  const all = [...above, ...rows];
  if (!hasSequences(all)) return shown;
  const screen = new VirtualScreen(width, rows.length);
  const [before, after] = printedText({ ...shown, rows: all, cursor: { x: cursor.x, y: cursor.y + above.length } });
  print(screen, before);
  const at = screen.cursor;
  print(screen, after);
  const { lines, top } = screen;
  return {
    rows: Array.from({ length: rows.length }, (_, y) => lines[top + y] ?? ' '.repeat(width)),
    width,
    cursor: { x: Math.min(at.x, width - 1), y: at.y - top },
    above: shown.above === null ? null : lines.slice(0, top),
    styles: screen.styles,
  };
}
