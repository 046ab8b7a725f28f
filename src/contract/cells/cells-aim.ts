/** What a call does with cells, and what is counted of it. */
import { keptJson } from '../json/raw-json.ts';
import type { CellInput } from './sheet.ts';

/** What a call does with cells, for the gate. */
export interface CellsAim {
  readonly sheet: string | undefined;
  readonly range: string;
  /** Null where they are only selected. */
  readonly write: {
    readonly values: Values;
    /** Cells that are not empty may be overwritten. */
    readonly overwrite: boolean;
    /** What the caller read before; cells that still hold it may be overwritten. */
    readonly expect: string | undefined;
  } | null;
}

type Values = ReadonlyArray<readonly CellInput[]>;

/** A write that is being carried out. */
export interface CellsToPut extends NonNullable<CellsAim['write']> {
  readonly sheet: string | undefined;
  readonly range: string;
}

/** With the rows as JSON, as they cross processes. */
export function sentCells<T extends { readonly values: Values }>({ values, ...others }: T) {
  return { ...others, valuesJson: keptJson(values) };
}

/** The rows again. */
export function receivedCells<T extends { readonly valuesJson: string }>({ valuesJson, ...others }: T) {
  return { ...others, values: JSON.parse(valuesJson) as Values };
}

/** A formula to write, by its place among the values, from 0. */
export interface PlacedFormula {
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

/** What is asked of cells to write again and again: by the gate, its card and its record, and by the write. */
export interface CellsToWrite {
  /** How many cells a write changes: all but those that it leaves. */
  readonly written: number;
  /** In reading order, as the others. */
  readonly formulas: readonly PlacedFormula[];
  /** Those that are not empty. */
  readonly texts: readonly string[];
  readonly dates: ReadonlyArray<string | number>;
}

const known = new WeakMap<object, CellsToWrite>();

/** Of an action's arguments, which do not change: ten thousand cells are looked through once. */
export function cellsToWrite(values: Values): CellsToWrite {
  const before = known.get(values);
  if (before !== undefined) return before;
  const found: Counted = { written: 0, formulas: [], texts: [], dates: [] };
  for (let row = 0; row < values.length; row += 1) addRow(values[row]!, row, found);
  known.set(values, found);
  return found;
}

interface Counted {
  written: number;
  readonly formulas: PlacedFormula[];
  readonly texts: string[];
  readonly dates: Array<string | number>;
}

function addRow(cells: readonly CellInput[], row: number, found: Counted): void {
  // By index: entries() makes an array for each cell.
  for (let column = 0; column < cells.length; column += 1) {
    const cell = cells[column]!;
    if (cell === null) continue;
    found.written += 1;
    if (typeof cell === 'string') {
      if (cell !== '') found.texts.push(cell);
    } else if (typeof cell === 'object') {
      if ('formula' in cell) found.formulas.push({ row, column, formula: cell.formula });
      else if ('date' in cell) found.dates.push(cell.date);
    }
  }
}
