/** Cells as text: a table with its addresses for models and for people, and changes of a write, cell by cell; and whether a text would be read as something else. */
import { jsonText, quoted, visible } from '../json/quoted.ts';
import { areaOf, cellName, columnName, firstPart, nextRange } from './cell-address.ts';
import type { CellInput, CellsBefore, CellValue, RangeRead } from './sheet.ts';

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

/**
 * Whether Excel would read a text as something else: a formula, number, date, time, boolean or error. Such a text gets an apostrophe
 * in front, which Excel does not show and which leaves the cell's format unchanged. One apostrophe too many changes nothing that is
 * seen, so doubtful texts count. Empty texts need none: they clear the cell.
 */
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

const plainWords = (value: Exclude<CellInput | CellValue, string | null>): string => {
  if (typeof value !== 'object') return String(value).toUpperCase();
  if ('formula' in value) return value.formula;
  return 'error' in value ? value.error : String(value.date);
};

/** A cell for a table: text without quotation marks, unless it would read as something else or as two cells. */
export function cellWords(value: CellValue, formula?: string): string {
  const shown =
    value === null
      ? ''
      : typeof value !== 'string'
        ? plainWords(value)
        : needsApostrophe(value) || /[\p{C}\u2028\u2029"|]|^\s|\s$/u.test(value) || value === ''
          ? jsonText(value)
          : value;
  return formula === undefined ? shown : `${shown} (${visible(formula)})`.trimStart();
}

/** Rows of words: the columns' letters first, and each row's number in front. */
export function tableRows(
  { range, values, formulas = {} }: Pick<RangeRead, 'range' | 'values' | 'formulas'>,
  most = Infinity,
): string[][] {
  const area = areaOf(range);
  const [top, left] = area === null ? [1, 1] : [area.row, area.column];
  const columns = values[0]?.length ?? 0;
  return [
    ['', ...Array.from({ length: columns }, (_, at) => columnName(left + at))],
    ...values
      .slice(0, most)
      .map((row, r) => [
        String(top + r),
        ...row.map((value, c) => cellWords(value, formulas[cellName(top + r, left + c)])),
      ]),
  ];
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** As a snapshot has: 4 bytes per token. */
const TABLE_TOKENS = 4000;
const BYTES_PER_TOKEN = 4;

/**
 * A range as a compact table for a model: columns separated by tabs, within a budget of tokens. Rows that do not fit are left out as
 * a whole; the last line says which range to read for them.
 */
export function rangeTable(
  read: Pick<RangeRead, 'sheet' | 'range' | 'values' | 'formulas'>,
  tokens = TABLE_TOKENS,
): string {
  const lines = tableRows(read).map((row) => row.join('\t'));
  const head = `${quoted(read.sheet)} ${read.range}`;
  let room = tokens * BYTES_PER_TOKEN - bytesOf(head);
  const fits = lines.findIndex((line) => (room -= bytesOf(line) + 1) < 0);
  // Always has the first row: an empty answer would make the caller retry forever.
  const shown = fits < 0 ? lines.length : Math.max(2, fits);
  if (shown >= lines.length) return [head, ...lines].join('\n');
  const area = areaOf(read.range);
  const left = area === null ? null : nextRange(firstPart([area], (shown - 1) * area.columns).rest);
  const note = `… ${lines.length - shown} more rows${left === null ? '' : `: read ${left}`}`;
  return [head, ...lines.slice(0, shown), note].join('\n');
}

/** A text in a card never looks like a number, a formula or another cell: texts alone are in quotation marks. */
const LONGEST_SHOWN = 120;
function shownWords(value: CellInput | CellValue, formula?: string): string {
  if (formula !== undefined) return quoted(formula, LONGEST_SHOWN).slice(1, -1);
  if (value === null || value === '') return 'empty';
  if (typeof value === 'string') return quoted(value, LONGEST_SHOWN);
  return quoted(plainWords(value), LONGEST_SHOWN).slice(1, -1);
}

/** More than a person reads; what they most need to see comes first. */
const MOST_SHOWN = 30;
export const firstShown = <T>(all: readonly T[]): { readonly changes: T[]; readonly more: number } => ({
  changes: all.slice(0, MOST_SHOWN),
  more: Math.max(0, all.length - MOST_SHOWN),
});

/**
 * What a write changes: cells that are overwritten first, then formulas, then the rest. `isMasked`: what is written is not shown.
 */
export function cellChanges(
  values: ReadonlyArray<readonly CellInput[]>,
  before: Pick<CellsBefore, 'range' | 'formulas'> & Pick<RangeRead, 'values'>,
  isMasked = false,
) {
  const area = areaOf(before.range) ?? { row: 1, column: 1 };
  const all = values.flatMap((row, r) =>
    row.flatMap((after, c) => {
      if (after === null) return [];
      const cell = cellName(area.row + r, area.column + c);
      const was = before.values[r]?.[c] ?? null;
      const formula = before.formulas[cell];
      const rank = was !== null || formula !== undefined ? 0 : typeof after === 'object' && 'formula' in after ? 1 : 2;
      return [{ cell, was, formula, after, rank }];
    }),
  );
  const { changes, more } = firstShown(all.sort((a, b) => a.rank - b.rank));
  const shown = changes.map(({ cell, was, formula, after }) => ({
    cell,
    before: shownWords(was, formula),
    after: isMasked ? '••••' : shownWords(after),
  }));
  return { changes: shown, more };
}
