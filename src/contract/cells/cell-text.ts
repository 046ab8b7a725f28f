/** Cells as text: a table with its addresses for models and for people, and changes of a write, cell by cell. */
import { cellName, columnName, firstPart, nextRange, parseAddress, type CellArea } from './cell-address.ts';
import { needsApostrophe } from './cell-literal.ts';
import { jsonText, quoted, visible } from '../json/quoted.ts';
import type { CellInput, CellsBefore, CellValue, RangeRead } from './sheet.ts';

/** The rectangle of an address as an answer gives it; null for anything else. */
export function areaOf(range: string): CellArea | null {
  try {
    const address = parseAddress(range);
    return address.kind === 'areas' ? address.areas[0] : null;
  } catch {
    return null;
  }
}

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

/** One cell before and after a write. */
export interface CellChange {
  readonly cell: string;
  readonly before: string;
  readonly after: string;
}

/** More than a person reads; what they most need to see comes first. */
const MOST_SHOWN = 30;

/**
 * What a write changes: cells that are overwritten first, then formulas, then the rest. `isMasked`: what is written is not shown.
 */
export function cellChanges(
  values: ReadonlyArray<readonly CellInput[]>,
  before: Pick<CellsBefore, 'range' | 'formulas'> & Pick<RangeRead, 'values'>,
  isMasked = false,
): { readonly changes: CellChange[]; readonly more: number } {
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
  const changes = all
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_SHOWN)
    .map(({ cell, was, formula, after }) => ({
      cell,
      before: shownWords(was, formula),
      after: isMasked ? '••••' : shownWords(after),
    }));
  return { changes, more: all.length - changes.length };
}
