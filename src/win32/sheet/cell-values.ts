/** Values of cells between the object model and the host. */
import { Currency, ErrorValue, OleDate, type GridValue } from '../../../native-bindings/com/variant-grid.ts';
import { CELL_ERRORS, DAYS_1904, daysOf, EPOCH_MS, FALSE_LEAP_DAY, MS_PER_DAY } from '../../contract/cells/cells.ts';
import type { CellInput, CellValue } from '../../contract/cells/sheet.ts';

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
