/** What typed text and keys have done to a console's screen, by two looks at it. No Windows in here. */
import type { ConsoleScreen } from './console-protocol.ts';

/** Characters that consoles draw in two cells, roughly: their own table decides, and a wrong guess finds nothing. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
/** What programs show for a character that they keep to themselves. Not `?`, which stands for one that was lost. */
const MASK = new RegExp('^(?:\\*+|•+|●+|·+)$');
/** Masks of one character may be anything. */
const LEAST_MASKED = 2;
/** What clocks, counters, bars and spinners are made of. */
const OF_ITS_OWN = new RegExp('[\\d\\s:.,%/\\\\|=█▓▒░⠁-⣿-]', 'u');

type Shown = Pick<ConsoleScreen, 'rows' | 'width' | 'cursor'>;

/** Which character of a row stands in a cell: the same number where no character takes two. */
function indexOfCell(row: string, width: number, cell: number): number {
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

const beforeCursor = (screen: Shown): string => {
  const row = screen.rows[screen.cursor.y] ?? '';
  return row.slice(0, indexOfCell(row, screen.width, screen.cursor.x));
};

/**
 * The row in which the line stands now that the cursor was in: the same one, or higher up by as many rows as the screen has
 * scrolled. Null where it is gone: what stood before the cursor, and with scrolling everything above it, must be there still.
 */
function rowNow(before: Shown, after: Shown): number | null {
  const prefix = beforeCursor(before);
  const { y } = before.cursor;
  if (after.rows[y]?.startsWith(prefix) === true && !hasScrolled(before, after)) return y;
  for (let row = y - 1; row >= 0; row -= 1) {
    const up = y - row;
    if (row === 0 && prefix.trim() === '') return null;
    if (
      after.rows[row]?.startsWith(prefix) === true &&
      before.rows.slice(up, y).every((each, index) => after.rows[index] === each)
    )
      return row;
  }
  return null;
}

/** Whether what stood above the cursor stands higher by a row or more: the first rows are not the same, but others of before. */
function hasScrolled(before: Shown, after: Shown): boolean {
  const above = before.rows.slice(0, before.cursor.y);
  if (above.every((row, index) => after.rows[index] === row)) return false;
  return above.some(
    (_row, up) =>
      up > 0 &&
      above.slice(up).some((row) => row.trim() !== '') &&
      above.slice(up).every((row, index) => after.rows[index] === row),
  );
}

export interface TextSeen {
  /** Characters of the typed text that are on the screen where they were typed. */
  readonly shown: number;
  /** `mask`: each as the same sign, as fields for passwords show them. */
  readonly as: 'text' | 'mask';
}

/**
 * Whether what was typed stands where the cursor was: its first line there, each further line at the end of a row below, in
 * order. Null where it does not, where nothing changed, and for texts that show nothing (Enter alone) or that a program may
 * show as something else (tabs).
 */
export function textSeen(before: Shown, after: Shown, text: string): TextSeen | null {
  const [first = '', ...further] = text.split(/\r\n|\r|\n/);
  const letters = [first, ...further].join('');
  if (letters.trim() === '' || letters.includes('\t')) return null;
  const row = rowNow(before, after);
  if (row === null) return null;
  const start = beforeCursor(before).length;
  const from = (after.rows[row] ?? '').slice(start);
  const isMoved = after.cursor.y !== row || after.cursor.x !== before.cursor.x;
  if (!isMoved && from === (before.rows[before.cursor.y] ?? '').slice(start)) return null;
  const onward = [from, ...after.rows.slice(row + 1)].join('');
  const lastRow = row + Math.floor((before.cursor.x + first.length) / Math.max(1, after.width));
  if (onward.startsWith(first))
    return holdInOrder(after.rows.slice(lastRow + 1), further) ? { shown: letters.length, as: 'text' } : null;
  const masked = onward.slice(0, first.length);
  const isMask =
    further.join('') === '' &&
    first.length >= LEAST_MASKED &&
    MASK.test(masked) &&
    onward.charAt(first.length) !== masked.charAt(0);
  return isMask ? { shown: first.length, as: 'mask' } : null;
}

/** Whether each line ends a row, in order. */
function holdInOrder(rows: readonly string[], lines: readonly string[]): boolean {
  let at = 0;
  for (const line of lines.map((each) => each.trimEnd()).filter((each) => each !== '')) {
    const found = rows.findIndex((row, index) => index >= at && row.trimEnd().endsWith(line));
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

/** How many rows are different; 0 where the two looks are the same but for the cursor. */
export function rowsChanged(before: Shown, after: Shown): number {
  const rows = Math.max(before.rows.length, after.rows.length);
  return Array.from({ length: rows }, (_, row) => before.rows[row] === after.rows[row]).filter((isSame) => !isSame)
    .length;
}

/** Of longer texts the last rows are put side by side: the work grows with the square. */
const MOST_ROWS = 500;

/** The longest rows, in order, that both texts have: pairs of places. */
function commonRows(before: readonly string[], after: readonly string[]): Array<readonly [number, number]> {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Array<readonly [number, number]> = [];
  for (let row = 0, column = 0; row < before.length && column < after.length;) {
    if (before[row] === after[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/**
 * The rows of a screen that are no longer there, and those that are new: rows that only moved up are neither, nor are those
 * that scrolled out above them.
 */
export function rowDifference(before: string, after: string): { before: string; after: string } {
  const [old, now] = [before.split('\n').slice(-MOST_ROWS), after.split('\n').slice(-MOST_ROWS)];
  const pairs = commonRows(old, now).filter(([row]) => old[row]?.trim() !== '');
  const [first] = pairs;
  const scrolled = first?.[1] === 0 ? first[0] : 0;
  const [keptOld, keptNow] = [new Set(pairs.map(([row]) => row)), new Set(pairs.map(([, row]) => row))];
  const rest = (rows: readonly string[], kept: ReadonlySet<number>, from: number): string =>
    rows.filter((row, index) => index >= from && !kept.has(index) && row.trim() !== '').join('\n');
  const added = rest(now, keptNow, 0);
  return { before: rest(old, keptOld, added === '' ? 0 : scrolled), after: added };
}

export const isSameScreen = (one: Shown, other: Shown): boolean =>
  one.cursor.x === other.cursor.x && one.cursor.y === other.cursor.y && rowsChanged(one, other) === 0;

/**
 * Whether a key may have brought this change about. Where the cursor stays and only figures or the signs of bars and spinners
 * change, it is a clock or a counter.
 */
export function keySeen(before: Shown, after: Shown): boolean {
  if (isSameScreen(before, after)) return false;
  if (before.cursor.x !== after.cursor.x || before.cursor.y !== after.cursor.y) return true;
  return after.rows.some((row, index) => {
    const then = before.rows[index] ?? '';
    for (let at = 0; at < Math.max(row.length, then.length); at += 1) {
      const [old, now] = [then[at] ?? ' ', row[at] ?? ' '];
      if (old !== now && !(OF_ITS_OWN.test(old) && OF_ITS_OWN.test(now))) return true;
    }
    return false;
  });
}
