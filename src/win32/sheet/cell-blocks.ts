/** Cells of the object model: their values, and cells to write as few rectangles as are easily found, since each is one call. */
import { formatArea, intersectAreas, type CellArea } from '../../contract/cells/cell-address.ts';
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
const NAMES = new Map<number, string>(Object.entries(CELL_ERRORS).map(([name, number]) => [number, name]));

/** A serial number of the 1900 system as ISO 8601 without a zone; seconds only where they are not zero. Null for what is not a date. */
function isoOf(serial: number): string | null {
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  let days = Math.floor(serial);
  // Cells keep about a hundredth of a millisecond; a rounded-up midnight belongs to the next day.
  let ms = Math.round((serial - days) * MS_PER_DAY);
  if (ms >= MS_PER_DAY) {
    days += 1;
    ms = 0;
  }
  const day =
    days === FALSE_LEAP_DAY
      ? '1900-02-29'
      : new Date(EPOCH_MS + (days < FALSE_LEAP_DAY ? days + 1 : days) * MS_PER_DAY).toISOString().slice(0, 10);
  if (ms === 0) return day;
  const time = new Date(ms).toISOString().slice(11, 23);
  return `${day}T${time.endsWith('.000') ? time.slice(0, -4) : time}`;
}

/** One object for each error that Excel has: cells are read only, and thousands may hold the same. */
const ERRORS: ReadonlyMap<number, { readonly error: string }> = new Map(
  [...NAMES].map(([number, error]) => [number, { error }]),
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
  readonly area: CellArea;
  readonly address: string;
  readonly values: GridValue[][];
}

/** Excel 2007 refuses longer texts in an array: https://support.microsoft.com/topic/832136 */
const LONGEST_IN_ARRAY = 8203;

const isFormula = (cell: CellInput): cell is { formula: string } =>
  typeof cell === 'object' && cell !== null && 'formula' in cell;

/** Null for a cell that is left; `alone` for a cell that is written by itself. */
function wayOf(cell: CellInput): Way | 'alone' | null {
  if (cell === null) return null;
  if (isFormula(cell)) return 'formula';
  if (typeof cell === 'string' && cell.length > LONGEST_IN_ARRAY) return 'alone';
  return typeof cell === 'object' && 'date' in cell ? 'date' : 'value';
}

/** A cell as it is sent. */
function toGridValue(cell: CellInput, is1904: boolean): GridValue {
  if (cell === null || cell === '') return undefined;
  if (typeof cell === 'string') return literalText(cell);
  if (typeof cell !== 'object') return cell;
  if ('formula' in cell) return cell.formula;
  if ('date' in cell) return new OleDate(daysOf(cell.date, is1904));
  return ErrorValue.of(errorScode(cell.error as CellErrorName));
}

/** The cells of a rectangle, counted from 0, as they are sent. */
function partOf(
  values: ReadonlyArray<readonly CellInput[]>,
  { row, column, rows, columns }: CellArea,
  is1904: boolean,
): GridValue[][] {
  const part: GridValue[][] = [];
  for (let r = row; r < row + rows; r += 1) {
    part.push(sentRow(values[r]!, column, columns, is1904));
  }
  return part;
}

function sentRow(cells: readonly CellInput[], column: number, columns: number, is1904: boolean): GridValue[] {
  const sent: GridValue[] = [];
  for (let c = column; c < column + columns; c += 1) sent.push(toGridValue(cells[c]!, is1904));
  return sent;
}

interface Run {
  readonly way: Way | 'alone';
  readonly row: number;
  readonly column: number;
  readonly columns: number;
  rows: number;
}
/** Runs of one row, by way, first and last column. */
type Runs = ReadonlyMap<string, Run>;

/** Runs of a row: new runs, which are added to `done`, and runs that continue from the row above. */
function runsOf(cells: readonly CellInput[], row: number, above: Runs, done: Run[]): Runs {
  const runs = new Map<string, Run>();
  for (let column = 0; column < cells.length;) {
    const way = wayOf(cells[column]!);
    let end = column + 1;
    if (way !== 'alone') while (end < cells.length && wayOf(cells[end]!) === way) end += 1;
    if (way !== null) {
      const key = `${way} ${String(column)} ${String(end)}`;
      const longer = way === 'alone' ? undefined : above.get(key);
      const run = longer ?? { way, row, column, columns: end - column, rows: 0 };
      run.rows += 1;
      if (longer === undefined) done.push(run);
      runs.set(key, run);
    }
    column = end;
  }
  return runs;
}

/** Runs of a row that are written in one way, joined with those of the rows above that have the same columns. Formulas come first: they are what may be refused. */
export function blocksOf(area: CellArea, values: ReadonlyArray<readonly CellInput[]>, is1904: boolean): Block[] {
  const done: Run[] = [];
  let above: Runs = new Map();
  for (let row = 0; row < values.length; row += 1) above = runsOf(values[row]!, row, above, done);
  const blocks = done.map(({ way, row, column, rows, columns }): Block => {
    const place = { row: area.row + row, column: area.column + column, rows, columns };
    return {
      way: way === 'alone' ? 'value' : way,
      area: place,
      address: formatArea(place),
      values: partOf(values, { row, column, rows, columns }, is1904),
    };
  });
  return [...blocks.filter(({ way }) => way === 'formula'), ...blocks.filter(({ way }) => way !== 'formula')];
}

/** Rows or columns next to each other that are written as one. */
interface Band {
  readonly first: number;
  readonly count: number;
}

type WholeArea = (band: Band) => CellArea;
const wholeRows: WholeArea = ({ first, count }) => ({ row: first, rows: count, column: 1, columns: SHEET_COLUMNS });
const wholeColumns: WholeArea = ({ first, count }) => ({ row: 1, rows: SHEET_ROWS, column: first, columns: count });

/** True: all are hidden, false: none is, null: some are. */
const hidden = (sheet: Dispatch, area: CellArea): Promise<unknown> =>
  ifGiven(async () => {
    using range = await sheet.object('Range', 'Range', [formatArea(area)]);
    return await range.get('Hidden');
    // Another program that has no such property: what is read back tells whether the cells took their values.
  }, false);

/** Visible rows or columns in bands, each hidden one alone. */
async function bandsOf(sheet: Dispatch, whole: WholeArea, band: Band): Promise<Band[]> {
  const { first, count } = band;
  if (count === 1) return [band];
  const answer = await hidden(sheet, whole(band));
  if (answer === false) return [band];
  if (answer === true) return Array.from({ length: count }, (_, at) => ({ first: first + at, count: 1 }));
  const half = Math.floor(count / 2);
  return [
    ...(await bandsOf(sheet, whole, { first, count: half })),
    ...(await bandsOf(sheet, whole, { first: first + half, count: count - half })),
  ];
}

/** The part of a block that is in an area. */
function insideOf(block: Block, area: CellArea): Block[] {
  const part = intersectAreas(block.area, area);
  if (part === null) return [];
  const top = part.row - block.area.row;
  const left = part.column - block.area.column;
  const values = block.values.slice(top, top + part.rows).map((row) => row.slice(left, left + part.columns));
  return [{ ...block, area: part, address: formatArea(part), values }];
}

/**
 * The same cells, in blocks that have no hidden rows or columns among several. Excel puts the first element of an array into
 * every cell that is seen, and nothing into the others, where a range has hidden rows or columns among several:
 * https://github.com/xlwings/xlwings/issues/747, https://github.com/netoffice/NetOffice/issues/2
 */
export async function betweenHidden(
  sheet: Dispatch,
  area: CellArea,
  blocks: readonly Block[],
): Promise<readonly Block[]> {
  const rows = await bandsOf(sheet, wholeRows, { first: area.row, count: area.rows });
  const columns = await bandsOf(sheet, wholeColumns, { first: area.column, count: area.columns });
  if (rows.length === 1 && columns.length === 1) return blocks;
  const places = rows.flatMap((down) =>
    columns.map((across) => ({ row: down.first, rows: down.count, column: across.first, columns: across.count })),
  );
  return blocks.flatMap((block) => places.flatMap((place) => insideOf(block, place)));
}
