/** Reads cells: values, which of them are dates, formulas, what is displayed, and a digest of it all. */
import { createHash } from 'node:crypto';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { Currency, OleDate, type Grid, type GridValue } from '../../../native-bindings/com/variant-grid.ts';
import {
  addressText,
  cellCount,
  cellName,
  cellsOf,
  firstPart,
  nextRange,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { MOST_CELLS, MOST_TEXTS } from '../../contract/cells/cells.ts';
import type { CellValue, RangeRead } from '../../contract/cells/sheet.ts';
import type { ReadCells } from '../../desktop/index.ts';
import { fromCell } from './cell-blocks.ts';
import { ifGiven, isSet } from './excel-errors.ts';
import { findRange, mergedIn, mergedText, placeOf, rangeAt, text, within, type FoundRange } from './find-range.ts';
import type { OpenBook } from './open-book.ts';

/** The cells of one rectangle as the program gives them. */
export interface CellsRead {
  readonly area: CellArea;
  /** Value2. */
  readonly raw: Grid;
  readonly values: CellValue[][];
  /** By address. */
  readonly formulas: Readonly<Record<string, string>>;
  /** Which content of which range this is: `A1:C4.` and half of a SHA-256. Made when it is asked for. */
  readonly digest: string;
}

/** `typed`: Value, where it differs from Value2. Dates count as Value2 has them, in whatever form they are answered. */
export function cellsRead(
  { sheetName }: Pick<FoundRange, 'sheetName'>,
  area: CellArea,
  read: Pick<CellsRead, 'raw' | 'formulas'> & { readonly typed: Grid | null } & Parameters<typeof fromCell>[2],
): CellsRead {
  const { raw, typed, formulas } = read;
  return {
    area,
    raw,
    formulas,
    values: raw.map((row, r) => row.map((value, c) => fromCell(value, typed?.[r]?.[c], read))),
    get digest() {
      const address = addressText(area);
      const hash = createHash('sha256')
        .update(JSON.stringify([sheetName, address, formulas, raw]))
        .digest('hex');
      return `${address}.${hash.slice(0, 32)}`;
    },
  };
}

/** Its cells, row by row. */
export const eachCell = ({ area, raw, values, formulas }: CellsRead) =>
  [...cellsOf(area)].map(({ row, column, at: [r, c] }) => {
    const cell = cellName(row, column);
    return { cell, row, column, r, c, raw: raw[r]?.[c], value: values[r]?.[c] ?? null, formula: formulas[cell] };
  });

/** One cell comes as a bare value, several as rows. */
const gridOf = (value: unknown): Grid => (Array.isArray(value) ? (value as Grid) : [[value as GridValue]]);

/** Calls are dear, cells are cheap: below this many cells what a cheap test would save is less than the test. */
const FEW_CELLS = 4;

const some = (grid: Grid, is: (value: GridValue) => boolean): boolean => grid.some((row) => row.some(is));

/**
 * The cells of a rectangle; `range`: its object, where that is known. Value and Value2 differ for dates and currencies, and nowhere
 * else (https://learn.microsoft.com/office/vba/api/excel.range.value2): so Value is read first, and alone if there are neither.
 */
export async function readCells(
  found: FoundRange,
  area: CellArea,
  range?: Dispatch,
  dates: 'iso' | 'serial' = 'iso',
): Promise<CellsRead> {
  const object = range ?? (await rangeAt(found.sheet, area));
  // Refused where a cell has a date that no calendar has: Value2 has its number.
  const value = await ifGiven(async () => gridOf(await object.get('Value')), null);
  const isTyped = value !== null && some(value, (one) => one instanceof OleDate || one instanceof Currency);
  const raw = value === null || isTyped ? gridOf(await object.get('Value2')) : value;
  const hasDates = isTyped && some(value, (one) => one instanceof OleDate);
  const is1904 = hasDates && (await isSet(await found.book.book(), 'Date1904'));
  const mayHaveFormulas =
    some(raw, (one) => one !== undefined) &&
    // Null where only some have one.
    (cellCount(area) <= FEW_CELLS || (await object.get('HasFormula')) !== false);
  // With dynamic arrays where the program has them: Excel 2019 has the member, and refuses it.
  const dynamic = mayHaveFormulas ? await ifGiven(() => object.get('Formula2'), null) : [];
  const given = gridOf(dynamic ?? (await object.get('Formula')));
  const formulas: Record<string, string> = {};
  for (const {
    row,
    column,
    at: [r, c],
  } of cellsOf(area)) {
    const formula = given[r]?.[c];
    // A text cell has its own text there, even if it begins with = (kept by an apostrophe or by the format Text).
    if (typeof formula === 'string' && /^=[^]/.test(formula) && formula !== raw[r]?.[c])
      formulas[cellName(row, column)] = formula;
  }
  return cellsRead(found, area, { raw, typed: isTyped ? value : null, formulas, dates, is1904 });
}

/** Whole rows, as many as one read takes at a time. */
export async function* readBlocks(found: FoundRange, area: CellArea): AsyncGenerator<CellsRead> {
  for (let left: readonly CellArea[] = [area]; left[0] !== undefined;) {
    const { part, rest } = firstPart([left[0]], Math.max(MOST_CELLS, area.columns));
    left = rest;
    yield await readCells(found, part);
  }
}

/** Cell by cell: the text of several is null unless all are the same. */
async function textsOf(sheet: Dispatch, area: CellArea): Promise<string[][]> {
  const texts: string[][] = [];
  const cells = await sheet.object('Cells', 'Range');
  for (const { row, column, at } of cellsOf(area)) {
    const cell = await cells.object('Item', 'Range', [row, column]);
    (texts[at[0]] ??= []).push(text(await cell.get('Text')));
  }
  return texts;
}

export async function readRange(book: OpenBook, wanted: ReadCells): Promise<RangeRead> {
  const found = await findRange(book, wanted);
  const most = wanted.text ? Math.min(wanted.maxCells, MOST_TEXTS) : wanted.maxCells;
  const { part, rest } = firstPart(await within(found.sheet, found.areas), most);
  const range = await rangeAt(found.sheet, part);
  const { values, formulas, digest } = await readCells(found, part, range, wanted.dates);
  // With formulas alone, cells that have one do not repeat its result.
  const shown = (value: CellValue, row: number, column: number): CellValue =>
    wanted.what === 'formulas' && cellName(row, column) in formulas ? null : value;
  return {
    ...placeOf(found, part),
    rows: part.rows,
    columns: part.columns,
    values: values.map((row, r) => row.map((value, c) => shown(value, part.row + r, part.column + c))),
    ...(wanted.what === 'values' ? {} : { formulas }),
    ...(wanted.text ? { text: await textsOf(found.sheet, part) } : {}),
    ...mergedText(await mergedIn(found.sheet, range, part)),
    nextRange: nextRange(rest),
    digest,
  };
}
