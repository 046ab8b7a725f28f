/** Cells of the object model: their values, and cells to write as few rectangles as are easily found, since each is one call. */
import { formatArea, type CellArea } from '../../contract/cells/cell-address.ts';
import { literalText } from '../../contract/cells/cell-text.ts';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { ErrorValue, OleDate, type GridValue, Currency } from '../../../native-bindings/com/variant-grid.ts';
import {
  type CellErrorName,
  daysOf,
  errorScode,
  SHEET_COLUMNS,
  SHEET_ROWS,
  CELL_ERRORS,
  DAYS_1904,
  EPOCH_MS,
  FALSE_LEAP_DAY,
  MS_PER_DAY,
} from '../../contract/cells/cells.ts';
import type { CellInput, CellValue } from '../../contract/cells/sheet.ts';
import { ifGiven } from './excel-errors.ts';

// Values of cells between the object model and the host.

const CODE_MASK = 0xffff;

/** A serial number of the 1900 system as ISO 8601 without a zone; seconds only where they are not zero. Null for what is not a date. */
function isoOf(serial: number): string | null {
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  // Cells keep about a hundredth of a millisecond; a rounded-up midnight belongs to the next day.
  const whole = Math.round(serial * MS_PER_DAY);
  const [days, ms] = [Math.floor(whole / MS_PER_DAY), whole % MS_PER_DAY];
  const day =
    days === FALSE_LEAP_DAY
      ? '1900-02-29'
      : new Date(EPOCH_MS + (days < FALSE_LEAP_DAY ? days + 1 : days) * MS_PER_DAY).toISOString().slice(0, 10);
  if (ms === 0) return day;
  const time = new Date(ms).toISOString().slice(11, 23);
  return `${day}T${time.endsWith('.000') ? time.slice(0, -4) : time}`;
}

/** One object for each error that Excel has: cells are read only, and thousands may hold the same. */
const ERRORS = new Map<number, { error: string }>(
  Object.entries(CELL_ERRORS).map(([error, number]) => [number, { error }]),
);
const errorOf = (number: number): { error: string } => ERRORS.get(number) ?? { error: `#${String(number)}` };

/** What a cell holds. `typed`: its Value, where that was read; it says which numbers are dates. */
export function fromCell(
  value: GridValue,
  typed: GridValue,
  { dates, is1904 }: { readonly dates: 'iso' | 'serial'; readonly is1904: boolean },
): CellValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return typed instanceof OleDate ? dateOf(value, dates, is1904 ? DAYS_1904 : 0) : value;
  if (typeof value !== 'object') return value;
  if (value instanceof ErrorValue) return errorOf(value.scode & CODE_MASK);
  if (value instanceof OleDate) return dateOf(value.days, dates, 0);
  return value instanceof Currency ? value.amount : null;
}

/** Days are given in the 1900 system, serial numbers as the cell holds them. A number that no day has stays a number. */
function dateOf(serial: number, dates: 'iso' | 'serial', shift: number): CellValue {
  const iso = isoOf(serial + shift);
  if (iso === null) return serial;
  return { date: dates === 'iso' ? iso : serial };
}

/** Whether a cell holds what was written: texts and booleans exactly, numbers and dates as numbers. Formulas are compared elsewhere. */
export function holds(wanted: CellInput, got: GridValue, is1904: boolean): boolean {
  if (wanted === '') return got === undefined || got === null;
  if (typeof wanted !== 'object' || wanted === null) return got === wanted;
  if ('error' in wanted) return got instanceof ErrorValue && (got.scode & CODE_MASK) === CELL_ERRORS[wanted.error];
  if ('date' in wanted) {
    const days =
      typeof got === 'number' ? got + (is1904 ? DAYS_1904 : 0) : got instanceof OleDate ? got.days : Number.NaN;
    // Less than a millisecond.
    return Math.abs(days - daysOf(wanted.date, is1904)) < 0.5 / MS_PER_DAY;
  }
  return false;
}

/** By which property a cell is written: dates by Value, which gives a cell without a format that of a date. */
type Way = 'formula' | 'value' | 'date';

export interface Block {
  readonly way: Way;
  readonly row: number;
  readonly column: number;
  readonly values: GridValue[][];
}

/** Excel 2007 refuses longer texts in an array: https://support.microsoft.com/topic/832136 */
const LONGEST_IN_ARRAY = 8203;

/** By which way a cell is sent (`alone`: by itself), and as what; null for a cell that is left. */
function sentAs(cell: CellInput, is1904: boolean): readonly [way: Way | 'alone', value: GridValue] | null {
  if (cell === null) return null;
  if (cell === '') return ['value', undefined];
  if (typeof cell === 'string') return [cell.length > LONGEST_IN_ARRAY ? 'alone' : 'value', literalText(cell)];
  if (typeof cell !== 'object') return ['value', cell];
  if ('formula' in cell) return ['formula', cell.formula];
  if ('date' in cell) return ['date', new OleDate(daysOf(cell.date, is1904))];
  return ['value', ErrorValue.of(errorScode(cell.error as CellErrorName))];
}

/**
 * Cells that are written in one way, joined to rectangles inside the given ones. Formulas come first: they are what may be refused.
 */
export function blocksOf(
  places: readonly CellArea[],
  { row: top, column: left }: CellArea,
  values: ReadonlyArray<readonly CellInput[]>,
  is1904: boolean,
): Block[] {
  const blocks = places.flatMap((place) => {
    const done: Block[] = [];
    /** Runs of the row above, by way, first and last column. */
    let above = new Map<string, Block>();
    for (let row = place.row; row < place.row + place.rows; row += 1) {
      const cells = values[row - top]!.slice(place.column - left, place.column - left + place.columns).map((cell) =>
        sentAs(cell, is1904),
      );
      const runs = new Map<string, Block>();
      for (let from = 0, end; from < cells.length; from = end) {
        const way = cells[from]?.[0];
        end = from + 1;
        if (way !== 'alone') while (end < cells.length && cells[end]?.[0] === way) end += 1;
        if (way === undefined) continue;
        const key = `${way} ${from} ${end}`;
        let run = way === 'alone' ? undefined : above.get(key);
        if (run === undefined) {
          run = { way: way === 'alone' ? 'value' : way, row, column: place.column + from, values: [] };
          done.push(run);
        }
        run.values.push(cells.slice(from, end).map((cell) => cell?.[1]));
        runs.set(key, run);
      }
      above = runs;
    }
    return done;
  });
  return [...blocks.filter(({ way }) => way === 'formula'), ...blocks.filter(({ way }) => way !== 'formula')];
}

/** Rows or columns next to each other: seen ones, or a single hidden one. */
interface Band {
  readonly first: number;
  readonly count: number;
  readonly isHidden: boolean;
}

/** Whole rows or columns, by halves where some are hidden: null is answered then. */
export async function bandsOf(sheet: Dispatch, isRows: boolean, first: number, count: number): Promise<Band[]> {
  const whole = isRows
    ? { row: first, rows: count, column: 1, columns: SHEET_COLUMNS }
    : { row: 1, rows: SHEET_ROWS, column: first, columns: count };
  const answer = await ifGiven(async () => {
    const range = await sheet.object('Range', 'Range', [formatArea(whole)]);
    return await range.get('Hidden');
    // Another program that has no such property: what is read back tells whether the cells took their values.
  }, false);
  if (answer === false || count === 1) return [{ first, count, isHidden: answer === true }];
  if (answer === true)
    return Array.from({ length: count }, (_, at) => ({ first: first + at, count: 1, isHidden: true }));
  const half = Math.floor(count / 2);
  return [
    ...(await bandsOf(sheet, isRows, first, half)),
    ...(await bandsOf(sheet, isRows, first + half, count - half)),
  ];
}

/**
 * The parts of an area that have no hidden rows or columns among several. Excel puts the first element of an array into
 * every cell that is seen, and nothing into the others, where a range has hidden rows or columns among several:
 * https://github.com/xlwings/xlwings/issues/747, https://github.com/netoffice/NetOffice/issues/2
 */
export async function betweenHidden(sheet: Dispatch, area: CellArea): Promise<CellArea[]> {
  const { row, rows, column, columns } = area;
  const down = rows === 1 ? [{ first: row, count: 1 }] : await bandsOf(sheet, true, row, rows);
  const across = columns === 1 ? [{ first: column, count: 1 }] : await bandsOf(sheet, false, column, columns);
  return down.flatMap((one) =>
    across.map((other) => ({ row: one.first, rows: one.count, column: other.first, columns: other.count })),
  );
}
