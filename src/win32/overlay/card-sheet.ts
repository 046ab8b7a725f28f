/** A card as drawn: its place on the monitor, layout, scroll position and pixels. */
import {
  MDT_EFFECTIVE_DPI,
  MONITOR_DEFAULTTONEAREST,
  MONITOR_DEFAULTTOPRIMARY,
} from '../../../native-bindings/win32/constants.ts';
import { MONITORINFOEXW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { shcore } from '../../../native-bindings/win32/shcore.ts';
import { readRect } from '../windows/rects.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import { Canvas, Fonts } from './canvas.ts';
import { layOutCard, maxScroll, type CardLayout, type Control, type LayoutOptions } from './layout.ts';
import { paintCard, type CardLook } from './painting.ts';
import { textScale } from './colour-mode.ts';
import { currentTheme, type Theme } from './theme.ts';

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
  const monitor =
    hwnd !== 0 && user32.IsWindow(hwnd)
      ? user32.MonitorFromWindow(hwnd, MONITOR_DEFAULTTONEAREST)
      : user32.MonitorFromPoint({ x: 0, y: 0 }, MONITOR_DEFAULTTOPRIMARY);
  const memory = MONITORINFOEXW.alloc({ cbSize: MONITORINFOEXW.size });
  const rect = user32.GetMonitorInfoW(monitor, memory)
    ? readRect(memory, MONITORINFOEXW.at.rcWork)
    : { x: 0, y: 0, width: 1024, height: 768 };
  const dpi = { x: Buffer.alloc(4), y: Buffer.alloc(4) };
  const isKnown =
    shcore.has('GetDpiForMonitor') && shcore.GetDpiForMonitor(monitor, MDT_EFFECTIVE_DPI, dpi.x, dpi.y) >= 0;
  return { rect, scale: (isKnown ? dpi.x.readUInt32LE(0) : USUAL_DPI) / USUAL_DPI };
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
    paintCard(this.#canvas, this.#layout, { ...look, scroll: this.#scroll }, this.#theme, this.#scale);
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
