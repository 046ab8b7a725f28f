/** Whether a field holds what was put into it. No Windows in here. */

export type ReadBack = 'verified' | 'normalised' | 'mismatch';

const LONE_CR = /\r(?!\n)/g;

const loneCrs = (text: string): number => text.match(LONE_CR)?.length ?? 0;

/**
 * A text with every line's end as LF. A CR by itself ends a line only where the field writes its lines so: elsewhere it is a
 * character that came in the place of a line's end, and stays.
 * @param crEndsLines the field's other lines end with it, or its kind always does
 */
export const plainLines = (text: string, crEndsLines: boolean): string =>
  text.replaceAll(crEndsLines ? /\r\n|\r|\u2028|\u2029|\v/g : /\r\n|\u2028|\u2029|\v/g, '\n');

/** Whether a text's own lines end with CR alone. */
export const endsLinesWithCr = (text: string | null): boolean =>
  text !== null && text.includes('\r') && !text.includes('\n');

/** Without the blanks around it. Line ends and tabs are no blanks: one that is gone is missing. */
const trimmed = (text: string): string => text.replaceAll(/^[^\S\t\n]+|[^\S\t\n]+$/g, '');

/** Every kind of blank as one; within one line also several as one, which at the start of lines would hide an indent. */
const plainBlanks = (text: string): string => {
  const blanks = text.replaceAll(/[^\S\t\n]/g, ' ');
  return blanks.includes('\n') ? blanks : blanks.replaceAll(/ +/g, ' ');
};

/** Forms that controls make of a text without changing what it says. */
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
 * `verified`: the very text. `normalised`: the same words after the control's own rules (line ends, case, blanks, number format).
 * @param crEndsLines see `plainLines`
 */
export function compareText(wanted: string, got: string, crEndsLines = false): ReadBack {
  if (wanted === got) return 'verified';
  // One that was not asked for is no line's end and no blank.
  if (!crEndsLines && loneCrs(got) > loneCrs(wanted)) return 'mismatch';
  const [asked, held] = [plainLines(wanted, true), plainLines(got, true)];
  // Documents end their last line too.
  const heldForms = held.endsWith('\n') && !asked.endsWith('\n') ? [held, held.slice(0, -1)] : [held];
  if (FORMS.some((form) => heldForms.some((one) => form(asked) === form(one)))) return 'normalised';
  const number = asNumber(wanted);
  return number !== null && number === asNumber(got) ? 'normalised' : 'mismatch';
}
