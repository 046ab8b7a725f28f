/** How cells look: one row a format, with the object and member that has it and what is put. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
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
  const rows: Array<{ name: string; object: Dispatch; member: string; value: GridValue }> = [];
  for (const [name, [of, member, value]] of Object.entries(FORMATS)) {
    const wish = given[name];
    if (wish === undefined) continue;
    const object = of === '' ? range : await range.object(of);
    const isNone = name === 'fill' && wish === 'none';
    rows.push(
      isNone
        ? { name, object, member: 'Pattern', value: NONE }
        : { name, object, member, value: value?.(wish) ?? wish },
    );
  }
  const fits = given['autofit'];
  const now = async (): Promise<State> => {
    const state: Record<string, State[string]> = {};
    for (const { name, object, member, value } of rows) {
      const read = await object.get(member);
      const isRounded = Math.abs(Number(read ?? NaN) - Number(value)) <= (ROUNDED[name] ?? 0);
      state[name] = (isRounded ? value : (read ?? 'mixed')) as State[string];
    }
    if (fits !== undefined) state['points'] = Number(await range.get(fits === 'rows' ? 'Height' : 'Width'));
    return state;
  };
  const words = [...Object.keys(FORMATS), 'autofit'].flatMap((name) => {
    const wish = given[name];
    if (wish === undefined) return [];
    const label = name.replace('numberFormat', 'number format').replace('valign', 'vertical align');
    return typeof wish === 'boolean'
      ? `${label} ${wish ? 'on' : 'off'}`
      : `${label} ${typeof wish === 'string' ? quoted(wish, 40) : Number(wish)}`;
  });
  return onCells(cells, 'format', {
    how: `: ${words.join(', ')}`,
    now,
    wanted: Object.assign(await now(), ...rows.map(({ name, value }) => ({ [name]: value }))) as State,
    // What fits is known afterwards.
    isOpen: fits !== undefined,
    isRight: (_, after) => rows.every(({ name, value }) => after[name] === value),
    async act() {
      for (const { object, member, value } of rows) await at.set(object, member, value);
      if (fits !== undefined)
        await at.run(await range.object(fits === 'rows' ? 'EntireRow' : 'EntireColumn', 'Range'), 'AutoFit');
    },
  });
}
