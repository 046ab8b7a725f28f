/** The values that a write puts into cells: what they are, and whether the cells can take them. */
import { cellCount, cellName, cellsOf, formatArea, type CellArea } from './cell-address.ts';
import { badInput } from '../errors.ts';
import { needsApostrophe } from './cell-text.ts';
import { quoted } from '../json/quoted.ts';
import { CELL_CHARACTERS, SHEET_COLUMNS, SHEET_ROWS, daysOf } from './cells.ts';
import type { CellInput } from './sheet.ts';

/** A limit of Excel. https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 */
const MOST_LINE_FEEDS = 253;

/** Why a cell cannot hold a value that its schema lets through; null if it can. */
function faultOf(value: CellInput): string | null {
  if (typeof value === 'object' && value !== null && 'date' in value)
    return Number.isNaN(daysOf(value.date, false))
      ? `${quoted(String(value.date))} is not a date from 1900 to 9999`
      : null;
  const formula = typeof value === 'object' && value !== null && 'formula' in value ? value.formula : null;
  const text = formula ?? (typeof value === 'string' ? value : '');
  if (text.length === CELL_CHARACTERS && needsApostrophe(text))
    return `the text has ${text.length} characters and is kept as text by an apostrophe in front of it, so at most ${CELL_CHARACTERS - 1} fit`;
  if (text.includes('\0')) return 'the text has a character U+0000';
  return text.includes('\n') && text.split('\n').length - 1 > MOST_LINE_FEEDS
    ? `the text has more than ${MOST_LINE_FEEDS} line feeds`
    : null;
}

/** Errors: invalid_argument. */
const refuse = (fault: string, hint?: string): never => {
  throw badInput(`values: ${fault}.`, { hint });
};

/**
 * The rectangle that values (rows of one length, as their schema has them) are written to: the range itself, or, for one cell, the
 * range of the values' size that begins there. Throws invalid_argument where sizes differ, the range ends beyond the sheet, or a
 * value does not fit into a cell.
 */
export function checkCellValues(range: CellArea, values: readonly (readonly CellInput[])[]): CellArea {
  const area = { ...range, rows: values.length, columns: values[0]!.length };
  const size = `${area.rows} × ${area.columns} cells`;
  if (cellCount(range) !== 1 && (range.rows !== area.rows || range.columns !== area.columns))
    refuse(
      `${size} for the range ${formatArea(range)}, which has ${range.rows} × ${range.columns}`,
      'Give the range the size of the values, or its first cell alone.',
    );
  if (area.row + area.rows - 1 > SHEET_ROWS || area.column + area.columns - 1 > SHEET_COLUMNS)
    refuse(`${size} from ${formatArea(range)} end beyond the sheet`);
  for (const { row, column, at } of cellsOf(area)) {
    const fault = faultOf(values[at[0]]![at[1]]!);
    if (fault !== null) refuse(`cell ${cellName(row, column)}: ${fault}`);
  }
  return area;
}

/** What the values of a write contain, in reading order. `written`: all but the cells that it leaves; `texts`: without empty ones. */
export function cellsToWrite(values: ReadonlyArray<readonly CellInput[]>) {
  const cells = values.flatMap((line, row) =>
    line.flatMap((cell, column) => (cell === null ? [] : [{ row, column, cell }])),
  );
  return {
    written: cells.length,
    /** By their places among the values, from 0. */
    formulas: cells.flatMap(({ row, column, cell }) =>
      typeof cell === 'object' && 'formula' in cell ? [{ row, column, formula: cell.formula }] : [],
    ),
    texts: cells.flatMap(({ cell }) => (typeof cell === 'string' && cell !== '' ? [cell] : [])),
    dates: cells.flatMap(({ cell }) => (typeof cell === 'object' && 'date' in cell ? [cell.date] : [])),
  };
}
