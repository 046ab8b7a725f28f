/**
 * Positional arguments of the executor face as an action's input. Callers of that interface pass every field that their
 * own tool schema knows: empty strings, defaults and nulls for fields they do not use. Absent values, fields that do
 * not belong to the kind of call and unknown keys are dropped here; everything else is left to the action's schema,
 * which is strict.
 */

/** Drops absent values: undefined and null. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** The same, and empty strings: for fields that name something. Never for typed text, where empty means empty. */
export function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return given(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));
}

/** The fields if they belong to the call, else none. */
export function where(belongs: boolean, fields: Record<string, unknown>): Record<string, unknown> {
  return belongs ? given(fields) : {};
}

/** An options object, which a JavaScript caller may omit. */
export function options<T extends object>(opts: T | null | undefined): Partial<T> {
  return opts ?? {};
}

/** Whole pixels from coordinates that a caller computed; the schema refuses anything else. */
export function whole(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : value;
}

/** A size of 0 means no size. */
export function size(value: unknown): unknown {
  return value === 0 ? undefined : whole(value);
}

/** What Windows calls WHEEL_DELTA. */
const UNITS_A_NOTCH = 120;
const MOST_NOTCHES = 100;

/**
 * Wheel notches. No action takes more than 100 notches, so a larger amount is in WHEEL_DELTA, 120 per notch as in
 * Windows; at most 100 notches result.
 * Source: learn.microsoft.com/windows/win32/inputdev/wm-mousewheel
 */
export function notches(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) <= MOST_NOTCHES) return value;
  return Math.max(-MOST_NOTCHES, Math.min(MOST_NOTCHES, value / UNITS_A_NOTCH));
}

const MAX_CLICKS = 3;

/** Number of clicks: default one, and at most three, since programs know no more than a triple click. */
export function clicks(value: unknown): unknown {
  if (value === 0) return undefined;
  return typeof value === 'number' && value > MAX_CLICKS ? MAX_CLICKS : value;
}

/** The names of a list that are not empty. */
export function names(list: unknown): unknown {
  return Array.isArray(list) ? list.filter((name) => name !== '') : list;
}
