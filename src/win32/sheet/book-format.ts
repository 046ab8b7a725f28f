/** How cells look: one row a format, with the member that has it, what is put and what is read. */
import type { GridValue } from '../../../native-bindings/com/variant-grid.ts';
import { formatArea } from '../../contract/cells/cell-address.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { At, Plan, State } from './book-op.ts';
import { findRange, oneArea, rangeAt } from './find-range.ts';
import { addressText } from './read-range.ts';
import { assertWritable } from './write-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.constants (xlNone, alignments), .../excel.xllinestyle, .../excel.xlpattern */
const NONE = -4142;
const CONTINUOUS = 1;
const ALIGNMENTS = { left: -4131, center: -4108, right: -4152, top: -4160, bottom: -4107 } as const;

/** Colours are blue, green, red in one number: https://learn.microsoft.com/office/vba/api/excel.font.color */
const bgr = (hex: string): number => Number.parseInt(hex.slice(5, 7) + hex.slice(3, 5) + hex.slice(1, 3), 16);

interface Format {
  /** The object of the range that has it; empty for the range itself. */
  readonly of: '' | 'Font' | 'Interior' | 'Borders';
  readonly member: string;
  /** As it is put; default: as it was given. */
  value?(given: never): GridValue;
}

const choice =
  (names: Readonly<Record<string, number>>) =>
  (given: string): number =>
    names[given]!;

/** https://learn.microsoft.com/office/vba/api/excel.range(object), .../excel.font(object), .../excel.interior(object), .../excel.borders */
const FORMATS: Readonly<Record<string, Format>> = {
  numberFormat: { of: '', member: 'NumberFormat' },
  bold: { of: 'Font', member: 'Bold' },
  italic: { of: 'Font', member: 'Italic' },
  size: { of: 'Font', member: 'Size' },
  font: { of: 'Font', member: 'Name' },
  color: { of: 'Font', member: 'Color', value: bgr },
  fill: { of: 'Interior', member: 'Color', value: bgr },
  border: { of: 'Borders', member: 'LineStyle', value: choice({ none: NONE, thin: CONTINUOUS }) },
  align: { of: '', member: 'HorizontalAlignment', value: choice(ALIGNMENTS) },
  valign: { of: '', member: 'VerticalAlignment', value: choice(ALIGNMENTS) },
  wrap: { of: '', member: 'WrapText' },
  width: { of: '', member: 'ColumnWidth' },
  height: { of: '', member: 'RowHeight' },
};
const NO_FILL: Format = { of: 'Interior', member: 'Pattern', value: () => NONE };

/** The widths of columns and the heights of rows are rounded to pixels. */
const ROUNDED: Readonly<Record<string, number>> = { width: 0.1, height: 0.4 };

/** A few columns or rows are asked one by one. */
const MOST_FITTED = 50;

export async function format(at: At): Promise<Plan> {
  const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
  const area = oneArea(found);
  const range = at.own(await rangeAt(found.sheet, formatArea(area)));
  await assertWritable(found, range);
  const given = at.wish as Readonly<Record<string, unknown>>;
  const rows = Object.keys(given).flatMap((name) => {
    const one = name === 'fill' && given[name] === 'none' ? NO_FILL : FORMATS[name];
    if (one === undefined || given[name] === undefined) return [];
    const value = (one.value?.(given[name] as never) ?? given[name]) as GridValue;
    return [{ name, ...one, value }];
  });
  const objects = new Map<string, typeof range>([['', range]]);
  for (const { of } of rows) if (!objects.has(of)) objects.set(of, at.own(await range.object(of, of)));
  const fits = given['autofit'] as 'columns' | 'rows' | undefined;
  const count = fits === undefined ? 0 : Math.min(MOST_FITTED, fits === 'rows' ? area.rows : area.columns);
  const sizeAt = async (index: number): Promise<number> => {
    const one =
      fits === 'rows'
        ? { ...area, row: area.row + index, rows: 1 }
        : { ...area, column: area.column + index, columns: 1 };
    using line = await rangeAt(found.sheet, formatArea(one));
    return Number(await line.get(fits === 'rows' ? 'RowHeight' : 'ColumnWidth'));
  };
  const words = (value: unknown): string | number | boolean =>
    value === null
      ? 'mixed'
      : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : String(value);
  const now = async (): Promise<State> => {
    const state: Record<string, string | number | boolean> = {};
    for (const { name, of, member, value } of rows) {
      const read = await objects.get(of)!.get(member);
      const isWished =
        typeof read === 'number' && typeof value === 'number' && Math.abs(read - value) <= (ROUNDED[name] ?? 0);
      state[name] = words(isWished ? value : read);
    }
    for (let index = 0; index < count; index += 1) state[`${fits} ${index + 1}`] = await sizeAt(index);
    return state;
  };
  const wished = rows.map(
    ({ name }) => `${name} ${typeof given[name] === 'string' ? quoted(given[name], 40) : String(given[name])}`,
  );
  return {
    what: `format ${quoted(found.sheetName)} ${addressText(area)} (${area.rows * area.columns} cells): ${[...wished, ...(fits === undefined ? [] : [`autofit ${fits}`])].join(', ')}`,
    sheet: found.sheetName,
    range: addressText(area),
    now,
    wanted: (before) => ({ ...before, ...Object.fromEntries(rows.map(({ name, value }) => [name, words(value)])) }),
    // What fits is known afterwards.
    isOpen: fits !== undefined,
    verdict: (before, after) => {
      const isRight = rows.every(({ name, value }) => after[name] === words(value));
      const isSame = Object.keys(after).every((label) => after[label] === before[label]);
      return !isRight ? 'unverified' : isSame ? 'unchanged' : 'changed';
    },
    async act() {
      for (const { of, member, value } of rows) await at.set(objects.get(of)!, member, value);
      if (fits === undefined) return;
      using lines = await range.object(fits === 'rows' ? 'EntireRow' : 'EntireColumn', 'Range');
      await at.run(lines, 'AutoFit');
    },
  };
}
