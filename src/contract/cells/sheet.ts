/** What is read from and written to the cells of a spreadsheet window, and the limits of the file format. */
import { z } from 'zod';
import { withQuickCheck } from './quick-check.ts';
import { CELL_CHARACTERS, FORMULA_CHARACTERS, LARGEST_NUMBER, CELL_ERRORS, type CellErrorName } from './cells.ts';

/** The member of an object that has no other. */
function onlyMember(cell: object, name: string): unknown {
  // Not Object.keys, which makes an array for each of ten thousand cells.
  for (const key in cell) if (key !== name) return undefined;
  return Object.hasOwn(cell, name) ? (cell as Record<string, unknown>)[name] : undefined;
}

function isPlainValue(cell: unknown): boolean {
  if (typeof cell !== 'object' || cell === null)
    return typeof cell === 'string' || typeof cell === 'boolean' || cell === null || Number.isFinite(cell);
  return typeof onlyMember(cell, 'error') === 'string' || typeof onlyMember(cell, 'date') === 'string';
}

/** Rows of cells, each row with at least one where `fewest` says so. */
function areRows(rows: unknown, isPlain: (cell: unknown) => boolean, fewest: 0 | 1): boolean {
  if (!Array.isArray(rows) || rows.length < fewest) return false;
  for (const row of rows as unknown[]) if (!isRow(row, isPlain, fewest)) return false;
  return true;
}

function isRow(row: unknown, isPlain: (cell: unknown) => boolean, fewest: 0 | 1): boolean {
  if (!Array.isArray(row) || row.length < fewest) return false;
  for (const cell of row as unknown[]) if (!isPlain(cell)) return false;
  return true;
}

/** What a cell holds. Null = empty. `date`: ISO 8601 without a zone, or the serial number. */
export const CellValue = withQuickCheck(
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject({ error: z.string() }),
    z.strictObject({ date: z.union([z.string(), z.number()]) }),
  ]),
  isPlainValue,
);
export type CellValue = z.infer<typeof CellValue>;

/** `2026-11-23` or `2026-11-23T14:30:00.5`: a cell knows no time zone. */
const CELL_DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)?$/;

const ERROR_NAMES = Object.keys(CELL_ERRORS) as [CellErrorName, ...CellErrorName[]];

const ERRORS: ReadonlySet<unknown> = new Set(ERROR_NAMES);

const isPlainFormula = (formula: unknown): boolean =>
  typeof formula === 'string' &&
  formula.length > 1 &&
  formula.length <= FORMULA_CHARACTERS &&
  formula.startsWith('=') &&
  formula.isWellFormed();

/** What most cells to write are: for ten thousand of them the union alone takes twenty times as long. */
function isPlainCell(cell: unknown): boolean {
  if (typeof cell === 'string') return cell.length <= CELL_CHARACTERS && cell.isWellFormed();
  if (typeof cell === 'number') return Math.abs(cell) <= LARGEST_NUMBER;
  if (typeof cell !== 'object' || cell === null) return typeof cell === 'boolean' || cell === null;
  const formula = onlyMember(cell, 'formula');
  return formula === undefined ? ERRORS.has(onlyMember(cell, 'error')) : isPlainFormula(formula);
}

const AnyCell = z.union([
  z
    .string()
    .max(CELL_CHARACTERS, `A cell holds at most ${String(CELL_CHARACTERS)} characters.`)
    .refine((text) => text.isWellFormed(), 'The text has half of a surrogate pair.'),
  z.number().min(-LARGEST_NUMBER).max(LARGEST_NUMBER),
  z.boolean(),
  z.null(),
  z.strictObject({
    formula: z
      .string()
      .max(FORMULA_CHARACTERS, `A formula has at most ${String(FORMULA_CHARACTERS)} characters.`)
      .regex(/^=[^]/, 'A formula begins with = and continues.')
      .refine((text) => text.isWellFormed(), 'The formula has half of a surrogate pair.'),
  }),
  z.strictObject({
    date: z.union([
      z.string().regex(CELL_DATE, 'expected YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS, without a time zone'),
      // Serial numbers to the end of the year 9999.
      z.number().min(0).max(2_958_466),
    ]),
  }),
  z.strictObject({ error: z.enum(ERROR_NAMES) }),
]);

/**
 * What may be written into a cell. Null leaves it unchanged; an empty string clears it; any other string is that text.
 */
export const CellInput = withQuickCheck(AnyCell, isPlainCell);
export type CellInput = z.infer<typeof CellInput>;

/** Ten thousand cells are checked as a whole: by the schema of each cell it would take ten times as long. */
const CellValues = withQuickCheck(z.array(z.array(CellValue)), (rows) => areRows(rows, isPlainValue, 0));
export const CellInputs = withQuickCheck(
  z
    .array(z.array(CellInput).min(1))
    .min(1)
    .describe(
      'Rows: a string is that text, null leaves a cell, "" clears it; {formula: "=A1+1"}, {date: "2026-11-23"}, {error: "#N/A"}.',
    ),
  (rows) => areRows(rows, isPlainCell, 1),
);

/** Says which content of which range was read: `A1:C4.` and 32 hex digits. */
export const RangeDigest = z
  .string()
  .max(64)
  .regex(/^[A-Z]{1,3}[0-9]{1,7}(?::[A-Z]{1,3}[0-9]{1,7})?\.[0-9a-f]{32}$/, 'a digest comes from read-range');

export const WorkbookInfo = z.strictObject({
  application: z.strictObject({ name: z.string(), version: z.string() }),
  workbook: z.strictObject({
    name: z.string(),
    path: z.string().nullable(),
    readOnly: z.boolean(),
    saved: z.boolean(),
    date1904: z.boolean(),
    protectedView: z.boolean(),
  }),
  sheets: z.array(
    z.strictObject({
      name: z.string(),
      index: z.int(),
      visible: z.boolean(),
      protected: z.boolean(),
      /** Null for a sheet without cells, such as a chart. */
      usedRange: z.string().nullable(),
      active: z.boolean(),
    }),
  ),
  /** Null where something other than cells is selected on a sheet without cells. */
  selection: z.strictObject({ sheet: z.string(), range: z.string(), cells: z.int() }).nullable(),
  calculation: z.enum(['automatic', 'manual', 'semiautomatic']),
  separators: z.strictObject({ decimal: z.string(), list: z.string() }),
});
export type WorkbookInfo = z.infer<typeof WorkbookInfo>;

export const RangeRead = z.strictObject({
  sheet: z.string(),
  range: z.string(),
  rows: z.int(),
  columns: z.int(),
  values: CellValues,
  formulas: z.record(z.string(), z.string()).optional(),
  text: z.array(z.array(z.string())).optional(),
  /** The rest of the wanted range, for the next call. */
  nextRange: z.string().nullable(),
  digest: RangeDigest,
});
export type RangeRead = z.infer<typeof RangeRead>;

/** The cells that a write is aimed at, as they are before it. */
export const CellsBefore = z.strictObject({
  sheet: z.string(),
  range: z.string(),
  /** Rows of what the cells hold, as JSON: they cross processes and go into a document, and only a card needs single values. */
  valuesJson: z.string(),
  /** The texts among them. */
  texts: z.array(z.string()),
  /** The formulas among them, by address. */
  formulas: z.record(z.string(), z.string()),
  /** Cells that the write changes and that are not empty. */
  filled: z.int(),
  digest: RangeDigest,
  /** What the names in the formulas to write refer to, by the name in upper case: `=Data!$A$1`. Names that the workbook lacks are not there. */
  names: z.record(z.string(), z.string()).optional(),
  /** By this the write that was asked about can be carried out, for a moment, without being sent again. */
  look: z.string().optional(),
});
export type CellsBefore = z.infer<typeof CellsBefore>;

/** The rows of `valuesJson`. */
export const valuesBefore = ({ valuesJson }: Pick<CellsBefore, 'valuesJson'>): CellValue[][] =>
  CellValues.parse(JSON.parse(valuesJson));

export const RangeWritten = z.strictObject({
  sheet: z.string(),
  range: z.string(),
  /** Cells written, formulas included. */
  written: z.int(),
  formulas: z.int(),
  /** The range before the write; null for more than 200 cells. */
  before: z.strictObject({ values: CellValues, formulas: z.record(z.string(), z.string()) }).nullable(),
  /** Where the whole of it is served as JSON: a path of the host. Null where nothing is kept. */
  beforeUrl: z.string().nullable(),
  /** Cells that did not take what was written. */
  differing: z.array(z.strictObject({ cell: z.string(), wanted: CellInput, got: CellValue })),
  undoCleared: z.literal(true),
  macrosMayRun: z.boolean(),
  saved: z.literal(false),
});
export type RangeWritten = z.infer<typeof RangeWritten>;

export const RangeSelected = z.strictObject({
  sheet: z.string(),
  range: z.string(),
  /** Another sheet was activated for it. */
  sheetChanged: z.boolean(),
});
export type RangeSelected = z.infer<typeof RangeSelected>;
