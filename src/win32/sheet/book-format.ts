/** How cells look: one row a format, with the object and member that has it and what is put. */
import type { GridValue } from '../../../native-bindings/com/variant-grid.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { cellsOf, onCells, type At, type Plan, type State } from './book-op.ts';

/** https://learn.microsoft.com/office/vba/api/excel.constants (xlNone, alignments), .../excel.xllinestyle */
const NONE = -4142;
const CONTINUOUS = 1;
const CONSTANTS: Readonly<Record<string, number>> = {
  none: NONE,
  thin: CONTINUOUS,
  left: -4131,
  center: -4108,
  right: -4152,
  top: -4160,
  bottom: -4107,
};
const constant = (given: GridValue): GridValue => CONSTANTS[String(given)]!;

/** Colours are blue, green, red in one number: https://learn.microsoft.com/office/vba/api/excel.font.color */
const bgr = (given: GridValue): GridValue => Number.parseInt(String(given).replace(/^#(..)(..)(..)$/, '$3$2$1'), 16);

/** The member, and the object of the range that has it. https://learn.microsoft.com/office/vba/api/excel.range(object), .../excel.font(object), .../excel.interior(object), .../excel.borders */
const FORMATS: Readonly<
  Record<string, readonly [of: string, member: string, value?: (given: GridValue) => GridValue]>
> = {
  numberFormat: ['', 'NumberFormat'],
  bold: ['Font', 'Bold'],
  italic: ['Font', 'Italic'],
  size: ['Font', 'Size'],
  font: ['Font', 'Name'],
  color: ['Font', 'Color', bgr],
  fill: ['Interior', 'Color', bgr],
  border: ['Borders', 'LineStyle', constant],
  align: ['', 'HorizontalAlignment', constant],
  valign: ['', 'VerticalAlignment', constant],
  wrap: ['', 'WrapText'],
  width: ['', 'ColumnWidth'],
  height: ['', 'RowHeight'],
};

/** The widths of columns and the heights of rows are rounded to pixels. */
const ROUNDED: Readonly<Record<string, number>> = { width: 0.1, height: 0.4 };

export async function format(at: At): Promise<Plan> {
  const cells = await cellsOf(at);
  const { range } = cells;
  const given = at.wish as Readonly<Record<string, GridValue>>;
  const rows = Object.entries(FORMATS).flatMap(([name, [of, member, value]]) => {
    const wish = given[name];
    if (wish === undefined) return [];
    return name === 'fill' && wish === 'none'
      ? [{ name, of, member: 'Pattern', value: NONE }]
      : [{ name, of, member, value: value?.(wish) ?? wish }];
  });
  const objects = new Map([['', range]]);
  for (const { of } of rows) if (!objects.has(of)) objects.set(of, at.own(await range.object(of, of)));
  const fits = given['autofit'];
  const now = async (): Promise<State> => {
    const state: Record<string, State[string]> = {};
    for (const { name, of, member, value } of rows) {
      const read = await objects.get(of)!.get(member);
      const isRounded = Math.abs(Number(read ?? NaN) - Number(value)) <= (ROUNDED[name] ?? 0);
      state[name] = (isRounded ? value : (read ?? 'mixed')) as State[string];
    }
    if (fits !== undefined) state['points'] = Number(await range.get(fits === 'rows' ? 'Height' : 'Width'));
    return state;
  };
  const before = await now();
  const wished = [...rows.map(({ name }) => name), ...(fits === undefined ? [] : ['autofit'])];
  const words = wished.map((name) => {
    const value = given[name];
    return `${name} ${typeof value === 'string' ? quoted(value, 40) : String(value)}`;
  });
  const plan = onCells(cells, 'format', {
    now,
    wanted: { ...before, ...Object.fromEntries(rows.map(({ name, value }) => [name, value as State[string]])) },
    // What fits is known afterwards.
    isOpen: fits !== undefined,
    isRight: (_, after) => rows.every(({ name, value }) => after[name] === value),
    async act() {
      for (const { of, member, value } of rows) await at.set(objects.get(of)!, member, value);
      if (fits !== undefined)
        await at.run(at.own(await range.object(fits === 'rows' ? 'EntireRow' : 'EntireColumn', 'Range')), 'AutoFit');
    },
  });
  return { ...plan, what: `${plan.what}: ${words.join(', ')}` };
}
