/** Key combinations as programs write them on menus and in tool tips: `Ctrl+S`, `Strg+Umschalt+S`, `Alt, F`. */
import { chordText, parseChord } from './keys.ts';

/** Names of modifiers and keys in the languages that Windows programs write them in. */
const NAMES: Readonly<Record<string, string>> = {
  strg: 'ctrl',
  umschalt: 'shift',
  entf: 'delete',
  einfg: 'insert',
  pos1: 'home',
  ende: 'end',
  eingabe: 'enter',
  leertaste: 'space',
  maj: 'shift',
  suppr: 'delete',
  entrée: 'enter',
  mayús: 'shift',
  supr: 'delete',
  intro: 'enter',
  maiusc: 'shift',
  canc: 'delete',
  invio: 'enter',
};

/** The chord in canonical words; null for a text that is not exactly one, such as `Alt, F, S`. */
export function shownChord(text: string): string | null {
  // `+` between keys; access keys are written with a comma too. A plus at the end is the key itself.
  const parts = text
    .trim()
    .replace(/\+$/, '+plus')
    .split(/\s*[+,]\s*/)
    .filter((part) => part !== '')
    .map((part) => NAMES[part.toLowerCase()] ?? part);
  const keys = parts.map((part) => part.replaceAll(' ', ''));
  try {
    const chord = parseChord(keys.join('+'));
    return chord.filter((key) => key.modifier === null).length === 1 ? canonicalChord(keys.join('+')) : null;
  } catch {
    return null;
  }
}

/** Modifiers in one order, so that two spellings of one chord are equal. Errors: invalid_argument. */
export function canonicalChord(text: string): string {
  const chord = parseChord(text);
  const modifiers = [...new Set(chord.flatMap((key) => (key.modifier === null ? [] : [key.modifier])))].toSorted();
  return [...modifiers, chordText(chord.filter((key) => key.modifier === null))].join('+');
}
