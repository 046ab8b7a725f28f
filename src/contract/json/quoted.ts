/**
 * Quotes other programs' words in our texts: titles, names, values, addresses, file names. A title can contain orders,
 * line breaks, a closing quotation mark, or characters that a person does not see but a model reads; quoting keeps it
 * apart from our own words.
 */

/**
 * Characters that are invisible or that change how the rest is read: controls, format characters (bidirectional marks, zero-width
 * ones, the tags of U+E0000), lone surrogates, private use, line separators, fillers, and variation selectors that come in
 * runs or change nothing before them. One selector after a visible character is part of it.
 * Source: unicode.org/reports/tr44 (General_Category, Default_Ignorable_Code_Point, Variation_Selector)
 */
export const HIDDEN =
  /\p{Variation_Selector}{2,}|(?<![^\s\p{C}\p{Default_Ignorable_Code_Point}])\p{Variation_Selector}|(?!\p{Variation_Selector})[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What could be mistaken for the end of a quotation or for a new one inside it. */
const MARKS = /["\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02]/gu;

/** What looks like one of our escapes but is not. */
const ESCAPES = /\\(?=u\{)/gu;

/** Whitespace and line ends; JavaScript counts the invisible byte order mark as whitespace. */
const BLANKS = /(?:[^\S\ufeff]|\u0085)+/gu;

const escaped = (text: string): string =>
  [...text].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');

const jsonEscaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Nothing in it is hidden: a snapshot quotes thousands of such texts, and the search for what is hidden is slow. */
const ALL_SHOWN = /^[ -~]*$/;

/** JSON for a reader: the same value, with every hidden character as an escape. */
export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  return ALL_SHOWN.test(json) ? json : json.replace(HIDDEN, jsonEscaped);
}

/** The text on one line, with every hidden character visible as `\u{…}`; any run of whitespace becomes one space. */
export function visible(text: string): string {
  return text.replace(BLANKS, ' ').replace(HIDDEN, escaped);
}

/** Words with single blanks between them that are quoted as they are: neither marks nor escapes, and nothing hidden. */
const AS_IT_IS = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;

/** At most this much of a text is read: a quotation is short, and a name may be a whole document. */
const LONGEST = 20_000;

/**
 * Another program's words in one of our sentences: in quotation marks that it cannot close, on one line, at most
 * `limit` characters as shown, nothing hidden.
 */
export function quoted(text: string, limit = 80): string {
  if (text.length <= limit && AS_IT_IS.test(text)) return `“${text}”`;
  const shown = visible(text.slice(0, LONGEST).replace(ESCAPES, escaped).replace(MARKS, escaped)).replace(/^ | $/g, '');
  // Never split an escape.
  const parts = shown.match(/\\u\{[\da-f]+\}|./gsu) ?? [];
  let length = 0;
  const end = parts.findIndex((part) => (length += part.length) > limit);
  if (end < 0) return `“${shown}”`;
  let room = limit - 1;
  const kept = parts.slice(0, end).filter((part) => (room -= part.length) >= 0);
  return `“${kept.join('')}…”`;
}
