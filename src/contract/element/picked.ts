/** The texts that date pickers, calendars and address fields take, and whether one says what such a control would hold. */

const DATE =
  /^(?:(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2}))?(?:[ T]?(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?)?$/;
const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\/(\d{4}-\d{2}-\d{2}))?$/;
const LARGEST_PART = 255;

/** What a picker without a date shows. */
export const NO_DATE = '(no date)';

export type DateParts = Readonly<Partial<Record<string, string>>>;

/** The parts that a text gives: year, month, day, hour, minute, second; null if it is neither a date nor a time. */
export function dateParts(text: string): DateParts | null {
  const groups = text.trim() === '' ? undefined : DATE.exec(text.trim())?.groups;
  return groups ?? null;
}

/** Whether a text asks for no date. */
export const isNoDate = (text: string): boolean => ['', 'none', NO_DATE].includes(text.trim().toLowerCase());

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** The first and the last day; null if it is not a day or a range of days. */
export function daysIn(text: string): readonly [first: string, last: string] | null {
  const [, first = '', last = first] = DAYS.exec(text.trim()) ?? [];
  return isDay(first) && isDay(last) && first <= last ? [first, last] : null;
}

/** An address without leading zeros; null if it is none. */
export function addressIn(text: string): string | null {
  const parts = text.trim().split('.');
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= LARGEST_PART);
  return isAddress ? parts.map(Number).join('.') : null;
}

/**
 * Whether a text says what a control would hold.
 * @param held empty for no date, `2026-12-31 14:05:00`, `2026-12-24/2026-12-31` with both days, or `192.168.0.1`
 */
export function saysPicked(text: string, held: string): boolean {
  if (held === '') return isNoDate(text);
  if (held.includes('/')) return daysIn(text)?.join('/') === held;
  const address = addressIn(text);
  if (address !== null) return address === held;
  const [wished, there] = [dateParts(text), dateParts(held)];
  if (wished === null || there === null) return false;
  const whole = wished['hour'] === undefined ? wished : { ...wished, second: wished['second'] ?? '00' };
  return Object.entries(whole).every(([part, value]) => value === undefined || value === there[part]);
}
