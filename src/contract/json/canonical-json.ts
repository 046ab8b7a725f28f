/** One JSON text for each value, for digests and comparisons. */
import { UiaHostError } from '../errors.ts';
import { jsonTextOf } from './raw-json.ts';

const MAX_DEPTH = 64;

function notJson(what: string): UiaHostError {
  return new UiaHostError('invalid_argument', `The input contains ${what}, which JSON cannot carry; nothing was done.`);
}

/**
 * Canonical JSON: keys sorted by UTF-16 code units, no whitespace, numbers as ECMAScript prints them (RFC 8785).
 * Undefined members are omitted. Errors: invalid_argument for what is not plain JSON.
 */
export const canonicalJson = (value: unknown): string => sortedJson(value, unorderedIn(value));

const checked = new WeakMap<object, ReadonlySet<object>>();

/**
 * Checks an action's arguments, which do not change, once; returns the objects and lists in them whose keys are not in order.
 * Errors: invalid_argument for what is not plain JSON.
 */
export function checkArguments(input: unknown): ReadonlySet<object> {
  if (typeof input !== 'object' || input === null) return unorderedIn(input);
  const known = checked.get(input) ?? unorderedIn(input);
  checked.set(input, known);
  return known;
}

/** The canonical JSON of an action's arguments. Errors: those of `checkArguments`. */
export const canonicalArguments = (input: unknown): string => sortedJson(input, checkArguments(input));

function unorderedIn(value: unknown): ReadonlySet<object> {
  const unordered = new Set<object>();
  checkJson(value, 0, unordered);
  return unordered;
}

/**
 * Whether all keys are in order as they are: then JSON.stringify says the same. `unordered` gets the objects and lists where they are
 * not, in themselves or in what they contain. Errors: invalid_argument for what is not plain JSON.
 */
function checkJson(value: unknown, depth: number, unordered: Set<object>): boolean {
  if (depth > MAX_DEPTH)
    throw new UiaHostError(
      'invalid_argument',
      `The input is nested deeper than ${MAX_DEPTH} levels, or refers to itself; nothing was done.`,
    );
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value));
      return true;
    case 'object':
      break;
    default:
      throw notJson(`a ${typeof value}`);
  }
  if (value === null) return true;
  let isInOrder = true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      if (!checkJson(value[index] ?? null, depth + 1, unordered)) isInOrder = false;
    if (!isInOrder) unordered.add(value);
    return isInOrder;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson('an object that is not plain');
  let before = '';
  // Not Object.keys, which makes an array for each of ten thousand cells.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (key === '__proto__') throw notJson('a key named __proto__');
    if (key < before) isInOrder = false;
    before = key;
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !checkJson(member, depth + 1, unordered)) isInOrder = false;
  }
  if (!isInOrder) unordered.add(value);
  return isInOrder;
}

/** For what has been checked. */
function sortedJson(value: unknown, unordered: ReadonlySet<object>): string {
  if (typeof value !== 'object' || value === null || !unordered.has(value)) return jsonTextOf(value);
  if (Array.isArray(value))
    return `[${Array.from(value, (item: unknown) => sortedJson(item ?? null, unordered)).join()}]`;
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = (value as Record<string, unknown>)[key];
      return member === undefined ? [] : `${JSON.stringify(key)}:${sortedJson(member, unordered)}`;
    });
  return `{${members.join()}}`;
}
