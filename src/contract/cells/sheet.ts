/** What is read from and written to the cells of a spreadsheet window, and the limits of the file format. */
import { z } from 'zod';
import { BookBefore, type BookWish } from './book.ts';
import { content } from '../gate/input-content.ts';
import { CELL_CHARACTERS, CELL_ERRORS, FORMULA_CHARACTERS, LARGEST_NUMBER, type CellErrorName } from './cells.ts';

/** What a cell holds. Null = empty. `date`: ISO 8601 without a zone, or the serial number. */
export const CellValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ error: z.string() }),
  z.strictObject({ date: z.union([z.string(), z.number()]) }),
]);
export type CellValue = z.infer<typeof CellValue>;

/** `2026-11-23` or `2026-11-23T14:30:00.5`: a cell knows no time zone. */
const CELL_DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)?$/;

const ERROR_NAMES = Object.keys(CELL_ERRORS) as [CellErrorName, ...CellErrorName[]];

/**
 * What may be written into a cell. Null leaves it unchanged; an empty string clears it; any other string is that text.
 */
export const CellInput = z.union([
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

export type CellInput = z.infer<typeof CellInput>;

const CellValues = z.array(z.array(CellValue));
export const CellInputs = content(
  z
    .array(z.array(CellInput).min(1))
    .min(1)
    .describe(
      'Rows: a string is that text, null leaves a cell, "" clears it; {formula: "=A1+1"}, {date: "2026-11-23"}, {error: "#N/A"}.',
    ),
);

/** What a call does with cells, for the gate. */
export interface CellsAim {
  readonly sheet: string | undefined;
  readonly range: string;
  /** Null where they are only selected. */
  readonly write: {
    readonly values: ReadonlyArray<readonly CellInput[]>;
    /** Cells that are not empty may be overwritten. */
    readonly overwrite: boolean;
    /** What the caller read before; cells that still hold it may be overwritten. */
    readonly expect: string | undefined;
  } | null;
  /** What is done beyond writing cells; absent where cells are written or selected. */
  readonly book?: BookWish;
}

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

const place = {
  sheet: z.string(),
  /** The sheet is hidden: a person does not see what is in it. Absent for others. */
  hidden: z.literal(true).optional(),
  range: z.string(),
};

export const RangeRead = z.strictObject({
  ...place,
  rows: z.int(),
  columns: z.int(),
  values: CellValues,
  formulas: z.record(z.string(), z.string()).optional(),
  text: z.array(z.array(z.string())).optional(),
  /** Merged areas that the range meets: only the first cell of each holds something. Absent if there are none. */
  merged: z.array(z.string()).optional(),
  /** The rest of the wanted range, for the next call. */
  nextRange: z.string().nullable(),
  digest: RangeDigest,
});
export type RangeRead = z.infer<typeof RangeRead>;

/** The cells that a write is aimed at, as they are before it. */
export const CellsBefore = z.strictObject({
  ...place,
  values: CellValues,
  /** The texts among them. */
  texts: z.array(z.string()),
  /** The formulas among them, by address. */
  formulas: z.record(z.string(), z.string()),
  /** Cells that the write changes and that are not empty. */
  filled: z.int(),
  digest: RangeDigest,
  /** What the names in the formulas to write refer to, by the name in upper case: `=Data!$A$1`. Names that the workbook lacks are not there. */
  names: z.record(z.string(), z.string()).optional(),
  /** What an operation on the workbook would do. */
  book: BookBefore.optional(),
});
export type CellsBefore = z.infer<typeof CellsBefore>;

export const RangeWritten = z.strictObject({
  ...place,
  /** Cells written, formulas included. */
  written: z.int(),
  formulas: z.int(),
  /** The range before the write; null for more than 200 cells. */
  before: z.strictObject({ values: CellValues, formulas: z.record(z.string(), z.string()) }).nullable(),
  /** Where the whole of it is served as JSON: a path of the host. Null where nothing is kept. */
  beforeUrl: z.string().nullable(),
  /** Cells that did not take what was written. */
  differing: z.array(z.strictObject({ cell: z.string(), wanted: CellInput, got: CellValue })),
  /** Merged areas among the cells: those but the first of each show nothing of what is put into them, and differ. */
  merged: z.array(z.string()).optional(),
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
