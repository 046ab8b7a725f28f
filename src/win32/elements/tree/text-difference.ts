/** Compares texts: their difference, whether typed text arrived where it should, and whether a field holds it. No Windows calls. */

/** Number of characters shown around a difference. */
const AROUND = 40;

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** How many units from the first on are alike. */
function alike(most: number, isAlike: (at: number) => boolean): number {
  let at = 0;
  while (at < most && isAlike(at)) at += 1;
  return at;
}

/** How many units two texts share at the beginning, and of the rest at the end. No surrogate pair is split. */
function common(before: string, after: string): { head: number; tail: number } {
  const least = Math.min(before.length, after.length);
  let head = alike(least, (at) => before.charCodeAt(at) === after.charCodeAt(at));
  if (head > 0 && (isLow(before, head) || isLow(after, head))) head -= 1;
  let tail = alike(least - head, (at) => before.at(-1 - at) === after.at(-1 - at));
  if (tail > 0 && isLow(before, before.length - tail)) tail -= 1;
  return { head, tail };
}

/** The beginning and the end of a text that is too long to show. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  const [head, tail] = [isLow(text, half) ? half - 1 : half, isLow(text, text.length - half) ? half - 1 : half];
  return `${text.slice(0, head)}…${text.slice(text.length - tail)}`;
}

/** Both texts, with as much of each as shows what happened to it: of long texts, the place where they differ. */
export function shownDifference(
  before: string | null,
  after: string | null,
  most: number,
): { before: string | null; after: string | null } {
  if (before === null || after === null || (before.length <= most && after.length <= most)) {
    return {
      before: before === null ? null : shortened(before, most),
      after: after === null ? null : shortened(after, most),
    };
  }
  const { head, tail } = common(before, after);
  let from = Math.max(0, head - AROUND);
  if (isLow(before, from)) from -= 1;
  const part = (text: string): string => {
    let to = Math.min(text.length, text.length - tail + AROUND);
    if (isLow(text, to)) to += 1;
    return `${from > 0 ? '…' : ''}${shortened(text.slice(from, to), most)}${to < text.length ? '…' : ''}`;
  };
  return { before: part(before), after: part(after) };
}

/** Maximum number of places tried where a text repeats itself. */
const MAX_PLACES = 2000;

/**
 * Whether `after` is `before` with `typed` somewhere in it.
 * @param replaces it replaces an unknown part; then something must differ
 */
export function isInserted(before: string, after: string, typed: string, replaces: boolean): boolean {
  if (replaces ? before === after : after.length !== before.length + typed.length) return false;
  const least = Math.min(before.length, after.length);
  const head = alike(least, (at) => before.charCodeAt(at) === after.charCodeAt(at));
  const tail = alike(least, (at) => before.at(-1 - at) === after.at(-1 - at));
  const first = Math.max(0, after.length - typed.length - tail);
  const last = Math.min(head, after.length - typed.length, first + MAX_PLACES);
  for (let at = first; at <= last; at += 1) {
    const rest = after.length - at - typed.length;
    if (at + rest <= before.length && after.startsWith(typed, at)) return true;
  }
  return false;
}

/** A text after its backspaces; null if they extend beyond its beginning. */
export function withoutBackspaces(text: string): string | null {
  if (!text.includes('\b')) return text;
  const kept: string[] = [];
  for (const character of text.replaceAll(/\r\n/g, '\n')) {
    if (character !== '\b') kept.push(character);
    else if (kept.pop() === undefined) return null;
  }
  return kept.join('');
}
import type { EffectSeen } from '../../../contract/outcome.ts';

export type ReadBack = 'verified' | 'normalised' | 'mismatch';

const LONE_CR = /\r(?!\n)/g;

const loneCrs = (text: string): number => text.match(LONE_CR)?.length ?? 0;

/**
 * A text with every line end as LF. A lone CR is a line end only if the field ends its lines that way: elsewhere it is
 * a character that replaced a line end, and stays.
 * @param crEndsLines the field's other lines end with it, or its kind always does
 */
export const plainLines = (text: string, crEndsLines: boolean): string =>
  text.replaceAll(crEndsLines ? /\r\n|\r|\u2028|\u2029|\v/g : /\r\n|\u2028|\u2029|\v/g, '\n');

/** Whether a text's own lines end with CR alone. */
export const endsLinesWithCr = (text: string | null): boolean =>
  text !== null && text.includes('\r') && !text.includes('\n');

/** Without surrounding blanks. Line ends and tabs do not count as blanks: a missing one is a difference. */
const trimmed = (text: string): string => text.replaceAll(/^[^\S\t\n]+|[^\S\t\n]+$/g, '');

/**
 * Every kind of blank as a space; within a line also runs of them, which at the start of lines would hide an indent.
 */
const plainBlanks = (text: string): string => {
  const blanks = text.replaceAll(/[^\S\t\n]/g, ' ');
  return blanks.includes('\n') ? blanks : blanks.replaceAll(/ +/g, ' ');
};

/** Transformations that controls apply without changing what a text says. */
const FORMS: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => trimmed(text),
  (text) => trimmed(text.normalize('NFC')),
  (text) => trimmed(text.normalize('NFC')).toLowerCase(),
  (text) => trimmed(plainBlanks(text.normalize('NFKC'))).toLowerCase(),
];

const asNumber = (text: string): number | null => {
  const plain = text.trim().replaceAll(/[\s'\u00a0\u202f]/g, '');
  return /^[+-]?\d+(?:[.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
};

/**
 * `verified`: exactly the text. `normalised`: the same words after the control's own rules (line ends, case, blanks,
 * number format).
 * @param crEndsLines see `plainLines`
 */
export function compareText(wanted: string, got: string, crEndsLines = false): ReadBack {
  if (wanted === got) return 'verified';
  // A CR that was not in the wanted text is neither a line end nor a blank.
  if (!crEndsLines && loneCrs(got) > loneCrs(wanted)) return 'mismatch';
  const [asked, held] = [plainLines(wanted, true), plainLines(got, true)];
  // Documents also end their last line.
  const heldForms = held.endsWith('\n') && !asked.endsWith('\n') ? [held, held.slice(0, -1)] : [held];
  if (FORMS.some((form) => heldForms.some((one) => form(asked) === form(one)))) return 'normalised';
  const number = asNumber(wanted);
  return number !== null && number === asNumber(got) ? 'normalised' : 'mismatch';
}

/** What a text shows of the act that put it there: nothing where it was there before, or where that is not known. */
export const effectOfText = (before: string | null, after: string, readBack: ReadBack): EffectSeen =>
  after === before ? 'none' : readBack === 'mismatch' || before === null ? 'unverified' : 'confirmed';
