/** The layout of a card: places and sizes of its texts, picture and buttons. */
import type { ApprovalScope } from '../../contract/gate/approval.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { DENY_ALL, FOCUS_KEYS, MINUTES, scopeLabel, STOP_KEYS, type CardText } from './card-text.ts';
import type { FontName, Item, Measure } from './layout-items.ts';
import { layOutTable } from './table-layout.ts';

/** Layouts are in pixels of the monitor; the constants are sizes at 96 DPI. */

export type { FontName, Item, Measure } from './layout-items.ts';

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

/** Lays out the card. Pure: depends only on its options. */
export function layOutCard(options: LayoutOptions): CardLayout {
  const { text, scale, measure } = options;
  const px = (size: number): number => Math.round(size * scale);
  const width = Math.min(px(WIDTH), options.maxWidth);
  const left = px(PAD);
  const inner = width - 2 * left;

  const header: Item[] = [];
  const countdownBar: Rect = { x: 0, y: 0, width, height: px(4) };
  let y = px(4) + px(16);

  // Who asks, how many wait, and how risky it is.
  const riskLabel = text.risk.toUpperCase();
  const risk = measure(riskLabel, 'caption');
  const pill: Rect = {
    x: width - left - risk.width - px(20),
    y,
    width: risk.width + px(20),
    height: risk.height + px(8),
  };
  header.push({ kind: 'box', rect: pill, look: 'risk' });
  header.push({
    kind: 'text',
    rect: { x: pill.x + px(10), y: y + px(4), width: risk.width, height: risk.height },
    text: riskLabel,
    font: 'caption',
    colour: 'risk-text',
  });
  const who = `UIAHOST ASKS FOR APPROVAL${options.position === '' ? '' : `  ·  ${options.position}`}`;
  header.push({
    kind: 'text',
    rect: { x: left, y: y + px(4), width: pill.x - left - px(8), height: risk.height },
    text: who,
    font: 'caption',
    colour: 'secondary',
  });
  y += pill.height + px(12);

  const put = (
    into: Item[],
    words: string,
    font: FontName,
    colour: 'text' | 'secondary',
    x = left,
    room = inner,
  ): number => {
    const { height } = measure(words, font, room);
    into.push({ kind: 'text', rect: { x, y, width: room, height }, text: words, font, colour });
    y += height;
    return height;
  };

  // A summary quotes window titles of any length; what does not fit the header continues in the body.
  const titleLimit = measure('X', 'title').height * TITLE_LINES;
  const title = measure(text.summary, 'title', inner);
  const isLongTitle = title.height > titleLimit;
  header.push({
    kind: 'text',
    rect: { x: left, y, width: inner, height: Math.min(title.height, titleLimit) },
    text: text.summary,
    font: 'title',
    colour: 'text',
  });
  y += Math.min(title.height, titleLimit) + px(GAP);
  const headerBottom = y;

  // The body, from its own top.
  const body: Item[] = [];
  y = 0;
  if (isLongTitle) {
    put(body, text.summary, 'text', 'text');
    y += px(GAP);
  }
  for (const [index, line] of text.page.entries()) {
    put(body, line, index === 0 ? 'strong' : 'text', index === 0 ? 'text' : 'secondary');
    y += px(2);
  }
  for (const line of text.where) {
    put(body, line, 'text', 'secondary');
    y += px(2);
  }
  if (text.page.length + text.where.length > 0) y += px(GAP) - px(2);
  if (options.picture !== null) {
    const fit = Math.min(1, inner / options.picture.width, px(PICTURE_HEIGHT) / options.picture.height);
    const height = Math.max(
      px(48),
      Math.min(
        px(PICTURE_HEIGHT),
        Math.round(options.picture.height * Math.max(fit, Math.min(1, inner / options.picture.width))),
      ),
    );
    body.push({ kind: 'picture', rect: { x: left, y, width: inner, height } });
    y += height + px(GAP);
  }
  for (const section of text.sections) {
    put(body, section.label, 'strong', 'text');
    y += px(4);
    switch (section.form) {
      case 'list':
        for (const line of section.lines) {
          const dot = px(5);
          const lineHeight = measure('X', 'text').height;
          body.push({
            kind: 'box',
            rect: { x: left + px(2), y: y + Math.round((lineHeight - dot) / 2), width: dot, height: dot },
            look: 'bullet',
          });
          put(body, line, 'text', 'text', left + px(16), inner - px(16));
          y += px(3);
        }
        break;
      case 'quote': {
        const top = y;
        put(body, section.lines.join('\n'), 'text', 'secondary', left + px(14), inner - px(14));
        body.push({ kind: 'box', rect: { x: left + px(2), y: top, width: px(3), height: y - top }, look: 'quote-bar' });
        break;
      }
      case 'code': {
        const code = section.lines.join('\n');
        const { height } = measure(code, 'code', inner - px(20));
        body.push({ kind: 'box', rect: { x: left, y, width: inner, height: height + px(16) }, look: 'panel' });
        body.push({
          kind: 'text',
          rect: { x: left + px(10), y: y + px(8), width: inner - px(20), height },
          text: code,
          font: 'code',
          colour: 'text',
        });
        y += height + px(16);
        break;
      }
      case 'table':
        y = layOutTable(section, { body, y, left, inner, px, measure });
        break;
      case 'tags': {
        let x = left;
        const tagHeight = measure('X', 'small').height + px(8);
        for (const line of section.lines) {
          const tagWidth = Math.min(inner, measure(line, 'small').width + px(16));
          if (x > left && x + tagWidth > left + inner) {
            x = left;
            y += tagHeight + px(6);
          }
          body.push({ kind: 'box', rect: { x, y, width: tagWidth, height: tagHeight }, look: 'tag' });
          body.push({
            kind: 'text',
            rect: { x: x + px(8), y: y + px(4), width: tagWidth - px(16), height: tagHeight - px(8) },
            text: line,
            font: 'small',
            colour: 'text',
          });
          x += tagWidth + px(6);
        }
        y += tagHeight;
        break;
      }
    }
    y += px(GAP);
  }
  const bodyHeight = y;

  // The footer, from its own top.
  const footer: Item[] = [];
  const controls: Control[] = [];
  y = px(GAP);
  const chips = (entries: ReadonlyArray<readonly [ControlId, string]>): Control[] => {
    let x = left;
    const placed = entries.map(([id, label]) => {
      const chip: Control = {
        id,
        label,
        rect: { x, y, width: measure(label, 'small').width + px(20), height: px(CHIP_HEIGHT) },
      };
      x += chip.rect.width + px(6);
      return chip;
    });
    y += px(CHIP_HEIGHT) + px(8);
    return placed;
  };
  const scopeChips: Control[] = [];
  if (options.onlyDeny !== null) {
    put(footer, options.onlyDeny, 'small', 'secondary');
    y += px(8);
  } else if (options.scopes.length > 1) {
    put(footer, `An approval covers: ${options.covers}`, 'small', 'text');
    y += px(4);
    scopeChips.push(...chips(options.scopes.map((scope) => [`scope:${scope}`, scopeLabel(scope)] as const)));
    if (options.chosenScope === 'window')
      scopeChips.push(...chips(MINUTES.map((minutes) => [`minutes:${minutes}`, `${minutes} min`] as const)));
    y += px(2);
  }
  const half = Math.floor((inner - px(10)) / 2);
  const buttonTop = y;
  controls.push({ id: 'deny', label: 'Deny', rect: { x: left, y: buttonTop, width: half, height: px(BUTTON_HEIGHT) } });
  if (options.onlyDeny === null)
    controls.push({
      id: 'approve',
      label: 'Approve',
      rect: { x: left + inner - half, y: buttonTop, width: half, height: px(BUTTON_HEIGHT) },
    });
  controls.push(...scopeChips);
  y += px(BUTTON_HEIGHT) + px(10);
  const stopLabel = 'Stop everything';
  const stop = measure(stopLabel, 'small');
  const stopRect: Rect = {
    x: width - left - stop.width - px(20),
    y,
    width: stop.width + px(20),
    height: px(CHIP_HEIGHT),
  };
  if (options.canDenyAll === true) {
    const wanted = measure(DENY_ALL, 'small').width + px(20);
    controls.push({
      id: 'deny-all',
      label: DENY_ALL,
      rect: { x: left, y, width: Math.min(wanted, stopRect.x - left - px(8)), height: px(CHIP_HEIGHT) },
    });
  }
  controls.push({ id: 'stop', label: stopLabel, rect: stopRect });
  y += px(CHIP_HEIGHT) + px(6);
  const countdownText: Rect = { x: left, y, width: inner, height: stop.height };
  y += stop.height + px(1);
  put(footer, `Keyboard: ${FOCUS_KEYS}  ·  Stop: ${STOP_KEYS}`, 'caption', 'secondary');
  y += px(12);
  const footerHeight = y;

  const room = Math.max(px(MIN_BODY), Math.floor(options.maxHeight) - headerBottom - footerHeight);
  const bodyRect: Rect = { x: 0, y: headerBottom, width, height: Math.min(bodyHeight, room) };
  const footerTop = headerBottom + bodyRect.height;
  const down = <T extends { readonly rect: Rect }>(item: T): T => ({
    ...item,
    rect: { ...item.rect, y: item.rect.y + footerTop },
  });
  return {
    width,
    height: footerTop + footerHeight,
    header,
    body,
    bodyRect,
    bodyHeight,
    footer: footer.map(down),
    controls: controls.map(down),
    countdownBar,
    countdownText: down({ rect: countdownText }).rect,
  };
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
