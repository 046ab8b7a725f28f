/** Reduces inputs and typed text to what may be recorded: lengths and keyed hashes, and for secrets not even those. */
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { TextDigest } from './entry.ts';
import plainInputs from './plain-inputs.json' with { type: 'json' };

/** What is recorded of a secret: not even a hash, since a short secret could be guessed from it. */
const SECRET = { secret: true } as const;

/** Names of inputs whose text is shown unchanged: what the caller targets and requests, never what it types. */
export const PLAIN: ReadonlySet<string> = new Set(plainInputs);
/** Inputs that name keys: shown unless they type characters. */
const KEYS = new Set(['keySequence', 'keyNames', 'key', 'keys']);
/** Inputs that are recorded as a count and one hash: what is written into cells, numbers included. */
const SUMMED = new Set(['values']);
/** Inputs whose name marks them as secrets. */
const SECRETS = /pass(word|phrase)?|secret$|token|credential|authorization/i;

/** Maximum length of an address. */
const LONGEST_PLAIN = 2048;
const MAX_ITEMS = 50;
/** Shorter texts occur in any sentence. */
const TELLING_LENGTH = 4;
const DEEPEST = 8;

/** A chord that types a character: a single key, alone or with shift. */
const typesCharacter = (chord: string): boolean => {
  const parts = chord
    .toLowerCase()
    .split('+')
    .filter((part) => part !== '');
  const holdsCommand = parts.some((part) =>
    ['ctrl', 'control', 'alt', 'option', 'win', 'meta', 'super', 'cmd', 'command'].some((name) => part.endsWith(name)),
  );
  return (
    !holdsCommand &&
    parts.some(
      (part) => [...part].length === 1 || part === 'plus' || part === 'space' || /^(num|numpad)[0-9]$/.test(part),
    )
  );
};

/** virtual-keyboard's `text` holds keys if its `action` is about keys; they stay readable if they type nothing. */
function comboText(entries: readonly (readonly [string, unknown])[]): boolean {
  const { action, text } = Object.fromEntries(entries) as { action?: unknown; text?: unknown };
  return (
    ['combo', 'hold', 'press', 'release'].includes(String(action)) &&
    typeof text === 'string' &&
    text.length <= 100 &&
    !text.split(/\s+/).some(typesCharacter)
  );
}

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
}

export class Redactor {
  readonly #key: KeyObject;
  readonly #isSecret: (text: string) => boolean;

  constructor({ secret = randomBytes(32), isSecret = () => false }: RedactorOptions = {}) {
    this.#key = createSecretKey(createHmac('sha256', secret).update(CONTEXT).digest());
    this.#isSecret = isSecret;
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
   * The form in which an action's input goes into the audit. Only inputs known to be no content stay readable; every other
   * text, under any name, becomes length and keyed hash, and secrets leave no trace. Works on refused
   * input too, whatever its shape.
   */
  input(input: unknown): unknown {
    return this.#redact('', input, 0);
  }

  #redact(name: string, value: unknown, depth: number): unknown {
    if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
    if (typeof value === 'string') return this.#string(name, value);
    if (typeof value !== 'object') return null;
    if (depth >= DEEPEST || SUMMED.has(name)) return this.#sum(value);
    if (Array.isArray(value)) {
      // Keys pressed one by one are text just like keys in one string.
      if (KEYS.has(name) && value.some((item) => typeof item === 'string' && typesCharacter(item)))
        return this.text(value.join(' '));
      return value.length > MAX_ITEMS ? this.#sum(value) : value.map((item) => this.#redact(name, item, depth + 1));
    }
    const entries = Object.entries(value);
    if (entries.length > MAX_ITEMS) return this.#sum(value);
    const combination = comboText(entries);
    const redacted = entries.map(
      ([key, item]) =>
        [this.#name(key), key === 'text' && combination ? item : this.#redact(key, item, depth + 1)] as const,
    );
    // A reason may repeat what is typed: what is hidden in its own place must not show in another.
    const hidden = entries.flatMap(([, item], index) =>
      typeof item === 'string' && item.trim().length >= TELLING_LENGTH && redacted[index]?.[1] !== item
        ? [item.trim()]
        : [],
    );
    return Object.fromEntries(
      redacted.map(([key, item]) => [
        key,
        typeof item === 'string' && hidden.some((text) => item.includes(text)) ? this.text(item) : item,
      ]),
    );
  }

  #string(name: string, value: string): unknown {
    if (name !== 'secretRef' && SECRETS.test(name)) return SECRET;
    if (KEYS.has(name) && value.split(/\s+/).some(typesCharacter)) return this.text(value);
    return (PLAIN.has(name) || KEYS.has(name)) && value.length <= LONGEST_PLAIN ? value : this.text(value);
  }

  #sum(value: object): { items: number; hmac: string | null } {
    return {
      items: Array.isArray(value) ? value.length : Object.keys(value).length,
      hmac: this.hash(JSON.stringify(value)),
    };
  }

  /** An input of an unknown name may be content in the wrong place. */
  #name(key: string): string {
    return /^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(key) ? key : `(${this.hash(key)?.slice(0, 12) ?? 'secret'})`;
  }
}

const ofThisProcess = new Redactor();

/** The same with a key of this process, for streams that do not outlive it. */
export const redactInput = (input: unknown): unknown => ofThisProcess.input(input);
