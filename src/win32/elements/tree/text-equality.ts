/** Whether a field contains the text that was put into it. No Windows calls. */

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
