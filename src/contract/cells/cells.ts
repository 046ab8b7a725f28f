/** Limits, errors and days of cells. Without schemas: the desktop worker uses it. */

/** Last row and column of a sheet since Excel 2007: https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 */
export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;
/** Characters that a cell holds, and characters of a formula, by the same page. */
export const CELL_CHARACTERS = 32_767;
export const FORMULA_CHARACTERS = 8_192;
/** The largest number that a cell takes, by the same page. */
export const LARGEST_NUMBER = 9.999_999_999_999_99e307;

/** Characters of a sheet's name, and of other names and addresses. */
export const LONGEST_SHEET = 31;
export const LONGEST_NAME = 255;

/** Most cells that one call reads or writes; larger ranges take several calls. */
export const MOST_CELLS = 10_000;
/** Cells read where the caller does not say. */
export const DEFAULT_CELLS = 2_000;
/** Cells whose displayed text is read, since each one is a call to the program. */
export const MOST_TEXTS = 500;
/** Cells of the range as it was that the answer to a write repeats. */
export const MOST_BEFORE = 200;
/** Names that the formulas of one write may use: what each refers to is looked up. */
export const MOST_NAMES = 64;
/** From this many cells on a write counts as destructive whatever it covers. */
export const MANY_CELLS = 1_000;

/** Error values of cells by name, and the numbers by which the object model gives them: https://learn.microsoft.com/office/vba/excel/concepts/cells-and-ranges/cell-error-values */
export const CELL_ERRORS = {
  '#NULL!': 2000,
  '#DIV/0!': 2007,
  '#VALUE!': 2015,
  '#REF!': 2023,
  '#NAME?': 2029,
  '#NUM!': 2036,
  '#N/A': 2042,
  '#GETTING_DATA': 2043,
  '#SPILL!': 2045,
  '#CONNECT!': 2046,
  '#BLOCKED!': 2047,
  '#UNKNOWN!': 2048,
  '#FIELD!': 2049,
  '#CALC!': 2050,
} as const;
export type CellErrorName = keyof typeof CELL_ERRORS;

/** Errors of cells are SCODEs of this facility: https://learn.microsoft.com/office/vba/excel/concepts/cells-and-ranges/cell-error-values */
const FACILITY = 0x800a_0000;
export const errorScode = (name: CellErrorName): number => FACILITY | CELL_ERRORS[name] | 0;

/** The texts among values of cells. */
export const textsAmong = (rows: ReadonlyArray<readonly unknown[]>): string[] =>
  rows.flat().filter((value) => typeof value === 'string');

export const MS_PER_DAY = 86_400_000;
/** 1899-12-30, from which serial numbers count. */
export const EPOCH_MS = Date.UTC(1899, 11, 30);
/** Excel counts 29 February 1900, which did not exist, as day 60: https://learn.microsoft.com/office/troubleshoot/excel/wrongly-assumes-1900-is-leap-year */
export const FALSE_LEAP_DAY = 60;
/** Days between the two date systems: https://support.microsoft.com/office/e7fe7167-48a9-4b96-bb53-5612a800b487 */
export const DAYS_1904 = 1462;

/** The serial number of the 1900 system; NaN for a day that no month has, and for days before 1900. */
function serialOf(iso: string): number {
  const [given = '', time = '00:00'] = iso.split('T');
  const day = given === '1900-02-29' ? '1900-03-01' : given;
  const at = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(day)) return Number.NaN;
  const days = (at - EPOCH_MS) / MS_PER_DAY;
  const serial = day !== given || days < FALSE_LEAP_DAY + 1 ? days - 1 : days;
  return serial < 0 ? Number.NaN : serial;
}

/** The days of a date to write, in the 1900 system. A number is the workbook's own serial number, as it is read. */
export const daysOf = (date: string | number, is1904: boolean): number =>
  typeof date === 'number' ? date + (is1904 ? DAYS_1904 : 0) : serialOf(date);

/** https://learn.microsoft.com/office/vba/api/excel.xlcharttype */
export const CHART_TYPES = { column: 51, bar: 57, line: 4, pie: 5, area: 1, scatter: -4169 } as const;
