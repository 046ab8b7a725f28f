/**
 * Whether Excel would read a written text as something else than this text: a formula, number, date, time, boolean or error. Such
 * a text gets an apostrophe in front, which Excel does not show and which leaves the cell's format unchanged. One apostrophe too
 * many changes nothing that is seen, so doubtful texts count.
 */

/** Signs that begin a formula or are themselves mistaken for the apostrophe; `#` begins every error. */
const BEGINS = /^[=+\-@'#\u2212]/;
const BOOLEANS: ReadonlySet<string> = new Set(['TRUE', 'FALSE']);
/** English, since texts are sent with the English locale: every beginning of a month's name of at least three letters is one. */
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** `sept` → `sep(?:t)?`, one letter after another. */
const beginnings = (month: string): string =>
  month.slice(0, 3) + Array.from(month.slice(3)).reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');
const NAMES = [...MONTHS.map(beginnings), ...DAYS.map((day) => `${day.slice(0, 3)}(?:${day.slice(3)})?`)].join('|');
/** Names of months and days in a row, and a half of the day before or after them: `Jan`, `JanFeb`, `aJan`, and `JanA` of JanA1. */
const DATE_WORD = new RegExp(`^(?:[ap]m?)?(?:${NAMES})+(?:[ap]m?)?$`);
const CURRENCIES: ReadonlySet<string> = new Set('usd eur gbp jpy'.split(' '));
/**
 * Letters of numbers and times, each next to its digits: 1e5, 5 pm, 2024-01-02T10:30Z. The system's own reading takes more: 1/am,
 * 12Px (at 12 PM) and e12,7 are a time and a number.
 */
const NUMBER_LETTERS =
  /(?<=\p{Nd}\.?)e(?=[+-]?\p{Nd})|^e(?=\p{Nd}+,)|(?<=\p{Nd}[^\p{L}\p{Nd}]*)[ap]\p{L}?(?!\p{L})|(?<=\p{Nd})t(?=\p{Nd})|(?<=\p{Nd})z$/giu;
/** A half of the day after the name of a month or day: May A1. */
const HALF_DAY = /^[ap]m?$/;
/** Dates of China, Japan and Korea. */
const EAST_ASIAN = new RegExp('^[年月日時时分秒上午下后後前년월일시분초오전후]+$', 'u');

const WORD = /[\p{L}\p{M}]+/gu;

/**
 * The first word of most texts: of two letters or more, in ASCII with something in ASCII behind it, so that no part of
 * it is read as another letter.
 */
const FIRST_WORD = /^[A-Za-z]{2,}(?=[\x20-\x40\x5b-\x60\x7b-\x7e]|$)/;

/** Words of dates and numbers, in lower case. */
const isOfDate = (word: string): boolean => DATE_WORD.test(word) || CURRENCIES.has(word) || EAST_ASIAN.test(word);

/** Whether a text begins with a word that no formula, number, date, boolean or error begins with. */
function beginsPlainly(text: string): boolean {
  const word = FIRST_WORD.exec(text)?.[0];
  return word !== undefined && !BOOLEANS.has(word.toUpperCase()) && !isOfDate(word.toLowerCase());
}

/** Whether a text needs an apostrophe in front to stay this text. Empty texts need none: they clear the cell. */
export function needsApostrophe(text: string): boolean {
  if (beginsPlainly(text)) return false;
  // Blanks in front do not keep a text from being read, and full-width signs are read like others.
  const plain = text.normalize('NFKC').replace(/^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu, '');
  if (plain === '') return false;
  if (BEGINS.test(plain) || /^[\t\r\n]/.test(text)) return true;
  if (BOOLEANS.has(plain.toUpperCase())) return true;
  if (!/\p{Nd}/u.test(plain)) return false;
  // Anything that has digits, and no word but those of numbers and dates.
  const words = plain.replace(NUMBER_LETTERS, ' ');
  WORD.lastIndex = 0;
  for (let at = 0; ; at += 1) {
    const word = WORD.exec(words)?.[0];
    if (word === undefined) return true;
    const lower = word.toLowerCase();
    if (!isOfDate(lower) && !(at > 0 && HALF_DAY.test(lower))) return false;
  }
}

/** The text that is sent to Excel. */
export const literalText = (text: string): string => (needsApostrophe(text) ? `'${text}` : text);
