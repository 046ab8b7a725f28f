/** Reads cells: values, which of them are dates, formulas, what is displayed, and a digest of it all. */
import { createHash } from 'node:crypto';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { Currency, OleDate, type Grid, type GridValue } from '../../../native-bindings/com/variant-grid.ts';
import {
  cellCount,
  cellName,
  cellsOf,
  firstPart,
  formatArea,
  intersectAreas,
  nextRange,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { MOST_TEXTS, SHEET_COLUMNS, SHEET_ROWS } from '../../contract/cells/cells.ts';
import type { CellValue, RangeRead } from '../../contract/cells/sheet.ts';
import type { ReadCells } from '../../desktop/index.ts';
import { fromCell } from './cell-blocks.ts';
import { isRefusal, ifGiven } from './excel-errors.ts';
import { mergedIn, areasOf, findRange, hiddenOf, rangeAt, text, usedRange, type FoundRange } from './find-range.ts';
import type { OpenBook } from './open-book.ts';

/** The cells of one rectangle as the program gives them. What costs time and is not always wanted is made when asked for. */
export class CellsRead {
  readonly area: CellArea;
  /** Value2. */
  readonly raw: Grid;
  /** By address. */
  readonly formulas: Readonly<Record<string, string>>;
  readonly hasFormulas: boolean;
  readonly is1904: boolean;
  readonly #sheet: string;
  /** Value, where it differs from Value2. */
  readonly #typed: Grid | null;
  readonly #form: { readonly dates: 'iso' | 'serial'; readonly is1904: boolean };
  #values: CellValue[][] | undefined;
  /** Whether equal `values` are equal cells. Known with `values`. */
  #isExact = true;
  #digest: string | undefined;

  constructor(
    { sheetName }: FoundRange,
    area: CellArea,
    read: {
      readonly raw: Grid;
      readonly typed: Grid | null;
      readonly formulas: Readonly<Record<string, string>>;
      readonly dates: 'iso' | 'serial';
      readonly is1904: boolean;
    },
  ) {
    this.#sheet = sheetName;
    this.area = area;
    this.raw = read.raw;
    this.formulas = read.formulas;
    this.hasFormulas = Object.keys(read.formulas).length > 0;
    this.is1904 = read.is1904;
    this.#typed = read.typed;
    this.#form = { dates: read.dates, is1904: read.is1904 };
  }

  get values(): CellValue[][] {
    return (this.#values ??= this.#allValues());
  }

  #allValues(): CellValue[][] {
    const typed = this.#typed;
    const rows: CellValue[][] = [];
    for (let r = 0; r < this.raw.length; r += 1) rows.push(this.#rowOf(this.raw[r]!, typed?.[r]));
    return rows;
  }

  #rowOf(row: readonly GridValue[], typed: readonly GridValue[] | undefined): CellValue[] {
    const values: CellValue[] = [];
    for (let c = 0; c < row.length; c += 1) {
      const value = fromCell(row[c], typed?.[c], this.#form);
      // A kind of value that cells should not have, and that answers cannot show.
      if (value === null && row[c] !== undefined && row[c] !== null) this.#isExact = false;
      values.push(value);
    }
    return values;
  }

  /** What one cell holds, by its place inside the rectangle. */
  valueAt(r: number, c: number): CellValue {
    return fromCell(this.raw[r]?.[c], this.#typed?.[r]?.[c], this.#form);
  }

  /** Which content of which range this is: `A1:C4.` and half of a SHA-256. */
  get digest(): string {
    return (this.#digest ??= digestOf(this.#sheet, this.area, this.#content(), this.formulas));
  }

  /**
   * The cells as JSON, in which the kinds of values differ: an empty cell is null, an error an object. Dates count as Value2 has
   * them, in whatever form they are answered.
   */
  #content(): string {
    // The values come first: they say whether they are exact.
    const { values } = this;
    return JSON.stringify(this.#typed === null && this.#isExact ? values : this.raw);
  }
}

/** One cell comes as a bare value, several as rows. */
const gridOf = (value: unknown): Grid => (Array.isArray(value) ? (value as Grid) : [[value as GridValue]]);

/** The formulas of a range, with dynamic arrays where the program has them. */
export async function formulaTexts(range: Dispatch): Promise<Grid> {
  // Excel 2019 has the member, and refuses it.
  const dynamic = await ifGiven(async () => gridOf(await range.get('Formula2')), null);
  return dynamic ?? gridOf(await range.get('Formula'));
}

/**
 * Whether a cell's formula text is a formula. A text cell has its own text there, even if it begins with = (kept by
 * an apostrophe or by the format Text).
 */
export const isFormula = (formula: GridValue, value: GridValue): formula is string =>
  typeof formula === 'string' && formula.startsWith('=') && formula.length > 1 && formula !== value;

/** Calls are dear, cells are cheap: below this many cells what a cheap test would save is less than the test. */
const FEW_CELLS = 4;

function some(grid: Grid, is: (value: GridValue) => boolean): boolean {
  for (let r = 0; r < grid.length; r += 1) if (grid[r]!.some(is)) return true;
  return false;
}
const isNotEmpty = (value: GridValue): boolean => value !== undefined;
const isFilled = (grid: Grid): boolean => some(grid, isNotEmpty);
const isDate = (value: GridValue): boolean => value instanceof OleDate;
const isDateOrCurrency = (value: GridValue): boolean => value instanceof OleDate || value instanceof Currency;

/** Whether any cell has one: null where only some have. */
const hasFormula = async (range: Dispatch): Promise<boolean> => (await range.get('HasFormula')) !== false;

/** Value; null where a cell has a date that no calendar has: Value2 has its number. */
async function typedValue(range: Dispatch): Promise<Grid | null> {
  try {
    return gridOf(await range.get('Value'));
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

interface Values {
  readonly raw: Grid;
  /** Null where it is the same. */
  readonly typed: Grid | null;
  readonly mayHaveFormulas: boolean;
}

/**
 * Value2, and Value where the two differ: for dates and currencies, and nowhere else
 * (https://learn.microsoft.com/office/vba/api/excel.range.value2). So Value is read first, and alone if there are
 * neither.
 */
async function valuesOf(range: Dispatch, cells: number): Promise<Values> {
  const value2 = async (): Promise<Grid> => gridOf(await range.get('Value2'));
  const value = await typedValue(range);
  const grid = value ?? (await value2());
  const mayHaveFormulas = isFilled(grid) && (cells <= FEW_CELLS || (await hasFormula(range)));
  return value !== null && some(value, isDateOrCurrency)
    ? { raw: await value2(), typed: value, mayHaveFormulas }
    : { raw: grid, typed: null, mayHaveFormulas };
}

/** The cells of a rectangle; `range` is its object. */
export async function readCells(
  found: FoundRange,
  area: CellArea,
  dates: 'iso' | 'serial',
  range: Dispatch,
): Promise<CellsRead> {
  const { raw, typed, mayHaveFormulas } = await valuesOf(range, cellCount(area));
  const hasDates = typed !== null && some(typed, isDate);
  const is1904 = hasDates && (await (await found.book.book()).get('Date1904')) === true;
  const given = mayHaveFormulas ? await formulaTexts(range) : null;
  const formulas = given === null ? {} : formulasIn(area, given, raw);
  return new CellsRead(found, area, { raw, typed, formulas, dates, is1904 });
}

function formulasIn(area: CellArea, given: Grid, raw: Grid): Record<string, string> {
  const formulas: Record<string, string> = {};
  for (const [r, row] of given.entries())
    for (const [c, formula] of row.entries())
      if (isFormula(formula, raw[r]?.[c])) formulas[cellName(area.row + r, area.column + c)] = formula;
  return formulas;
}

function digestOf(sheet: string, area: CellArea, content: string, formulas: Readonly<Record<string, string>>): string {
  const address = addressText(area);
  const hash = createHash('sha256')
    .update(JSON.stringify([sheet, address, formulas]), 'utf8')
    .update(content, 'utf8')
    .digest('hex');
  return `${address}.${hash.slice(0, 32)}`;
}

/** `A1:C4` also for whole rows and columns. */
export const addressText = ({ row, column, rows, columns }: CellArea): string =>
  rows === 1 && columns === 1
    ? cellName(row, column)
    : `${cellName(row, column)}:${cellName(row + rows - 1, column + columns - 1)}`;

/** Whole rows and columns are read as far as the sheet is used. */
async function within({ sheet }: FoundRange, areas: FoundRange['areas']): Promise<FoundRange['areas']> {
  if (!areas.some(({ rows, columns }) => rows === SHEET_ROWS || columns === SHEET_COLUMNS)) return areas;
  using used = await usedRange(sheet);
  const [content] = areasOf(text(await used.get('Address')));
  const inside = areas.flatMap((area) => intersectAreas(area, content) ?? []);
  const [first, ...others] = inside;
  // Nothing is used there: the first cell represents it.
  return first === undefined ? [{ ...areas[0], rows: 1, columns: 1 }] : [first, ...others];
}

/** Cell by cell: the text of several is null unless all are the same. */
async function textsOf(sheet: Dispatch, area: CellArea): Promise<string[][]> {
  const texts = Array.from({ length: area.rows }, () => Array.from({ length: area.columns }, () => ''));
  using cells = await sheet.object('Cells', 'Range');
  for (const {
    row,
    column,
    at: [r, c],
  } of cellsOf(area)) {
    using cell = await cells.object('Item', 'Range', [row, column]);
    texts[r]![c] = text(await cell.get('Text'));
  }
  return texts;
}

export async function readRange(book: OpenBook, wanted: ReadCells): Promise<RangeRead> {
  using found = await findRange(book, wanted);
  const most = wanted.text ? Math.min(wanted.maxCells, MOST_TEXTS) : wanted.maxCells;
  const { part, rest } = firstPart(await within(found, found.areas), most);
  using range = await rangeAt(found.sheet, formatArea(part));
  const read = await readCells(found, part, wanted.dates, range);
  const texts = wanted.text ? { text: await textsOf(found.sheet, part) } : {};
  const merged = await mergedIn(found.sheet, range, part);
  return {
    sheet: found.sheetName,
    ...hiddenOf(found),
    range: addressText(part),
    rows: part.rows,
    columns: part.columns,
    values: wanted.what === 'formulas' ? read.values.map((row, r) => withFormulas(row, r, read)) : read.values,
    ...(wanted.what === 'values' ? {} : { formulas: read.formulas }),
    ...texts,
    ...(merged.length === 0 ? {} : { merged: merged.map(addressText) }),
    nextRange: nextRange(rest),
    digest: read.digest,
  };
}

/** With formulas alone, cells that have one do not repeat its result. */
function withFormulas(row: CellValue[], r: number, { area, formulas }: CellsRead): CellValue[] {
  return row.map((value, c) => (cellName(area.row + r, area.column + c) in formulas ? null : value));
}
