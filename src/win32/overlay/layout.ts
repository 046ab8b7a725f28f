/** The layout of a card: places and sizes of its texts, picture and buttons. */
import type { ApprovalScope } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { DENY_ALL, FOCUS_KEYS, MINUTES, scopeLabel, STOP_KEYS, type CardSection, type CardText } from './card-text.ts';

/** Layouts are in pixels of the monitor; the constants are sizes at 96 DPI. */

export type FontName = 'caption' | 'title' | 'text' | 'strong' | 'code' | 'button' | 'small';

/** Size of a text that wraps at `width` (without: a single line). */
type Measure = (text: string, font: FontName, width?: number) => { readonly width: number; readonly height: number };

export type Item =
  | {
      readonly kind: 'text';
      readonly rect: Rect;
      readonly text: string;
      readonly font: FontName;
      readonly colour: 'text' | 'secondary' | 'risk-text' | 'chosen-text';
    }
  | { readonly kind: 'box'; readonly rect: Rect; readonly look: 'panel' | 'risk' | 'tag' | 'quote-bar' | 'bullet' }
  | { readonly kind: 'picture'; readonly rect: Rect };

export type ControlId = 'deny' | 'deny-all' | 'approve' | 'stop' | `scope:${ApprovalScope}` | `minutes:${number}`;

export interface Control {
  readonly id: ControlId;
  readonly rect: Rect;
  readonly label: string;
}

export interface CardLayout {
  readonly width: number;
  readonly height: number;
  /** Stays in place. */
  readonly header: readonly Item[];
  /** Scrolls; coordinates at scroll position 0. */
  readonly body: readonly Item[];
  readonly bodyRect: Rect;
  /** Height of the whole body; it scrolls if that exceeds `bodyRect`. */
  readonly bodyHeight: number;
  readonly footer: readonly Item[];
  /** In the order of the Tab key. */
  readonly controls: readonly Control[];
  /** Places of the countdown's bar and text. */
  readonly countdownBar: Rect;
  readonly countdownText: Rect;
}

export interface LayoutOptions {
  readonly text: CardText;
  /** `1 of 3`, or '' for a single card. */
  readonly position: string;
  readonly scopes: readonly ApprovalScope[];
  readonly chosenScope: ApprovalScope;
  /** What an approval of that scope covers. */
  readonly covers: string;
  /** Why the card can only be denied; null if it can be approved. */
  readonly onlyDeny: string | null;
  readonly picture: { readonly width: number; readonly height: number } | null;
  /** An agent asks, whose other cards can be denied with this one. */
  readonly canDenyAll?: boolean;
  /** DPI / 96. */
  readonly scale: number;
  readonly maxHeight: number;
  readonly maxWidth: number;
  readonly measure: Measure;
}

const WIDTH = 480;
const PAD = 20;
const GAP = 12;
const PICTURE_HEIGHT = 130;
const BUTTON_HEIGHT = 40;
const CHIP_HEIGHT = 28;
const MIN_BODY = 96;
const TITLE_LINES = 4;
/** Paddings of a table's cells, and the width of its first column: the longest address, XFD1048576. */
const CELL_PAD = 10;
const CELL_GAP = 10;
const FIRST_COLUMN = 84;

/** One part of a card, filled downwards from its own top. */
class Column {
  readonly items: Item[] = [];
  readonly width: number;
  readonly left: number;
  /** Width between the margins. */
  readonly inner: number;
  readonly measure: Measure;
  readonly #scale: number;
  y = 0;

  constructor({ scale, maxWidth, measure }: LayoutOptions) {
    this.#scale = scale;
    this.measure = measure;
    this.width = Math.min(this.px(WIDTH), maxWidth);
    this.left = this.px(PAD);
    this.inner = this.width - 2 * this.left;
  }

  px(size: number): number {
    return Math.round(size * this.#scale);
  }

  skip(size: number): void {
    this.y += this.px(size);
  }

  /** A text that wraps, `indent` to the right of the margin. */
  put(text: string, font: FontName, colour: 'text' | 'secondary', indent = 0): void {
    const width = this.inner - this.px(indent);
    const { height } = this.measure(text, font, width);
    this.text(text, font, colour, { x: this.left + this.px(indent), y: this.y, width, height });
    this.y += height;
  }

  text(text: string, font: FontName, colour: Extract<Item, { kind: 'text' }>['colour'], rect: Rect): void {
    this.items.push({ kind: 'text', rect, text, font, colour });
  }

  box(look: Extract<Item, { kind: 'box' }>['look'], rect: Rect): void {
    this.items.push({ kind: 'box', rect, look });
  }
}

/** Lays out the card. Pure: depends only on its options. */
export function layOutCard(options: LayoutOptions): CardLayout {
  const header = new Column(options);
  const isLongTitle = layOutHeader(header, options);
  const body = new Column(options);
  // A summary quotes window titles of any length; what does not fit the header continues in the body.
  if (isLongTitle) {
    body.put(options.text.summary, 'text', 'text');
    body.skip(GAP);
  }
  layOutBody(body, options);
  const footer = new Column(options);
  const { controls, countdownText } = layOutFooter(footer, options);

  const { width } = header;
  const room = Math.max(header.px(MIN_BODY), Math.floor(options.maxHeight) - header.y - footer.y);
  const bodyRect: Rect = { x: 0, y: header.y, width, height: Math.min(body.y, room) };
  const footerTop = header.y + bodyRect.height;
  const down = <T extends { readonly rect: Rect }>(item: T): T => ({
    ...item,
    rect: { ...item.rect, y: item.rect.y + footerTop },
  });
  return {
    width,
    height: footerTop + footer.y,
    header: header.items,
    body: body.items,
    bodyRect,
    bodyHeight: body.y,
    footer: footer.items.map(down),
    controls: controls.map(down),
    countdownBar: { x: 0, y: 0, width, height: header.px(4) },
    countdownText: down({ rect: countdownText }).rect,
  };
}

/** Who asks, how many wait, how risky it is, and the title; true if the title is longer than its room. */
function layOutHeader(column: Column, { text, position, measure }: LayoutOptions): boolean {
  const { left, inner, width } = column;
  const px = (size: number): number => column.px(size);
  column.y = px(4) + px(16);
  const riskLabel = text.risk.toUpperCase();
  const risk = measure(riskLabel, 'caption');
  const pill: Rect = {
    x: width - left - risk.width - px(20),
    y: column.y,
    width: risk.width + px(20),
    height: risk.height + px(8),
  };
  const top = column.y + px(4);
  column.box('risk', pill);
  column.text(riskLabel, 'caption', 'risk-text', { x: pill.x + px(10), y: top, ...risk });
  const who = `UIAHOST ASKS FOR APPROVAL${position === '' ? '' : `  ·  ${position}`}`;
  const room = pill.x - left - px(8);
  column.text(who, 'caption', 'secondary', { x: left, y: top, width: room, height: risk.height });
  column.y += pill.height + px(12);

  const limit = measure('X', 'title').height * TITLE_LINES;
  const title = measure(text.summary, 'title', inner);
  const height = Math.min(title.height, limit);
  column.text(text.summary, 'title', 'text', { x: left, y: column.y, width: inner, height });
  column.y += height + px(GAP);
  return title.height > limit;
}

function layOutBody(column: Column, { text, picture }: LayoutOptions): void {
  for (const [index, line] of text.page.entries()) {
    column.put(line, index === 0 ? 'strong' : 'text', index === 0 ? 'text' : 'secondary');
    column.skip(2);
  }
  for (const line of text.where) {
    column.put(line, 'text', 'secondary');
    column.skip(2);
  }
  if (text.page.length + text.where.length > 0) column.y += column.px(GAP) - column.px(2);
  if (picture !== null) {
    const { inner } = column;
    const most = column.px(PICTURE_HEIGHT);
    const fit = Math.min(1, inner / picture.width, most / picture.height);
    const wanted = Math.round(picture.height * Math.max(fit, Math.min(1, inner / picture.width)));
    const height = Math.max(column.px(48), Math.min(most, wanted));
    column.items.push({ kind: 'picture', rect: { x: column.left, y: column.y, width: inner, height } });
    column.y += height + column.px(GAP);
  }
  for (const section of text.sections) {
    column.put(section.label, 'strong', 'text');
    column.skip(4);
    LAY_OUT_SECTION[section.form](column, section);
    column.skip(GAP);
  }
}

const LAY_OUT_SECTION: Readonly<Record<CardSection['form'], (column: Column, section: CardSection) => void>> = {
  list: layOutList,
  quote(column, { lines }) {
    const top = column.y;
    column.put(lines.join('\n'), 'text', 'secondary', 14);
    const x = column.left + column.px(2);
    column.box('quote-bar', { x, y: top, width: column.px(3), height: column.y - top });
  },
  code(column, { lines }) {
    const { left, inner, y } = column;
    const code = lines.join('\n');
    const width = inner - column.px(20);
    const { height } = column.measure(code, 'code', width);
    column.box('panel', { x: left, y, width: inner, height: height + column.px(16) });
    column.text(code, 'code', 'text', { x: left + column.px(10), y: y + column.px(8), width, height });
    column.y += height + column.px(16);
  },
  table: layOutTable,
  tags: layOutTags,
};

function layOutList(column: Column, { lines }: CardSection): void {
  for (const line of lines) {
    const dot = column.px(5);
    const { height } = column.measure('X', 'text');
    const y = column.y + Math.round((height - dot) / 2);
    column.box('bullet', { x: column.left + column.px(2), y, width: dot, height: dot });
    column.put(line, 'text', 'text', 16);
    column.skip(3);
  }
}

function layOutTags(column: Column, { lines }: CardSection): void {
  const { left, inner } = column;
  let x = left;
  const height = column.measure('X', 'small').height + column.px(8);
  for (const line of lines) {
    const width = Math.min(inner, column.measure(line, 'small').width + column.px(16));
    if (x > left && x + width > left + inner) {
      x = left;
      column.y += height + column.px(6);
    }
    column.box('tag', { x, y: column.y, width, height });
    column.text(line, 'small', 'text', {
      x: x + column.px(8),
      y: column.y + column.px(4),
      width: width - column.px(16),
      height: height - column.px(8),
    });
    x += width + column.px(6);
  }
  column.y += height;
}

/** One narrow column, and two that share the rest. */
function layOutTable(column: Column, { table, lines }: CardSection): void {
  const { left, inner, y: top } = column;
  const { rows, below } = table ?? { rows: [], below: lines };
  const [pad, gap, first] = [column.px(CELL_PAD), column.px(CELL_GAP), column.px(FIRST_COLUMN)];
  const rest = inner - 2 * pad - first - 2 * gap;
  const columns = [
    { x: left + pad, width: first },
    { x: left + pad + first + gap, width: Math.floor(rest / 2) },
    { x: left + pad + first + 2 * gap + Math.floor(rest / 2), width: Math.ceil(rest / 2) },
  ];
  // Behind the texts; its height is known at the end.
  const panel = column.items.length;
  column.y += column.px(8);
  for (const [index, row] of rows.entries()) {
    const isHead = index === 0;
    const heights = columns.map(({ x, width }, at) => {
      const text = row[at] ?? '';
      const font = isHead ? 'caption' : 'small';
      const { height } = column.measure(text, font, width);
      column.text(text, font, isHead || at === 1 ? 'secondary' : 'text', { x, y: column.y, width, height });
      return height;
    });
    column.y += Math.max(...heights) + column.px(5);
  }
  for (const line of below) {
    const width = inner - 2 * pad;
    const { height } = column.measure(line, 'small', width);
    column.text(line, 'small', 'secondary', { x: left + pad, y: column.y, width, height });
    column.y += height + column.px(5);
  }
  column.skip(3);
  const rect = { x: left, y: top, width: inner, height: column.y - top };
  column.items.splice(panel, 0, { kind: 'box', rect, look: 'panel' });
}

function layOutFooter(
  column: Column,
  options: LayoutOptions,
): { readonly controls: readonly Control[]; readonly countdownText: Rect } {
  const { left, inner, width, measure } = column;
  const px = (size: number): number => column.px(size);
  const controls: Control[] = [];
  column.y = px(GAP);
  const chips = layOutScopes(column, options);
  const half = Math.floor((inner - px(10)) / 2);
  const button = { y: column.y, width: half, height: px(BUTTON_HEIGHT) };
  controls.push({ id: 'deny', label: 'Deny', rect: { x: left, ...button } });
  if (options.onlyDeny === null)
    controls.push({ id: 'approve', label: 'Approve', rect: { x: left + inner - half, ...button } });
  controls.push(...chips);
  column.y += button.height + px(10);
  const stopLabel = 'Stop everything';
  const stop = measure(stopLabel, 'small');
  const small = { y: column.y, height: px(CHIP_HEIGHT) };
  const stopWidth = stop.width + px(20);
  const stopRect: Rect = { x: width - left - stopWidth, width: stopWidth, ...small };
  if (options.canDenyAll === true) {
    const wanted = measure(DENY_ALL, 'small').width + px(20);
    const room = stopRect.x - left - px(8);
    controls.push({ id: 'deny-all', label: DENY_ALL, rect: { x: left, width: Math.min(wanted, room), ...small } });
  }
  controls.push({ id: 'stop', label: stopLabel, rect: stopRect });
  column.y += px(CHIP_HEIGHT) + px(6);
  const countdownText: Rect = { x: left, y: column.y, width: inner, height: stop.height };
  column.y += stop.height + px(1);
  column.put(`Keyboard: ${FOCUS_KEYS}  ·  Stop: ${STOP_KEYS}`, 'caption', 'secondary');
  column.skip(12);
  return { controls, countdownText };
}

/** What an approval covers, with a chip for each choice; or why there is none. */
function layOutScopes(column: Column, { onlyDeny, scopes, chosenScope, covers }: LayoutOptions): Control[] {
  const chips = (entries: ReadonlyArray<readonly [ControlId, string]>): Control[] => {
    let x = column.left;
    const placed = entries.map(([id, label]) => {
      const width = column.measure(label, 'small').width + column.px(20);
      const chip: Control = { id, label, rect: { x, y: column.y, width, height: column.px(CHIP_HEIGHT) } };
      x += width + column.px(6);
      return chip;
    });
    column.y += column.px(CHIP_HEIGHT) + column.px(8);
    return placed;
  };
  if (onlyDeny !== null) {
    column.put(onlyDeny, 'small', 'secondary');
    column.skip(8);
    return [];
  }
  if (scopes.length <= 1) return [];
  column.put(`An approval covers: ${covers}`, 'small', 'text');
  column.skip(4);
  const found = chips(scopes.map((scope) => [`scope:${scope}`, scopeLabel(scope)] as const));
  if (chosenScope === 'window')
    found.push(...chips(MINUTES.map((minutes) => [`minutes:${minutes}`, `${minutes} min`] as const)));
  column.skip(2);
  return found;
}

/** How far the body can be scrolled. */
export function maxScroll({ bodyHeight, bodyRect }: CardLayout): number {
  return Math.max(0, bodyHeight - bodyRect.height);
}

/** The part of a picture to show in a box: the target's surroundings at most life-size, or without a target the whole picture as large as it fits. */
export function pictureCrop(
  picture: { width: number; height: number },
  outline: Rect | null,
  box: { width: number; height: number },
  margin: number,
): { from: Rect; zoom: number } {
  const whole = Math.min(1, box.width / picture.width, box.height / picture.height);
  const zoom =
    outline === null
      ? whole
      : Math.max(
          whole,
          Math.min(1, box.width / (outline.width + 2 * margin), box.height / (outline.height + 2 * margin)),
        );
  const width = Math.min(picture.width, Math.round(box.width / zoom));
  const height = Math.min(picture.height, Math.round(box.height / zoom));
  const centre =
    outline === null
      ? { x: picture.width / 2, y: picture.height / 2 }
      : { x: outline.x + outline.width / 2, y: outline.y + outline.height / 2 };
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, Math.round(value)));
  return {
    from: {
      x: clamp(centre.x - width / 2, picture.width - width),
      y: clamp(centre.y - height / 2, picture.height - height),
      width,
      height,
    },
    zoom,
  };
}
