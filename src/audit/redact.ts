/** Reduces inputs and typed text to what may be recorded: lengths and keyed hashes, and for secrets not even those. */
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { TextDigest } from './entry.ts';
import { actionIn, isContent, partOf } from '../contract/gate/input-content.ts';
import { quoted, visible } from '../contract/json/quoted.ts';

/** What is recorded of a secret: not even a hash, since a short secret could be guessed from it. */
const SECRET = { secret: true } as const;
/** Names that mark what they hold as a secret, where no definition declares them. */
const SECRETS = /pass(word|phrase)?|secret$|token|credential|authorization/i;

/** Maximum length of an address. */
const LONGEST_PLAIN = 2048;
const MAX_ITEMS = 50;
/** Where there are more texts, such as those of many cells, only the first are looked for. */
const MOST_HIDDEN = 1000;
/** Shorter texts occur in any sentence. */
const TELLING_LENGTH = 4;
const DEEPEST = 8;
/** More than any action types, and fewer digits than a number that is content. */
const MOST_CHARACTERS = 100_000_000;

type Schema = Parameters<typeof partOf>[0];
type Fields = Readonly<Record<string, unknown>>;

/** What the gate has put in the place of a text or of cells: counts, or the mark of a secret. */
const isReduced = (value: object): boolean =>
  Object.entries(value).every(
    ([key, item]) =>
      (key === 'secret' && item === true) ||
      ((key === 'length' || key === 'cells') && Number.isSafeInteger(item) && item >= 0 && item <= MOST_CHARACTERS),
  );

/** Separates these hashes from everything else derived from the same secret. */
const CONTEXT = 'uiahost audit text 1';

export interface RedactorOptions {
  /**
   * Key of the hashes, derived from the host's own secret: its holder can tell whether a given text was typed; no one
   * else can guess even a short one. Default: a key of this process.
   */
  readonly secret?: Uint8Array;
  /** Whether a text is itself a secret: then not even a keyed hash is recorded. */
  readonly isSecret?: (text: string) => boolean;
  /** The schema of an action's input, which marks what is plain; null for an unknown one, of which all is content. */
  readonly schemaOf?: (action: string) => Schema;
}

/** A recorded input. */
export interface Recorded {
  readonly input: unknown;
  /** A text without the input's content, in whatever form it is quoted there. */
  without(text: string): string;
}

export class Redactor {
  readonly #key: KeyObject;
  readonly #isSecret: (text: string) => boolean;
  readonly #schemaOf: (action: string) => Schema;

  constructor({ secret = randomBytes(32), isSecret = () => false, schemaOf = () => null }: RedactorOptions = {}) {
    this.#key = createSecretKey(createHmac('sha256', secret).update(CONTEXT).digest());
    this.#isSecret = isSecret;
    this.#schemaOf = schemaOf;
  }

  /** Keyed hash of a text, in lower-case hex; null for a secret, even one with blanks between keys or digits. */
  hash(text: string): string | null {
    if (this.#isSecret(text) || this.#isSecret(text.replaceAll(/\s+/g, ''))) return null;
    return createHmac('sha256', this.#key).update(text, 'utf8').digest('hex');
  }

  /** What the audit records of typed text. */
  text(text: string): TextDigest {
    return { length: text.length, hmac: this.hash(text) };
  }

  /**
   * The form in which an action's input goes into the audit. Only what its definition marks as plain stays readable;
   * every other text and number, under any name, becomes length and keyed hash, and secrets leave no trace. Works on
   * refused input too, whatever its shape.
   */
  input(action: string, input: unknown): unknown {
    return this.recorded(action, input).input;
  }

  /**
   * The same, and what takes its content out of another text: a reason or a card's summary may repeat it.
   * @param also further content, such as the names of chosen items
   */
  recorded(action: string, input: unknown, also: readonly string[] = []): Recorded {
    const schema = this.#schemaOf(action);
    const hidden = new Set<string>();
    const note = (text: string): void => {
      const telling = text.trim();
      if (telling.length >= TELLING_LENGTH && hidden.size < MOST_HIDDEN) hidden.add(telling);
    };
    also.forEach(note);
    // What is hidden in its own place must not show in another, so all of it is known before anything is shown.
    redact(schema, input, {
      schemaOf: this.#schemaOf,
      show: (text) => text,
      hide: (text) => note(text),
      sum: (value) => textsIn(value).forEach(note),
    });
    const texts = [...hidden];
    return {
      input: redact(schema, input, {
        schemaOf: this.#schemaOf,
        show: (text) => (texts.some((each) => text.includes(each)) ? this.text(text) : text),
        hide: (text) => this.text(text),
        sum: (value) => this.#sum(value),
      }),
      without: (text) =>
        texts.reduce(
          (rest, each) => formsOf(each).reduce((shown, form) => shown.replaceAll(form, '[content]'), rest),
          text,
        ),
    };
  }

  #sum(value: object): { items: number; hmac: string | null } {
    return {
      items: Array.isArray(value) ? value.length : Object.keys(value).length,
      hmac: this.hash(JSON.stringify(value)),
    };
  }
}

/** How a text appears in our sentences. */
const formsOf = (text: string): string[] => [
  ...new Set([text, visible(text), ...[80, 200].map((limit) => quoted(text, limit).slice(1, -1))]),
];

/** Every text in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** What becomes of each text of an input. */
interface Forms {
  schemaOf(action: string): Schema;
  show(text: string): unknown;
  hide(text: string): unknown;
  sum(value: object): unknown;
}

function redact(schema: Schema, value: unknown, forms: Forms, beside: Fields = {}, depth = 0): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (text.length > LONGEST_PLAIN || isContent(schema, value, beside) !== false) return forms.hide(text);
    return typeof value === 'string' ? forms.show(value) : value;
  }
  if (typeof value !== 'object') return null;
  const action = actionIn(schema, beside);
  if (action !== null) return redact(forms.schemaOf(action), value, forms, {}, depth + 1);
  if (isReduced(value)) return value;
  const isWhole = isContent(schema, value, beside);
  if (Array.isArray(value) && value.length > 0 && isWhole !== null && value.every((item) => typeof item === 'string'))
    // Keys pressed one by one are text like keys in one string.
    return isWhole ? forms.hide(value.join(' ')) : value.map((item) => forms.show(item));
  if (isWhole !== null || depth >= DEEPEST || Object.keys(value).length > MAX_ITEMS) return forms.sum(value);
  if (Array.isArray(value)) return value.map((item) => redact(partOf(schema, ''), item, forms, {}, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const part = partOf(schema, key);
      const isSecret = part === null && SECRETS.test(key);
      return [nameOf(key, forms), isSecret ? SECRET : redact(part, item, forms, value as Fields, depth + 1)];
    }),
  );
}

/** An input of an unknown name may be content in the wrong place. */
const nameOf = (key: string, forms: Forms): string =>
  /^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(key) ? key : `(${JSON.stringify(forms.hide(key) ?? null)})`;
