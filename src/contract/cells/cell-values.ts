/** The values that a write puts into cells: what they are, and whether the cells can take them. */
import { cellName, formatArea, type CellArea } from './cell-address.ts';
import { UiaHostError } from '../errors.ts';
import { needsApostrophe } from './cell-text.ts';
import { CELL_CHARACTERS, FORMULA_CHARACTERS, MOST_CELLS, SHEET_COLUMNS, SHEET_ROWS } from './cells.ts';
import type { CellInput } from './sheet.ts';

/** A limit of Excel. https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 */
const MOST_LINE_FEEDS = 253;

/** The rows and columns of the values: at least one cell, all rows of one length. */
function sizeOf(values: readonly (readonly unknown[])[]): { readonly rows: number; readonly columns: number } {
  const columns = values[0]?.length ?? 0;
  if (columns === 0) throw new UiaHostError('invalid_argument', 'values: at least one row with one cell is needed.');
  const ragged = values.findIndex((row) => row.length !== columns);
  if (ragged >= 0)
    throw new UiaHostError(
      'invalid_argument',
      `values: row ${ragged + 1} has ${values[ragged]!.length} cells, row 1 has ${columns}.`,
      { hint: 'Give every row the same number of cells; null leaves a cell unchanged.' },
    );
  if (values.length * columns > MOST_CELLS)
    throw new UiaHostError(
      'invalid_argument',
      `values: ${values.length * columns} cells; one write takes at most ${MOST_CELLS}.`,
      { hint: 'Write the range in parts; a batch can carry several.' },
    );
  return { rows: values.length, columns };
}

/** Why a cell's value cannot be written; null if it can. */
function faultOf(value: CellInput): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'the number is not finite';
  const formula = typeof value === 'object' && value !== null && 'formula' in value ? value.formula : null;
  if (formula !== null) {
    if (!formula.startsWith('=') || formula.length === 1) return 'a formula begins with = and has something after it';
    if (formula.length > FORMULA_CHARACTERS)
      return `the formula has ${formula.length} characters, at most ${FORMULA_CHARACTERS} fit`;
  }
  const text = formula ?? (typeof value === 'string' ? value : null);
  if (text === null) return null;
  if (text.length > CELL_CHARACTERS) return `the text has ${text.length} characters, at most ${CELL_CHARACTERS} fit`;
  if (text.length === CELL_CHARACTERS && formula === null && needsApostrophe(text))
    return `the text has ${text.length} characters and is kept as text by an apostrophe in front of it, so at most ${CELL_CHARACTERS - 1} fit`;
  if (!text.isWellFormed()) return 'the text has a lone surrogate, which is not a character';
  if (text.includes('\0')) return 'the text has a character U+0000';
  return text.includes('\n') && text.split('\n').length - 1 > MOST_LINE_FEEDS
    ? `the text has more than ${MOST_LINE_FEEDS} line feeds`
    : null;
}

function assertFit(cells: readonly CellInput[], row: number, column: number): void {
  for (let c = 0; c < cells.length; c += 1) {
    const fault = faultOf(cells[c]!);
    if (fault !== null)
      throw new UiaHostError('invalid_argument', `values: cell ${cellName(row, column + c)}: ${fault}.`);
  }
}

/**
 * The rectangle that values are written to: the range itself, or, for one cell, the range of the values' size that begins there.
 * Throws invalid_argument where sizes differ, rows are ragged, the range ends beyond the sheet, or a value does not fit into a cell.
 */
export function checkCellValues(range: CellArea, values: readonly (readonly CellInput[])[]): CellArea {
  const { rows, columns } = sizeOf(values);
  const isOneCell = range.rows === 1 && range.columns === 1;
  if (!isOneCell && (range.rows !== rows || range.columns !== columns))
    throw new UiaHostError(
      'invalid_argument',
      `values: ${rows} × ${columns} cells for the range ${formatArea(range)}, which has ${range.rows} × ${range.columns}.`,
      { hint: 'Give the range the size of the values, or its first cell alone.' },
    );
  const area = { ...range, rows, columns };
  if (area.row + rows - 1 > SHEET_ROWS || area.column + columns - 1 > SHEET_COLUMNS)
    throw new UiaHostError(
      'invalid_argument',
      `values: ${rows} × ${columns} cells from ${formatArea(range)} end beyond the sheet.`,
    );
  for (let r = 0; r < rows; r += 1) assertFit(values[r]!, area.row + r, area.column);
  return area;
}

/** A formula to write, by its place among the values, from 0. */
interface PlacedFormula {
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

/** What the values of a write contain. */
interface CellsToWrite {
  /** How many cells a write changes: all but the cells that it leaves. */
  readonly written: number;
  /** In reading order, as the others. */
  readonly formulas: readonly PlacedFormula[];
  /** Texts that are not empty. */
  readonly texts: readonly string[];
  readonly dates: ReadonlyArray<string | number>;
}

export function cellsToWrite(values: ReadonlyArray<readonly CellInput[]>): CellsToWrite {
  const formulas: PlacedFormula[] = [];
  const texts: string[] = [];
  const dates: Array<string | number> = [];
  let written = 0;
  for (const [row, cells] of values.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell === null) continue;
      written += 1;
      if (typeof cell === 'string' && cell !== '') texts.push(cell);
      if (typeof cell !== 'object') continue;
      if ('formula' in cell) formulas.push({ row, column, formula: cell.formula });
      else if ('date' in cell) dates.push(cell.date);
    }
  }
  return { written, formulas, texts, dates };
}
