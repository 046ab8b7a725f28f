/** Whether a field holds what was put into it. No Windows in here. */

export type ReadBack = 'verified' | 'normalised' | 'mismatch';

const lineEnds = (text: string): string => text.replaceAll(/\r\n|\r|\n|\u2028|\u2029|\v/g, '\n');

/** Forms that controls make of a text without changing what it says. */
const FORMS: ReadonlyArray<(text: string) => string> = [
  lineEnds,
  (text) => lineEnds(text).trim(),
  (text) => lineEnds(text).normalize('NFC').trim(),
  (text) => lineEnds(text).normalize('NFC').trim().toLowerCase(),
  (text) => lineEnds(text).normalize('NFKC').replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim().toLowerCase(),
];

const asNumber = (text: string): number | null => {
  const plain = text.trim().replaceAll(/[\s'\u00a0\u202f]/g, '');
  return /^[+-]?\d+(?:[.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
};

/** `verified`: the very text. `normalised`: the same words after the control's own rules (line ends, case, blanks, number format). */
export function compareText(wanted: string, got: string): ReadBack {
  if (wanted === got) return 'verified';
  if (FORMS.some((form) => form(wanted) === form(got))) return 'normalised';
  const number = asNumber(wanted);
  return number !== null && number === asNumber(got) ? 'normalised' : 'mismatch';
}
