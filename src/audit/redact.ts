/** The form in which inputs and typed text are written down: lengths and keyed hashes, of secrets nothing. */
import { createHmac, randomBytes } from 'node:crypto';
import type { TextDigest } from './entry.ts';

/** What a secret leaves: not even a hash, since a short one could be found again by trying. */
export const SECRET = { secret: true } as const;

/** Names of inputs whose text is shown unchanged: what the caller points at and asks for, never what it types. */
export const PLAIN: ReadonlySet<string> = new Set([
  'action',
  'action_type',
  'agent',
  'app',
  'apps',
  'allowedBundleIds',
  'approvalId',
  'actionId',
  'arrowDirection',
  'automationId',
  'bundleId',
  'bundleIds',
  'button',
  'command',
  'points',
  'tool',
  'cursor',
  'decision',
  'delivery',
  'displayName',
  'flags',
  'format',
  'from',
  'hwnd',
  'kind',
  'member',
  'modifiers',
  'mode',
  'name',
  'observationId',
  'path',
  'reason',
  'ref',
  'responseType',
  'risk_tags',
  'role',
  'scope',
  'secretRef',
  'since',
  'space',
  'state',
  'status',
  'steps',
  'target',
  'terminal',
  'test_id',
  'tier',
  'title',
  'to',
  'urls',
  'goal',
  'workingDirectory',
  'keyNames',
  'keySequence',
  'item',
]);
/** Inputs that name keys: shown as long as they press no characters. */
const KEYS = new Set(['keySequence', 'keyNames', 'key', 'keys']);
/** Inputs that are secrets by their name. */
const SECRETS = /pass(word|phrase)?|secret$|token|credential|authorization/i;

/** Addresses may be this long. */
const LONGEST_PLAIN = 2048;
const MOST_ITEMS = 50;
/** Shorter ones are in any sentence. */
const TELLING_LENGTH = 4;
const DEEPEST = 8;

/** A chord that puts a character into a text: a single one, bare or with shift. */
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

/** virtual-keyboard's `text` is keys where its `action` says so; they stay readable if they type nothing. */
function comboText(entries: readonly (readonly [string, unknown])[]): boolean {
  const { action, text } = Object.fromEntries(entries) as { action?: unknown; text?: unknown };
  return (
    ['combo', 'hold', 'press', 'release'].includes(String(action)) &&
    typeof text === 'string' &&
    text.length <= 100 &&
    !text.split(/\s+/).some(typesCharacter)
  );
}

/** Sets these hashes apart from everything else that is made with the same secret. */
const CONTEXT = 'uiahost audit text 1';

export interface RedactorOptions {
  /**
   * Key of the hashes, from the host's own secret: who holds it can tell whether a text was the one that was typed, and nobody
   * else can find a short one by trying. Left out, it is one of this process.
   */
  readonly secret?: Uint8Array;
  /** Whether a text is a secret by itself: of such a one not even a keyed hash is written down. */
  readonly isSecret?: (text: string) => boolean;
}

export class Redactor {
  readonly #key: Buffer;
  readonly #isSecret: (text: string) => boolean;

  constructor({ secret = randomBytes(32), isSecret = () => false }: RedactorOptions = {}) {
    this.#key = createHmac('sha256', secret).update(CONTEXT).digest();
    this.#isSecret = isSecret;
  }

  /** Keyed hash of a text, in lower-case hex; null for what is a secret. Blanks between keys or digits hide none. */
  hash(text: string): string | null {
    if (this.#isSecret(text) || this.#isSecret(text.replaceAll(/\s+/g, ''))) return null;
    return createHmac('sha256', this.#key).update(text, 'utf8').digest('hex');
  }

  /** What typed text leaves in the audit. */
  text(text: string): TextDigest {
    return { length: text.length, hmac: this.hash(text) };
  }

  /**
   * The form in which an action's input goes into the audit. Only inputs known to be no content stay readable; every other
   * text, of known and unknown names, becomes length and keyed hash, and secrets become nothing at all. Works on refused
   * input too, whatever its shape.
   */
  input(input: unknown): unknown {
    return this.#redact('', input, 0);
  }

  #redact(name: string, value: unknown, depth: number): unknown {
    if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
    if (typeof value === 'string') return this.#string(name, value);
    if (typeof value !== 'object') return null;
    if (depth >= DEEPEST) return this.#sum(value);
    if (Array.isArray(value)) {
      // Keys pressed one by one are as much a text as keys in one string.
      if (KEYS.has(name) && value.some((item) => typeof item === 'string' && typesCharacter(item)))
        return this.text(value.join(' '));
      return value.length > MOST_ITEMS ? this.#sum(value) : value.map((item) => this.#redact(name, item, depth + 1));
    }
    const entries = Object.entries(value);
    if (entries.length > MOST_ITEMS) return this.#sum(value);
    const combination = comboText(entries);
    const redacted = entries.map(
      ([key, item]) =>
        [this.#name(key), key === 'text' && combination ? item : this.#redact(key, item, depth + 1)] as const,
    );
    // A reason may repeat what is typed: what is not shown in its own place is not shown in another one.
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
      hmac: this.hash(JSON.stringify(value) ?? 'null'),
    };
  }

  /** An unknown name may be content that was put in the wrong place. */
  #name(key: string): string {
    return /^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(key) ? key : `(${this.hash(key)?.slice(0, 12) ?? 'secret'})`;
  }
}

const ofThisProcess = new Redactor();

/** The same with a key of this process, for streams that are not kept beyond it. */
export const redactInput = (input: unknown): unknown => ofThisProcess.input(input);
