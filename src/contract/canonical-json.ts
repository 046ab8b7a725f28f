/** One JSON text for each value, for digests and comparisons. */
import { UiaHostError } from './errors.ts';

const MAX_DEPTH = 64;

function notJson(what: string): UiaHostError {
  return new UiaHostError('invalid_argument', `The input contains ${what}, which JSON cannot carry; nothing was done.`);
}

/**
 * Canonical JSON: keys sorted by UTF-16 code units, no whitespace, numbers as ECMAScript prints them (RFC 8785).
 * Undefined members are omitted. Errors: invalid_argument for what is not plain JSON.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH)
    throw new UiaHostError(
      'invalid_argument',
      `The input is nested deeper than ${MAX_DEPTH} levels, or refers to itself; nothing was done.`,
    );
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value));
      return JSON.stringify(value);
    case 'object':
      break;
    default:
      throw notJson(`a ${typeof value}`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++)
      text += (index === 0 ? '' : ',') + canonicalJson(value[index] ?? null, depth + 1);
    return `${text}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson('an object that is not plain');
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (key === '__proto__') throw notJson('a key named __proto__');
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`;
  }
  return `${text}}`;
}
