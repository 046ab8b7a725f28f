/** Where something stands in a file; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export class JsonSourceError extends Error {
  override readonly name = 'JsonSourceError';
  readonly place: Place;

  constructor(reason: string, place: Place) {
    super(reason);
    this.place = place;
  }
}

export interface JsonSource {
  readonly value: unknown;
  /** Place of the member or element at the path; of its nearest ancestor where it is missing. */
  placeOf(path: readonly PropertyKey[]): Place;
}

const MAX_DEPTH = 32;
const BLANK = /(?:[ \t\r\n]+|\/\/[^\n]*)/y;
const pathKey = (path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join('');

/**
 * JSON with `//` and block comments, which a person needs in a policy to say why. No trailing commas, no key twice:
 * a reader of the file must not be misled about which value holds.
 * Errors: JsonSourceError with the place.
 */
export function parseJsonSource(text: string): JsonSource {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const reader = new Reader(source);
  const value = reader.document();
  return {
    value,
    placeOf(path) {
      for (let length = path.length; length > 0; length--) {
        const at = reader.places.get(pathKey(path.slice(0, length)));
        if (at !== undefined) return placeAt(source, at);
      }
      return placeAt(source, reader.places.get('') ?? 0);
    },
  };
}

function placeAt(source: string, offset: number): Place {
  const before = source.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

class Reader {
  readonly places = new Map<string, number>();
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  document(): unknown {
    this.#blanks();
    this.places.set('', this.#at);
    const value = this.#value([]);
    this.#blanks();
    if (this.#at < this.#source.length) this.#fail('there is something behind the end of the value');
    return value;
  }

  #fail(reason: string, at = this.#at): never {
    throw new JsonSourceError(reason, placeAt(this.#source, at));
  }

  #blanks(): void {
    for (;;) {
      BLANK.lastIndex = this.#at;
      if (BLANK.test(this.#source)) {
        this.#at = BLANK.lastIndex;
      } else if (this.#source.startsWith('/*', this.#at)) {
        const end = this.#source.indexOf('*/', this.#at + 2);
        if (end === -1) this.#fail('a comment is not closed');
        this.#at = end + 2;
      } else {
        return;
      }
    }
  }

  #value(path: readonly PropertyKey[]): unknown {
    if (path.length > MAX_DEPTH) this.#fail(`values are nested deeper than ${MAX_DEPTH} levels`);
    const next = this.#source[this.#at];
    if (next === undefined) this.#fail('the file ends where a value is due');
    if (next === '{') return this.#object(path);
    if (next === '[') return this.#array(path);
    if (next === '"') return this.#string();
    const word = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/.exec(
      this.#source.slice(this.#at, this.#at + 64),
    );
    if (word === null) this.#fail(`${JSON.stringify(this.#source.slice(this.#at, this.#at + 12))} is no JSON value`);
    this.#at += word[0].length;
    return JSON.parse(word[0]) as unknown;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#source.length && this.#source[end] !== '"' && this.#source[end] !== '\n')
      end += this.#source[end] === '\\' ? 2 : 1;
    if (this.#source[end] !== '"') this.#fail('a text is not closed on its line', start);
    this.#at = end + 1;
    try {
      return JSON.parse(this.#source.slice(start, this.#at)) as string;
    } catch {
      return this.#fail('a text holds an escape or control character that JSON does not know', start);
    }
  }

  #object(path: readonly PropertyKey[]): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#sequence('}', () => {
      const keyAt = this.#at;
      if (this.#source[this.#at] !== '"') this.#fail('a key in double quotes is due');
      const key = this.#string();
      if (Object.hasOwn(members, key)) this.#fail(`the key ${JSON.stringify(key)} stands here a second time`, keyAt);
      if (key === '__proto__') this.#fail('the key "__proto__" is not allowed', keyAt);
      this.#blanks();
      if (this.#source[this.#at] !== ':') this.#fail('a colon is due behind the key');
      this.#at += 1;
      this.#blanks();
      const member = [...path, key];
      this.places.set(pathKey(member), keyAt);
      members[key] = this.#value(member);
    });
    return members;
  }

  #array(path: readonly PropertyKey[]): unknown[] {
    const items: unknown[] = [];
    this.#sequence(']', () => {
      const item = [...path, items.length];
      this.places.set(pathKey(item), this.#at);
      items.push(this.#value(item));
    });
    return items;
  }

  /** Items between the opening mark, which stands here, and the closing one. */
  #sequence(close: string, item: () => void): void {
    this.#at += 1;
    this.#blanks();
    if (this.#source[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      this.#blanks();
      const mark = this.#source[this.#at];
      if (mark !== ',' && mark !== close)
        this.#fail(mark === undefined ? `the file ends before ${close}` : `a comma or ${close} is due`);
      this.#at += 1;
      if (mark === close) return;
      this.#blanks();
      if (this.#source[this.#at] === close) this.#fail(`a comma stands before ${close}`);
    }
  }
}
