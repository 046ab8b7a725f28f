import { sha256Hex } from './chain.ts';
import type { TextDigest } from './entry.ts';

/** What typed text leaves in the audit. */
export const digestText = (text: string): TextDigest => ({ length: text.length, sha256: sha256Hex(text) });

/** What a secret leaves: not even a hash, since a short one could be found again by trying. */
export const SECRET = { secret: true } as const;

/** Names of inputs whose text is shown as it is: what the caller points at and asks for, never what it types. */
const PLAIN = new Set([
  'action', 'action_type', 'agent', 'app', 'apps', 'allowedBundleIds', 'appName', 'approvalId', 'actionId', 'arrowDirection', 'automationId', 'bundleId', 'bundleIds',
  'button', 'category', 'command', 'cursor', 'decision', 'delivery', 'direction', 'displayName', 'flags', 'format', 'from', 'hwnd', 'kind', 'member',
  'modifiers', 'mode', 'name', 'observationId', 'path', 'reason', 'ref', 'responseType', 'risk_tags', 'role', 'scope', 'secretRef', 'since', 'space', 'state', 'status',
  'steps', 'target', 'terminal', 'test_id', 'tier', 'title', 'to', 'until', 'urls', 'goal', 'workingDirectory', 'property', 'menu', 'keyNames', 'keySequence', 'column', 'item',
]);
/** Inputs that name keys: shown as long as they press no characters. */
const KEYS = new Set(['keySequence', 'keyNames', 'key', 'keys']);
/** Inputs that are secrets by their name. */
const SECRETS = /pass(word|phrase)?|secret$|token|credential|authorization/i;

/** Addresses may be this long. */
const LONGEST_PLAIN = 2048;
const MOST_ITEMS = 50;
const DEEPEST = 8;

/** A chord that puts a character into a text: a single one, bare or with shift. */
const typesCharacter = (chord: string): boolean => {
  const parts = chord.toLowerCase().split('+').filter((part) => part !== '');
  const holdsCommand = parts.some((part) => ['ctrl', 'control', 'alt', 'option', 'win', 'meta', 'super', 'cmd', 'command'].some((name) => part.endsWith(name)));
  return !holdsCommand && parts.some((part) => [...part].length === 1 || part === 'plus' || part === 'space' || /^(num|numpad)[0-9]$/.test(part));
};

const summarise = (value: unknown): { items: number; sha256: string } => {
  const json = JSON.stringify(value) ?? 'null';
  return { items: Array.isArray(value) ? value.length : Object.keys(Object(value)).length, sha256: sha256Hex(json) };
};

function redactString(name: string, value: string): unknown {
  if (name !== 'secretRef' && SECRETS.test(name)) return SECRET;
  if (KEYS.has(name) && value.split(/\s+/).some(typesCharacter)) return digestText(value);
  return (PLAIN.has(name) || KEYS.has(name)) && value.length <= LONGEST_PLAIN ? value : digestText(value);
}

function redact(name: string, value: unknown, depth: number): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return redactString(name, value);
  if (typeof value !== 'object') return null;
  if (depth >= DEEPEST) return summarise(value);
  if (Array.isArray(value)) {
    // Keys pressed one by one are as much a text as keys in one string.
    if (KEYS.has(name) && value.some((item) => typeof item === 'string' && typesCharacter(item))) return digestText(value.join(' '));
    return value.length > MOST_ITEMS ? summarise(value) : value.map((item) => redact(name, item, depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length > MOST_ITEMS) return summarise(value);
  const combination = comboText(entries);
  return Object.fromEntries(entries.map(([key, item]) => [redactName(key), key === 'text' && combination ? item : redact(key, item, depth + 1)]));
}

/** A name that is no name of ours may be content that was put in the wrong place. */
const redactName = (key: string): string => (/^[A-Za-z_][A-Za-z0-9_]{0,40}$/.test(key) ? key : `(${sha256Hex(key).slice(0, 12)})`);

/** virtual-keyboard's `text` is keys where its `action` says so; they stay readable if they type nothing. */
function comboText(entries: readonly (readonly [string, unknown])[]): boolean {
  const { action, text } = Object.fromEntries(entries) as { action?: unknown; text?: unknown };
  return ['combo', 'hold', 'press', 'release'].includes(String(action)) && typeof text === 'string' && text.length <= 100 && !text.split(/\s+/).some(typesCharacter);
}

/**
 * The form in which an action's input goes into the audit. Only inputs known to be no content stay readable; every other
 * text, of known and unknown names, becomes length and hash, and secrets become nothing at all. Works on refused input too,
 * whatever its shape.
 */
export function redactInput(input: unknown): unknown {
  return redact('', input, 0);
}
