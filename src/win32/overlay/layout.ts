/** The layout of a card: places and sizes of its texts, picture and buttons. */
import type { ApprovalScope } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { fill, type CardWords } from '../../contract/gate/card-words.ts';
import { anchored, MINUTES, scopeLabel, type CardSection, type CardText } from '../../contract/gate/card-text.ts';

/** Layouts are in pixels of the monitor; the constants are sizes at 96 DPI. */

export type FontName = 'caption' | 'title' | 'text' | 'strong' | 'code' | 'button' | 'small' | 'strip';

/** Size of a text that wraps at `width` (without: a single line). */
type Measure = (text: string, font: FontName, width?: number) => { readonly width: number; readonly height: number };

export type Item =
  | {
      readonly kind: 'text';
      readonly rect: Rect;
      readonly text: string;
      readonly font: FontName;
      readonly colour: 'text' | 'secondary' | 'risk-text';
    }
  | { readonly kind: 'box'; readonly rect: Rect; readonly look: 'panel' | 'risk' | 'tag' | 'quote-bar' | 'bullet' }
  | { readonly kind: 'picture'; readonly rect: Rect };

export type ControlId =
  | 'deny'
  | 'deny-all'
  | 'approve'
  | 'details'
  | 'stop'
  | `scope:${ApprovalScope}`
  | `minutes:${number}`;

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
  /** Height of the part that must have been on the screen before Approve counts: all but what folds out. */
  readonly mustSee: number;
  readonly footer: readonly Item[];
  /** In the order of the Tab key. */
  readonly controls: readonly Control[];
  /** Places of the countdown's bar and text, and of the notices. */
  readonly countdownBar: Rect;
  readonly countdownText: Rect;
  readonly notice: Rect;
}

export interface LayoutOptions {
  readonly text: CardText;
  readonly words: CardWords;
  /** Whether the details are folded out. */
  readonly isOpen: boolean;
  /** `1/3`, or '' for a single card. */
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

const WIDTH = 420;
/** A card to read in five seconds, and one with texts, commands or details to read. */
const SHORT = 420;
const TALL = 640;
const PAD = 16;
const GAP = 8;
const PICTURE_HEIGHT = 84;
const LOW_PICTURE = 44;
const BUTTON_HEIGHT = 34;
const CHIP_HEIGHT = 24;
const MIN_BODY = 96;
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
  const countdownText = layOutHeader(header, options);
  const footer = new Column(options);
  const { controls, notice } = layOutFooter(footer, options);

  const { width } = header;
  const most = header.px(options.isOpen || options.text.exact.length > 0 ? TALL : SHORT);
  const room = Math.max(header.px(MIN_BODY), Math.floor(Math.min(options.maxHeight, most)) - header.y - footer.y);
  let body = layOutBody(options, header.px(PICTURE_HEIGHT));
  // A lower picture is better than a card that must be scrolled.
  if (body.y > room)
    body = layOutBody(options, Math.max(header.px(LOW_PICTURE), header.px(PICTURE_HEIGHT) - (body.y - room)));
  const mustSee = body.y;
  if (options.isOpen) for (const section of options.text.details) layOutSection(body, section);
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
    mustSee,
    footer: footer.items.map(down),
    controls: controls.map(down),
    countdownBar: { x: 0, y: 0, width, height: header.px(4) },
    countdownText,
    notice: down({ rect: notice }).rect,
  };
}

/** Who asks, how many wait, how much time is left and how risky it is. Returns the place of the time. */
function layOutHeader(column: Column, { text, words, position, measure }: LayoutOptions): Rect {
  const { left, width } = column;
  const px = (size: number): number => column.px(size);
  column.y = px(4) + px(8);
  const riskLabel = text.risk.toUpperCase();
  const risk = measure(riskLabel, 'caption');
  const pill: Rect = {
    x: width - left - risk.width - px(16),
    y: column.y,
    width: risk.width + px(16),
    height: risk.height + px(6),
  };
  const line = { y: column.y + px(3), height: risk.height };
  column.box('risk', pill);
  column.text(riskLabel, 'caption', 'risk-text', { x: pill.x + px(8), ...line, width: risk.width });
  const clock = measure(fill(words, words.ui.clock, { time: '00:00' }), 'caption').width;
  const time: Rect = { x: Math.max(left, pill.x - px(10) - clock), ...line, width: clock };
  const who = `${words.ui.header}${position === '' ? '' : ` · ${position}`}`;
  const room = time.x - left - px(8);
  if (room > 0) column.text(who, 'caption', 'secondary', { x: left, ...line, width: room });
  column.y += pill.height + px(6);
  return time;
}

/** The sentence, the picture, the reason, and what exactly is typed or started. */
function layOutBody(options: LayoutOptions, pictureHeight: number): Column {
  const { text, picture } = options;
  const column = new Column(options);
  column.put(anchored(text.sentence), 'title', 'text');
  for (const line of text.notes) {
    column.skip(2);
    column.put(anchored(line), 'small', 'secondary');
  }
  column.skip(6);
  if (picture !== null) {
    const { inner } = column;
    const most = pictureHeight;
    const fit = Math.min(1, inner / picture.width, most / picture.height);
    const wanted = Math.round(picture.height * Math.max(fit, Math.min(1, inner / picture.width)));
    const height = Math.max(column.px(LOW_PICTURE), Math.min(most, wanted));
    column.items.push({ kind: 'picture', rect: { x: column.left, y: column.y, width: inner, height } });
    column.y += height + column.px(6);
  }
  column.put(text.why, 'text', 'text');
  column.skip(GAP);
  for (const section of text.exact) layOutSection(column, section);
  return column;
}

function layOutSection(column: Column, section: CardSection): void {
  column.put(section.label, 'strong', 'text');
  column.skip(3);
  if (section.lines.length > 0) LAY_OUT_SECTION[section.form](column, section);
  column.skip(GAP);
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
): { readonly controls: readonly Control[]; readonly notice: Rect } {
  const { left, inner, width, measure } = column;
  const { ui } = options.words;
  const px = (size: number): number => column.px(size);
  const controls: Control[] = [];
  column.y = px(6);
  const chips = layOutScopes(column, options);
  const half = Math.floor((inner - px(10)) / 2);
  const button = { y: column.y, width: half, height: px(BUTTON_HEIGHT) };
  controls.push({ id: 'deny', label: ui.deny, rect: { x: left, ...button } });
  if (options.onlyDeny === null)
    controls.push({ id: 'approve', label: ui.approve, rect: { x: left + inner - half, ...button } });
  controls.push(...chips);
  column.y += button.height + px(6);
  controls.push(...layOutSmallButtons(column, options));
  column.y += px(CHIP_HEIGHT) + px(4);
  const line = measure('X', 'caption').height;
  // Two lines: some notices are a long sentence.
  const notice: Rect = { x: left, y: column.y, width: width - 2 * left, height: 2 * line };
  column.y += notice.height + px(6);
  return { controls, notice };
}

/** Details on the left; on the right what ends everything. Each is as wide as its label where there is room, else they share it. */
function layOutSmallButtons({ left, inner, y, measure }: Column, options: LayoutOptions): Control[] {
  const { ui } = options.words;
  const scaled = (size: number): number => Math.round(size * options.scale);
  const labels: ReadonlyArray<readonly [ControlId, string]> = [
    ['details', `${ui.more} ${options.isOpen ? '\u25b4' : '\u25be'}`],
    ...(options.canDenyAll === true ? [['deny-all', ui.denyAll] as const] : []),
    ['stop', ui.stop],
  ];
  const gap = scaled(6);
  const wanted = labels.map(([, label]) => measure(label, 'small').width + scaled(16));
  const room = inner - gap * (labels.length - 1);
  const share = Math.min(1, room / wanted.reduce((sum, each) => sum + each, 0));
  let x = left;
  return labels.map(([id, label], index) => {
    const width = Math.floor((wanted[index] ?? 0) * share);
    const isLast = index === labels.length - 1;
    const rect = { x: isLast ? left + inner - width : x, y, width, height: scaled(CHIP_HEIGHT) };
    x += width + gap;
    return { id, label, rect };
  });
}

/** A chip for each choice, and what an approval covers where that is more than one action; or why there is none. */
function layOutScopes(column: Column, options: LayoutOptions): Control[] {
  const { onlyDeny, scopes, chosenScope, covers, words } = options;
  const chips = (entries: ReadonlyArray<readonly [ControlId, string]>): Control[] => {
    let x = column.left;
    const placed = entries.map(([id, label]) => {
      const width = column.measure(label, 'small').width + column.px(16);
      const chip: Control = { id, label, rect: { x, y: column.y, width, height: column.px(CHIP_HEIGHT) } };
      x += width + column.px(6);
      return chip;
    });
    column.y += column.px(CHIP_HEIGHT) + column.px(6);
    return placed;
  };
  if (onlyDeny !== null) {
    column.put(onlyDeny, 'small', 'secondary');
    column.skip(6);
    return [];
  }
  // A card that offers one lasting scope alone says what it covers as well.
  if (chosenScope !== 'once') {
    column.put(fill(words, words.ui.covers, { what: covers }), 'small', 'text');
    column.skip(4);
  }
  if (scopes.length <= 1) return [];
  const found = chips(scopes.map((scope) => [`scope:${scope}`, scopeLabel(scope, words)] as const));
  if (chosenScope === 'window')
    found.push(
      ...chips(
        MINUTES.map((count) => [`minutes:${count}`, fill(words, words.ui.minutes, { count: String(count) })] as const),
      ),
    );
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
