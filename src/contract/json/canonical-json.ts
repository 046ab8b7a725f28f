/** One JSON text for each value, for digests and comparisons. */
import { UiaHostError } from '../errors.ts';

const MAX_DEPTH = 64;

function notJson(what: string): UiaHostError {
  return new UiaHostError('invalid_argument', `The input contains ${what}, which JSON cannot carry; nothing was done.`);
}

/**
 * Canonical JSON by RFC 8785: keys sorted by UTF-16 code units, no whitespace, numbers as ECMAScript prints them. Undefined members
 * are omitted. Errors: invalid_argument for what is not plain JSON.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH)
    throw new UiaHostError(
      'invalid_argument',
      `The input is nested deeper than ${MAX_DEPTH} levels, or refers to itself; nothing was done.`,
    );
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson(String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw notJson(`a ${typeof value}`);
  if (Array.isArray(value))
    return `[${Array.from(value, (item: unknown) => canonicalJson(item ?? null, depth + 1)).join()}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson('an object that is not plain');
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => {
      if (key === '__proto__') throw notJson('a key named __proto__');
      return `${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`;
    });
  return `{${members.join()}}`;
}
