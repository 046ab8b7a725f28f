/** A card as drawn: its place on the monitor, layout, scroll position and pixels, painted by its look. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { MONITORINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { monitorDpi, monitorOfWindow } from '../windows/monitors.ts';
import { readRect, grown } from '../windows/rects.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { Canvas, Fonts } from './canvas.ts';
import {
  layOutCard,
  maxScroll,
  type CardLayout,
  type Control,
  type LayoutOptions,
  pictureCrop,
  type ControlId,
  type Item,
} from './layout.ts';
import { textScale, currentTheme, type Theme } from './theme.ts';
import type { RiskLevel } from '../../contract/gate/permissions.ts';
import { fill, type CardWords } from '../../contract/gate/card-words.ts';
import { clockText, FOCUS_KEYS, STOP_KEYS } from '../../contract/gate/card-text.ts';
import type { CardPixels } from './protocol.ts';

/** What changes while a card is shown. */
export interface CardLook {
  readonly words: CardWords;
  readonly scroll: number;
  readonly pixels: Pick<CardPixels, 'width' | 'height' | 'pixels' | 'outline'> | null;
  readonly riskLevel: RiskLevel;
  /** The control that has the keyboard; null if the keyboard is elsewhere. */
  readonly focus: ControlId | null;
  readonly pressed: ControlId | null;
  /** Chosen scope and minutes. */
  readonly chosen: ReadonlySet<ControlId>;
  readonly isApproveActive: boolean;
  /** Milliseconds until the card expires, and its whole waiting time. */
  readonly leftMs: number;
  readonly totalMs: number;
  /** Replaces the hint about keys: why a press did not count. */
  readonly notice: string | null;
}

/** What the parts of a card are drawn with. */
interface Brush {
  readonly canvas: Canvas;
  readonly look: CardLook;
  readonly theme: Theme;
  px(size: number): number;
  thin(colour: number): { readonly colour: number; readonly width: number };
  /** The line around what has a fill of its own: in high contrast only. */
  readonly contrastLine: { readonly colour: number; readonly width: number } | null;
}

/**
 * Draws the whole card. It shows only quoted text and the picture from other programs, so that none can imitate a
 * card's parts.
 */
export function paintCard(canvas: Canvas, look: CardLook, theme: Theme, scale: number, layout: CardLayout): void {
  const px = (size: number): number => Math.max(1, Math.round(size * scale));
  const thin = (colour: number): { colour: number; width: number } => ({ colour, width: px(1) });
  const brush: Brush = { canvas, look, theme, px, thin, contrastLine: theme.isContrast ? thin(theme.border) : null };
  const whole = { x: 0, y: 0, width: layout.width, height: layout.height };
  canvas.plain(whole, theme.background);
  paintBody(brush, layout);
  for (const item of [...layout.header, ...layout.footer]) paintItem(brush, item, 0);
  for (const control of layout.controls) paintControl(brush, control);
  paintCountdown(brush, layout);
  canvas.round(whole, 0, null, thin(theme.border));
}

/** The scrolled part, with lines where it continues beyond its visible part, and a scroll thumb. */
function paintBody(brush: Brush, layout: CardLayout): void {
  const { canvas, look, theme, px } = brush;
  const { bodyRect, width } = layout;
  const { scroll } = look;
  canvas.clipped(bodyRect, () => {
    for (const item of layout.body) {
      const top = item.rect.y - scroll;
      if (top < bodyRect.height && top + item.rect.height > 0) paintItem(brush, item, scroll - bodyRect.y);
    }
  });
  const most = maxScroll(layout);
  if (most > 0) {
    const height = Math.max(px(24), Math.round((bodyRect.height * bodyRect.height) / layout.bodyHeight));
    const y = bodyRect.y + Math.round(((bodyRect.height - height) * scroll) / most);
    const bar = { x: width - px(11), width: px(8) };
    canvas.round({ ...bar, y: bodyRect.y, height: bodyRect.height }, px(4), theme.panel, {
      colour: theme.border,
      width: 1,
    });
    canvas.round({ ...bar, y, height }, px(4), theme.secondary, null);
  }
  const line = (y: number): void => canvas.plain({ x: 0, y, width, height: px(1) }, theme.border);
  line(bodyRect.y + bodyRect.height);
  if (scroll > 0) line(bodyRect.y);
}

function paintItem(brush: Brush, item: Item, up: number): void {
  const { canvas, theme } = brush;
  const colours = { text: theme.text, secondary: theme.secondary, 'risk-text': theme.riskText };
  const rect = { ...item.rect, y: item.rect.y - up };
  switch (item.kind) {
    case 'text':
      return canvas.wrapped(item.text, item.font, rect, colours[item.colour]);
    case 'box':
      return paintBox(brush, rect, item.look);
    case 'picture':
      return paintPicture(brush, rect);
  }
}

function paintBox(
  { canvas, look, theme, px, thin, contrastLine }: Brush,
  rect: Rect,
  kind: Extract<Item, { kind: 'box' }>['look'],
): void {
  const { panel, border, secondary, risk } = theme;
  switch (kind) {
    case 'risk':
      return canvas.round(rect, px(4), risk[look.riskLevel], contrastLine);
    case 'panel':
    case 'tag':
      return canvas.round(rect, px(4), panel, thin(border));
    case 'quote-bar':
      return canvas.plain(rect, border);
    case 'bullet':
      return canvas.round(rect, Math.floor(rect.width / 2), secondary, null);
  }
}

function paintPicture(brush: Brush, rect: Rect): void {
  const { canvas, look, theme, px, thin } = brush;
  const { pixels } = look;
  canvas.plain(rect, theme.panel);
  if (pixels !== null) {
    const { from, zoom } = pictureCrop(pixels, pixels.outline, rect, px(24));
    const width = Math.min(rect.width, Math.round(from.width * zoom));
    const height = Math.min(rect.height, Math.round(from.height * zoom));
    const x = rect.x + Math.floor((rect.width - width) / 2);
    const y = rect.y + Math.floor((rect.height - height) / 2);
    canvas.image(pixels, from, { x, y, width, height });
    const { outline } = pixels;
    if (outline !== null)
      paintOutline(brush, {
        x: x + Math.round((outline.x - from.x) * zoom),
        y: y + Math.round((outline.y - from.y) * zoom),
        width: Math.round(outline.width * zoom),
        height: Math.round(outline.height * zoom),
      });
  }
  canvas.round(rect, px(1), null, thin(theme.border));
}

/** Around the target. */
function paintOutline({ canvas, theme, px }: Brush, rect: Rect): void {
  const mark = grown(rect, px(3));
  const { background, outline } = theme;
  canvas.round(grown(mark, px(1)), px(4), null, { colour: background, width: px(5) });
  canvas.round(mark, px(4), null, { colour: outline, width: px(3) });
}

function paintControl({ canvas, look, theme, px, thin, contrastLine }: Brush, { id, rect, label }: Control): void {
  const radius = px(5);
  const inside = look.pressed === id ? { ...rect, y: rect.y + px(1) } : rect;
  if (id === 'deny') {
    canvas.round(rect, radius, theme.denyFill, contrastLine);
    canvas.line(label, 'button', inside, theme.denyText, 'centre');
  } else if (id === 'approve') {
    const isActive = look.isApproveActive;
    canvas.round(rect, radius, isActive ? theme.approveFill : theme.idleFill, contrastLine);
    canvas.line(label, 'button', inside, isActive ? theme.approveText : theme.idleText, 'centre');
  } else if (id === 'deny-all' || id === 'details') {
    canvas.round(rect, radius, null, thin(theme.border));
    canvas.line(label, 'small', inside, theme.text, 'centre');
  } else if (id === 'stop') {
    canvas.round(rect, radius, null, thin(theme.stop));
    canvas.line(label, 'small', inside, theme.stop, 'centre');
  } else {
    const isChosen = look.chosen.has(id);
    canvas.round(rect, radius, isChosen ? theme.chosenFill : null, thin(isChosen ? theme.focus : theme.border));
    canvas.line(label, 'small', inside, isChosen ? theme.chosenText : theme.text, 'centre');
  }
  if (look.focus === id) canvas.round(grown(rect, px(3)), px(7), null, { colour: theme.focus, width: px(2) });
}

function paintCountdown(
  { canvas, look, theme }: Brush,
  { countdownText, countdownBar, notice: place }: CardLayout,
): void {
  const { notice, leftMs, totalMs, riskLevel, words } = look;
  const { secondary, stop, panel, isContrast, text, risk } = theme;
  canvas.line(fill(words, words.ui.clock, { time: clockText(leftMs) }), 'caption', countdownText, secondary, 'right');
  const hint = fill(words, words.ui.hint, { focus: FOCUS_KEYS, stop: STOP_KEYS });
  canvas.wrapped(notice ?? hint, 'caption', place, notice === null ? secondary : stop);
  const share = totalMs > 0 ? Math.max(0, Math.min(1, leftMs / totalMs)) : 0;
  canvas.plain(countdownBar, panel);
  canvas.plain({ ...countdownBar, width: Math.round(countdownBar.width * share) }, isContrast ? text : risk[riskLevel]);
}

const MARGIN = 16;
/** The gap below the last line need not be on the screen. */
const SLACK = 8;
const USUAL_DPI = 96;

/** The usable area of a monitor. */
interface WorkArea {
  /** Without the task bar, screen pixels. */
  readonly rect: Rect;
  /** DPI / 96. */
  readonly scale: number;
}

/** The work area of the monitor with most of a window; of the primary monitor if there is no such window. */
function workAreaOf(hwnd: number): WorkArea {
  const monitor = user32.IsWindow(hwnd)
    ? monitorOfWindow(hwnd)
    : user32.MonitorFromPoint({ x: 0, y: 0 }, m.MONITOR_DEFAULTTOPRIMARY);
  const memory = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
  const rect = user32.GetMonitorInfoW(monitor, memory)
    ? readRect(memory, MONITORINFOEXW.at.rcWork)
    : { x: 0, y: 0, width: 1024, height: 768 };
  return { rect, scale: monitorDpi(monitor) / USUAL_DPI };
}

/** The lower right corner of a work area, where Windows shows its notifications. */
function cornerOf(area: WorkArea, size: { readonly width: number; readonly height: number }, margin: number): Rect {
  return {
    x: area.rect.x + Math.max(0, area.rect.width - size.width - margin),
    y: area.rect.y + Math.max(0, area.rect.height - size.height - margin),
    width: size.width,
    height: size.height,
  };
}

/** Layout options that the sheet determines itself. */
type Measured = 'scale' | 'maxHeight' | 'maxWidth' | 'measure';

/** A card's place on the monitor, its layout, its scroll position, and its pixels. */
export class CardSheet implements Disposable {
  #theme: Theme = currentTheme();
  #fonts = new Fonts(1);
  #canvas: Canvas | null = null;
  #area: WorkArea = { rect: { x: 0, y: 0, width: 0, height: 0 }, scale: 1 };
  #layout: CardLayout | null = null;
  #scale = 1;
  #scroll = 0;
  #isEndSeen = false;

  /** DPI / 96 of its monitor, times the person's text size. */
  get scale(): number {
    return this.#scale;
  }

  /** In the order of the Tab key; none before the first layout. */
  get controls(): readonly Control[] {
    return this.#layout?.controls ?? [];
  }

  /** Visible height of the scrolling part, in pixels. */
  get page(): number {
    return this.#layout?.bodyRect.height ?? 0;
  }

  /** Everything that decides was on the screen, to its end, since `begin` or `lookAgain`. */
  get isEndSeen(): boolean {
    return this.#isEndSeen;
  }

  controlAt(point: Point): Control | null {
    return this.controls.find(({ rect }) => rectContains(rect, point)) ?? null;
  }

  /** Another card: scrolled to the top, in the system's present colours. */
  begin(): void {
    this.#scroll = 0;
    this.lookAgain();
    this.useCurrentTheme();
  }

  /** What was on the screen has moved: its end counts once it is there again. */
  lookAgain(): void {
    this.#isEndSeen = false;
  }

  useCurrentTheme(): void {
    this.#theme = currentTheme();
  }

  /** Lays the card out for the monitor of the window `about`; returns its place, screen pixels. */
  arrange(about: number, options: Omit<LayoutOptions, Measured>): Rect {
    this.#area = workAreaOf(about);
    const { rect } = this.#area;
    // Larger text makes the whole card larger.
    const scale = this.#area.scale * textScale();
    this.#scale = scale;
    if (this.#fonts.scale !== scale) {
      this.#fonts[Symbol.dispose]();
      this.#fonts = new Fonts(scale);
      this.#forgetCanvas();
    }
    const margin = Math.round(MARGIN * scale);
    using ruler = new Canvas(1, 1, this.#fonts);
    const layout = layOutCard({
      ...options,
      scale,
      maxHeight: rect.height - 2 * margin,
      maxWidth: rect.width - 2 * margin,
      measure: (text, font, width) => ruler.measure(text, font, width),
    });
    this.#layout = layout;
    this.#scroll = Math.min(this.#scroll, maxScroll(layout));
    if (this.#canvas?.width !== layout.width || this.#canvas.height !== layout.height) {
      this.#forgetCanvas();
      this.#canvas = new Canvas(layout.width, layout.height, this.#fonts);
    }
    return cornerOf(this.#area, layout, margin);
  }

  scrollBy(pixels: number): void {
    if (this.#layout !== null) this.#scroll = Math.max(0, Math.min(maxScroll(this.#layout), this.#scroll + pixels));
  }

  draw(look: Omit<CardLook, 'scroll'>): void {
    if (this.#canvas === null || this.#layout === null) return;
    const { bodyRect, mustSee } = this.#layout;
    this.#isEndSeen ||= this.#scroll + bodyRect.height >= mustSee - SLACK * this.#scale;
    paintCard(this.#canvas, { ...look, scroll: this.#scroll }, this.#theme, this.#scale, this.#layout);
  }

  /** Copies what was drawn last to a window's device context. */
  copyTo(dc: number): void {
    this.#canvas?.copyTo(dc);
  }

  #forgetCanvas(): void {
    this.#canvas?.[Symbol.dispose]();
    this.#canvas = null;
  }

  [Symbol.dispose](): void {
    this.#forgetCanvas();
    this.#fonts[Symbol.dispose]();
  }
}
