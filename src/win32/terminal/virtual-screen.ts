/** A screen in memory that takes text and control sequences, as far as line-based programs use them. No Windows in here. */
import type { StyledText } from '../../contract/terminal/terminal-style.ts';
import { PLAIN, styledTexts, styleText, withSequence, type CellStyle } from './cell-style.ts';
import { WIDE } from './cell-width.ts';

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

export class VirtualScreen {
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
