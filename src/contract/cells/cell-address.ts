/** Addresses of cells as Excel writes them (A1): parsing, formatting, and the arithmetic of rectangles. Rows and columns begin with 1. */
import { badInput, UiaHostError } from '../errors.ts';
import { quoted } from '../json/quoted.ts';
import { LONGEST_NAME, LONGEST_SHEET, SHEET_COLUMNS as LAST_COLUMN, SHEET_ROWS as LAST_ROW } from './cells.ts';

/** Longer than any address that makes sense, and short enough to be read without a second thought. */
const LONGEST_ADDRESS = 1024;

const FORMS = 'Give one range such as B2, B2:D9, B:D or 2:9, a defined name, or `selection`.';

/** A rectangle of cells. */
export interface CellArea {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** What an address names: rectangles, or a name that only the workbook can resolve. */
export type CellAddress =
  | { readonly kind: 'areas'; readonly sheet: string | null; readonly areas: readonly [CellArea, ...CellArea[]] }
  | { readonly kind: 'name'; readonly sheet: string | null; readonly name: string };

const refuse = (message: string): never => {
  throw badInput(message, { hint: FORMS });
};

/** 1 → A, 27 → AA, 16384 → XFD. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** XFD → 16384; any case. The name must be letters. */
export function columnNumber(name: string): number {
  return [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

export const cellName = (row: number, column: number): string => `${columnName(column)}${row}`;

export const cellCount = ({ rows, columns }: Pick<CellArea, 'rows' | 'columns'>): number => rows * columns;

/** `A1:C4` also for whole rows and columns. */
export function addressText({ row, column, rows, columns }: CellArea): string {
  const first = cellName(row, column);
  return rows === 1 && columns === 1 ? first : `${first}:${cellName(row + rows - 1, column + columns - 1)}`;
}

/** `B2`, `B2:D9`; whole columns `B:D`, whole rows `2:9`. */
export function formatArea(area: CellArea): string {
  const { row, column, rows, columns } = area;
  if (rows === LAST_ROW) return `${columnName(column)}:${columnName(column + columns - 1)}`;
  return columns === LAST_COLUMN ? `${row}:${row + rows - 1}` : addressText(area);
}

export const formatAreas = (areas: readonly CellArea[]): string => areas.map(formatArea).join(',');

/** A column, a row, or both: a cell. */
const PARTS = /^(?:\$?([A-Za-z]{1,3}))?(?:\$?(\d{1,7}))?$/;
/** Digits and letters beyond the sheet, which in a range cannot be a name. */
const CORNER = /^\$?[A-Za-z]*\$?\d*$/;

/** From one edge to the other, whichever comes first; all of them where none is given. */
function span(a: number | null, b: number | null, last: number): readonly [first: number, count: number] | null {
  if (a === null && b === null) return [1, last];
  if (a === null || b === null) return null;
  return Math.min(a, b) >= 1 && Math.max(a, b) <= last ? [Math.min(a, b), Math.abs(a - b) + 1] : null;
}

function parseArea(text: string): CellArea | null {
  const [from = '', to, ...more] = text.split(':').map((part) => part.trim());
  const corners = [PARTS.exec(from), PARTS.exec(to ?? from)];
  const [a, b] = corners.map((parts) => ({
    column: parts?.[1] === undefined ? null : columnNumber(parts[1]),
    row: parts?.[2] === undefined ? null : Number(parts[2]),
  }));
  const isCell = a!.column !== null && a!.row !== null;
  const isNone = a!.column === null && a!.row === null;
  // Whole columns and rows are only written as ranges.
  if (more.length > 0 || isNone || corners.includes(null) || (to === undefined && !isCell)) return null;
  const [down, across] = [span(a!.row, b!.row, LAST_ROW), span(a!.column, b!.column, LAST_COLUMN)];
  return down && across && { row: down[0], rows: down[1], column: across[0], columns: across[1] };
}

/** The sheet in front of the last exclamation mark, unquoted, and the rest. */
function splitSheet(text: string): readonly [sheet: string | null, rest: string] {
  const quotedSheet = /^'((?:[^']|'')*)'!(.*)$/s.exec(text);
  const mark = quotedSheet === null ? text.indexOf('!') : -1;
  if (quotedSheet === null && mark < 0) return [null, text];
  const sheet = quotedSheet === null ? text.slice(0, mark) : quotedSheet[1]!.replaceAll("''", "'");
  if (/[[\]\\/|]/.test(sheet))
    return refuse(`${quoted(text)} is in another workbook; only the bound one is reachable.`);
  if (sheet === '' || sheet.length > LONGEST_SHEET || /[:?*]/.test(sheet))
    refuse(`${quoted(sheet)} cannot be the name of a sheet.`);
  return [sheet, quotedSheet === null ? text.slice(mark + 1) : quotedSheet[2]!];
}

/** A defined name, or a table's column: `Rate`, `Orders[Amount]`. */
const NAME = /^[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*(?:\[.*\])?$/su;
/** Excel reserves these spellings for addresses by row and column numbers. */
const ROW_COLUMN = /^(?:R(?:\d+|\[-?\d+\])?(?:C(?:\d+|\[-?\d+\])?)?|C(?:\d+|\[-?\d+\])?)$/i;

/** `given`: the whole address, for the error. */
function parseName(text: string, given: string): string {
  const fault = parseCorner(text);
  if (fault !== null) refuse(fault);
  if (ROW_COLUMN.test(text)) refuse(`${quoted(text)} is a row-and-column address; give it in the A1 style.`);
  if (text.length > LONGEST_NAME || !NAME.test(text)) refuse(`${quoted(given)} is not an address of cells.`);
  return text;
}

/** Why a text that looks like a range is not valid; null if it does not look like a range. */
function parseCorner(text: string): string | null {
  const corners = text.split(':');
  if (corners.length < 2 && !/^\$?\d|^\$|^[A-Za-z]{1,3}0\d*$/.test(text)) return null;
  return corners.every((corner) => CORNER.test(corner.trim()))
    ? `${quoted(text)} is not a range of a sheet: rows go from 1 to ${LAST_ROW}, columns from A to ${columnName(LAST_COLUMN)}.`
    : null;
}

/** Whether two rectangles share a cell. */
export function intersectAreas(a: CellArea, b: CellArea): CellArea | null {
  const row = Math.max(a.row, b.row);
  const column = Math.max(a.column, b.column);
  const rows = Math.min(a.row + a.rows, b.row + b.rows) - row;
  const columns = Math.min(a.column + a.columns, b.column + b.columns) - column;
  return rows > 0 && columns > 0 ? { row, column, rows, columns } : null;
}

/** The first two rectangles that share a cell; null if none do. */
export function findOverlap(areas: readonly CellArea[]): readonly [CellArea, CellArea] | null {
  for (const [at, area] of areas.entries()) {
    const other = areas.slice(at + 1).find((one) => intersectAreas(area, one) !== null);
    if (other !== undefined) return [area, other];
  }
  return null;
}

const sameSheet = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function readAddress(range: string, sheet: string | null): CellAddress {
  const text = range.trim();
  if (text === '' || text.length > LONGEST_ADDRESS) return refuse('A range needs 1 to 1,024 characters.');
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return refuse(`${quoted(text)} is not an address of cells.`);
  const [own, rest] = splitSheet(text);
  if (own !== null && sheet !== null && !sameSheet(own, sheet))
    refuse(`The range is on the sheet ${quoted(own)}, but the sheet given is ${quoted(sheet)}.`);
  const on = own ?? sheet;
  const areas: CellArea[] = [];
  for (const part of rest.split(',')) {
    const [partSheet, address] = splitSheet(part.trim());
    if (partSheet !== null && (on === null || !sameSheet(partSheet, on))) refuse('A range cannot be on two sheets.');
    const area = parseArea(address);
    if (area === null) return { kind: 'name', sheet: on, name: parseName(rest, text) };
    areas.push(area);
  }
  const overlap = findOverlap(areas);
  if (overlap !== null) refuse(`${formatArea(overlap[0])} and ${formatArea(overlap[1])} overlap.`);
  return { kind: 'areas', sheet: on, areas: areas as [CellArea, ...CellArea[]] };
}

/** Rows and columns by number: `R2C3`. */
const BY_NUMBER = /R(\d{1,7})C(\d{1,5})/giu;
/** What people and other programs put around an address, and between its corners. */
const AROUND = /^(?:=|Range\()?[\s"'([{]*|[\s"')\]}]+$/giu;
const BETWEEN = /\s*(?:\.{2,}|[-\u2013\u2014]|\bto\b)\s*/giu;

/** The ways in which others write an address, each as it is to be given. */
const OTHERWISE: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => (/\d/.test(text) ? text.replaceAll(BETWEEN, ':') : text),
  (text) => text.replaceAll(';', ','),
  (text) => text.replaceAll(BY_NUMBER, (_, row: string, column: string) => cellName(Number(row), Number(column))),
  (text) => text.replace(/^(.+)\.(?=\$?[A-Z]+\$?\d)/iu, '$1!'),
  // A column or a row alone; a range without its last row is that of whole columns.
  (text) => text.replace(/^\$?([A-Z]+|\d+)$/iu, '$1:$1'),
  (text) => text.replace(/^\$?([A-Z]+)\$?\d+:\$?([A-Z]+)$/iu, '$1:$2'),
];

function readIfAny(text: string): CellAddress | null {
  try {
    return readAddress(text, null);
  } catch (error) {
    if (error instanceof UiaHostError) return null;
    throw error;
  }
}

/** The rectangle of an address as an answer gives it; null for anything else. */
export function areaOf(range: string): CellArea | null {
  const address = readIfAny(range);
  return address?.kind === 'areas' ? address.areas[0] : null;
}

/** The address that was meant, as it is to be written; null where that is not clear, or the text is one. */
function meantAddress(given: string): string | null {
  if (given.length > LONGEST_ADDRESS || readIfAny(given)?.kind === 'areas') return null;
  const plain = given.normalize('NFKC').replaceAll(AROUND, '');
  for (const write of OTHERWISE) {
    const text = write(plain);
    const meant = readIfAny(text);
    if (meant?.kind === 'areas') return meant.sheet === null ? formatAreas(meant.areas) : text;
  }
  return null;
}

/** What to give instead of a text that is not an address of cells. */
export function addressHint(given: string): string {
  const meant = meantAddress(given);
  return meant === null ? FORMS : `Give it as ${meant}.`;
}

/**
 * An address as a person writes it: `B2`, `$B$2:D9`, `B:D`, `2:9`, `'My sheet'!B2`, `B2:B9,D2:D9`, a defined name. The sheet
 * may also be given on its own. Throws invalid_argument for what no sheet has, for other workbooks, and for rectangles that overlap.
 */
export function parseAddress(range: string, sheet: string | null = null): CellAddress {
  try {
    return readAddress(range, sheet);
  } catch (error) {
    if (!(error instanceof UiaHostError)) throw error;
    throw new UiaHostError(error.code, error.message, { hint: addressHint(range) });
  }
}

/**
 * The first part of rectangles that has at most `most` cells, and what is left: whole rows where one fits, else a part of
 * the first row. Reading `rest` in the same way reaches every cell once.
 */
export function firstPart(
  [first, ...others]: readonly [CellArea, ...CellArea[]],
  most: number,
): { readonly part: CellArea; readonly rest: readonly CellArea[] } {
  const { row, column, rows, columns } = first;
  if (cellCount(first) <= most) return { part: first, rest: others };
  const fits = Math.floor(most / columns);
  if (fits > 0)
    return { part: { ...first, rows: fits }, rest: [{ ...first, row: row + fits, rows: rows - fits }, ...others] };
  const rest = [{ row, column: column + most, rows: 1, columns: columns - most }];
  if (rows > 1) rest.push({ ...first, row: row + 1, rows: rows - 1 });
  return { part: { row, column, rows: 1, columns: most }, rest: [...rest, ...others] };
}

/** The address to continue with; null after the last part. */
export const nextRange = (rest: readonly CellArea[]): string | null => (rest.length === 0 ? null : formatAreas(rest));

/** The cells, row by row. */
export function* cellsOf({ row, column, rows, columns }: CellArea): Generator<{
  readonly row: number;
  readonly column: number;
  /** Place inside the rectangle, from 0. */
  readonly at: readonly [row: number, column: number];
}> {
  for (let r = 0; r < rows; r += 1)
    for (let c = 0; c < columns; c += 1) yield { row: row + r, column: column + c, at: [r, c] };
}
