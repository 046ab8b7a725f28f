/**
 * JSON as the host takes it and compares it: the parser for everything that people and programs submit (request bodies,
 * policy files), and one text for each value. Pure: no files, no HTTP.
 */
import { badInput, UiaHostError } from '../errors.ts';
import { attempt } from '../attempt.ts';

/** A place in a text; both count from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Why a text is not accepted; the message does not include the position. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
  readonly place: Place;

  constructor(reason: string, place: Place) {
    super(reason);
    this.place = place;
  }
}

interface StrictJsonOptions {
  /** Deepest nesting of objects and lists. */
  readonly depth: number;
  /** Allows `//` and block comments. */
  readonly comments?: boolean;
}

export interface StrictJsonSource {
  readonly value: unknown;
  /** Position of the member or element at the path; of its nearest ancestor if it is missing. */
  placeOf(path: readonly PropertyKey[]): Place;
}

/** Keys that would reach an object's prototype in careless code elsewhere. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const SPACE = 0x20;
const BLANK = /[ \t\r\n]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
/** Significant digits of a number as it is written, and the power of ten that they are multiplied by. */
function decimalOf(text: string): readonly [digits: string, power: number] {
  const [mantissa = '', power = '0'] = text.replace('-', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return [digits, Number(power) - fraction.length + all.length - digits.length];
}
/**
 * Whether a number keeps what was written: a fraction may lose digits beyond the seventeenth, as programs write them, a
 * whole number none. Written with these digits, as programs write the numbers that they have, it is the same too.
 */
function isSame(text: string, value: number): boolean {
  if (value !== 0 && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  const [digits, power] = decimalOf(text);
  if (value === 0) return digits === '';
  const [own, ownPower] = decimalOf(String(value));
  if (digits === own && power === ownPower) return true;
  return power >= 0 && BigInt(digits) * 10n ** BigInt(power) === BigInt(Math.abs(value));
}
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Literal characters in a string: all but the quote, the backslash and control characters. */
const PLAIN = /[\x20\x21\x23-\x5b\x5d-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Offsets of the members or elements of each object and list. */
type Offsets = Map<object, Map<PropertyKey, number>>;

/**
 * Reads JSON by RFC 8259 and refuses what JSON.parse accepts: duplicate keys, keys that name prototypes, numbers out of
 * range, strings with half a surrogate pair, deep nesting. A duplicate key could mislead a reader about which value
 * applies. Errors: StrictJsonError with the position.
 */
export function parseStrictJson(text: string, options: StrictJsonOptions): unknown {
  return new Parser(text, options, null).document();
}

/** The same, and records where each value is: for files that a person corrects. */
export function parseStrictJsonSource(text: string, options: StrictJsonOptions): StrictJsonSource {
  const offsets: Offsets = new Map();
  const parser = new Parser(text, options, offsets);
  const value = parser.document();
  return {
    value,
    placeOf(path) {
      let at = parser.start;
      let holder = value;
      for (const part of path) {
        const found = offsets.get(holder as object)?.get(part);
        if (found === undefined) break;
        at = found;
        holder = (holder as Record<PropertyKey, unknown>)[part];
      }
      return placeAt(text, at);
    },
  };
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

class Parser {
  /** Offset of the outermost value. */
  start = 0;
  readonly #text: string;
  readonly #options: StrictJsonOptions;
  readonly #offsets: Offsets | null;
  #at = 0;

  constructor(text: string, options: StrictJsonOptions, offsets: Offsets | null) {
    this.#text = text;
    this.#options = options;
    this.#offsets = offsets;
  }

  document(): unknown {
    this.#skipBlanks();
    this.start = this.#at;
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail(`expected nothing after the value, found ${this.#found()}`);
    return value;
  }

  #fail(reason: string, at = this.#at): never {
    throw new StrictJsonError(reason, placeAt(this.#text, at));
  }

  #found(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(code));
  }

  /** Moves past what the pattern matches here; null where it does not. */
  #take(pattern: RegExp): string | null {
    const from = this.#at;
    pattern.lastIndex = from;
    // Not exec, which makes a list for each match.
    if (!pattern.test(this.#text)) return null;
    this.#at = pattern.lastIndex;
    return this.#text.slice(from, this.#at);
  }

  #skipBlanks(): void {
    // Mostly empty.
    if (this.#text.charCodeAt(this.#at) > SPACE && this.#options.comments !== true) return;
    this.#take(BLANK);
    if (this.#options.comments !== true) return;
    while (this.#take(COMMENT) !== null) this.#take(BLANK);
    if (this.#text.startsWith('/*', this.#at)) this.#fail('unterminated comment');
  }

  #value(depth: number): unknown {
    switch (this.#text[this.#at]) {
      case '{':
      case '[':
        if (depth >= this.#options.depth) this.#fail(`nested deeper than ${this.#options.depth} levels`);
        return this.#text[this.#at] === '{' ? this.#object(depth + 1) : this.#list(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail(`expected a value, found ${this.#found()}`);
    this.#at += word.length;
    return value;
  }

  #number(): number {
    const start = this.#at;
    const digits = this.#take(NUMBER);
    if (digits === null) this.#fail(`expected a value, found ${this.#found()}`);
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#fail('number out of range', start);
    if (!isSame(digits, value))
      this.#fail(`${digits.slice(0, 40)} is a number that JSON does not carry exactly; send it as a text`, start);
    return value;
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    do this.#take(PLAIN);
    while (this.#take(ESCAPE) !== null);
    const next = this.#text[this.#at];
    if (next === undefined) this.#fail('unterminated string', start);
    if (next === '\\')
      this.#fail(this.#text[this.#at + 1] === 'u' ? '\\u needs four hexadecimal digits' : 'unknown escape in a string');
    if (next !== '"') this.#fail('unescaped control character in a string');
    this.#at += 1;
    const value = JSON.parse(this.#text.slice(start, this.#at)) as string;
    if (!value.isWellFormed()) this.#fail('half a surrogate pair in a string', start);
    return value;
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const offsets = this.#offsetsOf(object);
    for (let hasItem = this.#opens('}'); hasItem; hasItem = this.#goesOn('}')) {
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"') this.#fail(`expected a key in double quotes, found ${this.#found()}`);
      const key = this.#string();
      if (PROTOTYPE_KEYS.has(key)) this.#fail(`the key "${key}" is not allowed`, keyAt);
      if (Object.hasOwn(object, key)) this.#fail(`duplicate key ${JSON.stringify(key.slice(0, 60))}`, keyAt);
      this.#skipBlanks();
      if (this.#text[this.#at] !== ':') this.#fail(`expected ":", found ${this.#found()}`);
      this.#at += 1;
      this.#skipBlanks();
      offsets?.set(key, keyAt);
      object[key] = this.#value(depth);
    }
    return object;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    const offsets = this.#offsetsOf(list);
    for (let hasItem = this.#opens(']'); hasItem; hasItem = this.#goesOn(']')) {
      offsets?.set(list.length, this.#at);
      list.push(this.#value(depth));
    }
    return list;
  }

  #offsetsOf(holder: object): Map<PropertyKey, number> | undefined {
    if (this.#offsets === null) return undefined;
    const own = new Map<PropertyKey, number>();
    this.#offsets.set(holder, own);
    return own;
  }

  /** Past the opening mark, which is the next character: to the first item, or, false, past the closing mark. */
  #opens(close: '}' | ']'): boolean {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] !== close) return true;
    this.#at += 1;
    return false;
  }

  /** After an item: to the next one, or, false, past the closing mark. */
  #goesOn(close: '}' | ']'): boolean {
    this.#skipBlanks();
    const mark = this.#text[this.#at];
    if (mark !== ',' && mark !== close) this.#fail(`expected "," or "${close}", found ${this.#found()}`);
    this.#at += 1;
    if (mark === close) return false;
    this.#skipBlanks();
    if (this.#text[this.#at] === close) this.#fail(`trailing comma before "${close}"`);
    return true;
  }
}

/** Deepest nesting of what a caller sends. */
export const MAX_DEPTH = 64;

function notJson(what: string): UiaHostError {
  return badInput(`The input contains ${what}, which JSON cannot carry; nothing was done.`);
}

/**
 * Canonical JSON by RFC 8785: keys sorted by UTF-16 code units, no whitespace, numbers as ECMAScript prints them. Undefined members
 * are omitted. Errors: invalid_argument for what is not plain JSON.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH)
    throw badInput(`The input is nested deeper than ${MAX_DEPTH} levels, or refers to itself; nothing was done.`);
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

// By the one rule of every face: UTF-8 alone, and a byte order mark at the beginning is left out.
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  return attempt(() => decoder.decode(bytes), null);
}
