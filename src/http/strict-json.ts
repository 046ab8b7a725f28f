import { UiaHostError } from '../contract/errors.ts';

/** Deepest nesting of objects and lists; no input of ours comes near. */
export const MOST_DEPTH = 64;

/** Keys that would reach an object's prototype in careless code further on. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** A run of characters that need no look: everything but the quote, the backslash and control characters. */
const PLAIN = /[\x20\x21\x23-\x5b\x5d-\uffff]*/y;

/**
 * Reads JSON as RFC 8259 has it and refuses what JSON.parse lets pass: repeated keys, keys that name prototypes,
 * numbers beyond the range, texts with half a surrogate pair, nesting beyond MOST_DEPTH.
 * Errors: invalid_argument with line and column.
 */
export function parseStrictJson(text: string): unknown {
  let at = 0;

  function fail(what: string, position = at): never {
    const before = text.slice(0, position);
    const line = before.split('\n').length;
    const column = position - (before.lastIndexOf('\n') + 1) + 1;
    throw new UiaHostError(
      'invalid_argument',
      `The body is not acceptable JSON: ${what} at line ${line}, column ${column}.`,
    );
  }

  function skipBlanks(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      at += 1;
    }
  }

  function found(): string {
    return at >= text.length ? 'the body ends' : `${JSON.stringify(text[at])} stands`;
  }

  function readString(): string {
    const start = at;
    at += 1;
    let value = '';
    for (;;) {
      PLAIN.lastIndex = at;
      PLAIN.exec(text);
      value += text.slice(at, PLAIN.lastIndex);
      at = PLAIN.lastIndex;
      const character = text[at];
      if (character === '"') break;
      if (character === undefined) fail('a text does not end', start);
      if (character !== '\\') fail('a control character stands unescaped in a text');
      value += readEscape();
    }
    at += 1;
    if (!value.isWellFormed()) fail('a text holds half a surrogate pair', start);
    return value;
  }

  function readEscape(): string {
    const letter = text[at + 1] ?? '';
    if (letter === 'u') {
      const digits = text.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail('\\u needs four hexadecimal digits');
      at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const escaped = ESCAPES[letter];
    if (escaped === undefined) fail('an unknown escape stands in a text');
    at += 2;
    return escaped;
  }

  function readNumber(): number {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text);
    if (match === null) fail(`a value is expected, ${found()}`);
    const value = Number(match[0]);
    if (!Number.isFinite(value)) fail('a number is beyond the range');
    at = NUMBER.lastIndex;
    return value;
  }

  function readWord<T>(word: string, value: T): T {
    if (!text.startsWith(word, at)) fail(`a value is expected, ${found()}`);
    at += word.length;
    return value;
  }

  function readObject(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    at += 1;
    skipBlanks();
    if (text[at] === '}') {
      at += 1;
      return object;
    }
    for (;;) {
      skipBlanks();
      if (text[at] !== '"') fail(`a key in quotes is expected, ${found()}`);
      const keyAt = at;
      const key = readString();
      if (PROTOTYPE_KEYS.has(key)) fail(`the key ${JSON.stringify(key)} is not allowed anywhere`, keyAt);
      if (Object.hasOwn(object, key))
        fail(`the key ${JSON.stringify(key.slice(0, 60))} stands twice in one object`, keyAt);
      skipBlanks();
      if (text[at] !== ':') fail(`a colon is expected, ${found()}`);
      at += 1;
      object[key] = readValue(depth);
      skipBlanks();
      if (text[at] === '}') break;
      if (text[at] !== ',') fail(`a comma or } is expected, ${found()}`);
      at += 1;
    }
    at += 1;
    return object;
  }

  function readList(depth: number): unknown[] {
    const list: unknown[] = [];
    at += 1;
    skipBlanks();
    if (text[at] === ']') {
      at += 1;
      return list;
    }
    for (;;) {
      list.push(readValue(depth));
      skipBlanks();
      if (text[at] === ']') break;
      if (text[at] !== ',') fail(`a comma or ] is expected, ${found()}`);
      at += 1;
    }
    at += 1;
    return list;
  }

  function readValue(depth: number): unknown {
    skipBlanks();
    switch (text[at]) {
      case '{':
      case '[':
        if (depth >= MOST_DEPTH) fail(`nesting goes deeper than ${MOST_DEPTH}`);
        return text[at] === '{' ? readObject(depth + 1) : readList(depth + 1);
      case '"':
        return readString();
      case 't':
        return readWord('true', true);
      case 'f':
        return readWord('false', false);
      case 'n':
        return readWord('null', null);
      default:
        return readNumber();
    }
  }

  const value = readValue(0);
  skipBlanks();
  if (at < text.length) fail(`only blanks may follow the value, ${found()}`);
  return value;
}
