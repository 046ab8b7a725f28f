/** The layout of a table on a card: one narrow column, and two that share the rest. Pure. */
import type { CardSection } from './card-text.ts';
import type { Item, Measure } from './layout-items.ts';

interface Place {
  readonly body: Item[];
  /** Top of the table. */
  readonly y: number;
  readonly left: number;
  readonly inner: number;
  readonly px: (size: number) => number;
  readonly measure: Measure;
}

const PAD = 10;
const GAP = 10;
/** The longest address, XFD1048576. */
const FIRST_COLUMN = 84;

/** Adds the table to the body, and returns the place below it. */
export function layOutTable({ table, lines }: CardSection, { body, y: top, left, inner, px, measure }: Place): number {
  const { rows, below } = table ?? { rows: [], below: lines };
  const first = px(FIRST_COLUMN);
  const rest = inner - 2 * px(PAD) - first - 2 * px(GAP);
  const columns = [
    { x: left + px(PAD), width: first },
    { x: left + px(PAD) + first + px(GAP), width: Math.floor(rest / 2) },
    { x: left + px(PAD) + first + 2 * px(GAP) + Math.floor(rest / 2), width: Math.ceil(rest / 2) },
  ];
  const items: Item[] = [];
  let y = top + px(8);
  for (const [index, row] of rows.entries()) {
    const isHead = index === 0;
    const cells = columns.map(({ x, width }, at) => {
      const text = row[at] ?? '';
      const font = isHead ? ('caption' as const) : ('small' as const);
      const { height } = measure(text, font, width);
      const colour = isHead || at === 1 ? ('secondary' as const) : ('text' as const);
      return { kind: 'text' as const, rect: { x, y, width, height }, text, font, colour };
    });
    items.push(...cells);
    y += Math.max(...cells.map(({ rect }) => rect.height)) + px(5);
  }
  for (const line of below) {
    const width = inner - 2 * px(PAD);
    const { height } = measure(line, 'small', width);
    items.push({
      kind: 'text',
      rect: { x: left + px(PAD), y, width, height },
      text: line,
      font: 'small',
      colour: 'secondary',
    });
    y += height + px(5);
  }
  y += px(3);
  body.push({ kind: 'box', rect: { x: left, y: top, width: inner, height: y - top }, look: 'panel' }, ...items);
  return y;
}
