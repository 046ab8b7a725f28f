/**
 * Screens of consoles that show escape sequences as text: what the program meant to show. A console interprets them only
 * where its program asked for that and the console can, so the cells hold the sequences themselves. No Windows in here.
 * Source: learn.microsoft.com/windows/console/console-virtual-terminal-sequences
 */
import { cellsOf, indexOfCell } from './cell-width.ts';
import type { ConsoleScreen } from './console-protocol.ts';
import { VirtualScreen } from './virtual-screen.ts';

// eslint-disable-next-line no-control-regex
const INTRODUCER = /[\u001B\u009B]/;
/** A control sequence, a command that ends with a string terminator, or a short escape. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001B\[|\u009B)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|\u001B[\]PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|\u001B[ -/]*(?<short>[0-Z\\-~])|[\u001B\u009B][[0-?]*/gu;
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
