/** The strip's own window: click-through, never active, drawn with GDI. Lives on a thread that pumps messages. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { PAINTSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { outerRect } from '../windows/rects.ts';
import { currentTheme, type Theme } from './theme.ts';
import { OwnWindow } from './own-window.ts';
import { fill, type CardWords } from '../../contract/gate/card-words.ts';
import { Canvas, Fonts } from './canvas.ts';

// The status strip's words, and its place on the bound window. Pure.

/** Greatest number of characters (grapheme clusters) that the strip shows. */
export const MESSAGE_CHARACTERS = 120;

/** Text of a strip without a message. */
export const DEFAULT_MESSAGE = 'uiahost is working in this window';

/** White space that breaks lines becomes one blank, which keeps words apart. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Not drawn: control characters, halves of a surrogate pair, and marks that reorder the text around them. */
const NOT_DRAWN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line without control characters, at most 120 characters, none cut in two; '' if nothing is left. */
function cleaned(message: string | undefined): string {
  const line = (message ?? '').replace(BREAKS, ' ').replace(NOT_DRAWN, '').trim();
  let kept = '';
  let count = 0;
  for (const { segment } of characters.segment(line)) {
    if (count === MESSAGE_CHARACTERS) break;
    kept += segment;
    count += 1;
  }
  return kept.trimEnd();
}

/** The message that a strip shows. */
export const indicatorMessage = (message: string | undefined): string => cleaned(message) || DEFAULT_MESSAGE;

/** What could look like the end of the quotation. */
const QUOTES = /["\u201c-\u201f]/g;

/** The strip’s text: a message is quoted as the agent’s words, since the strip is a window of the host. */
export function stripText(message: string | undefined, words: CardWords): string {
  const said = cleaned(message);
  return said === '' ? words.ui.stripWorks : fill(words, words.ui.stripSays, { message: said.replace(QUOTES, "'") });
}

/** Sizes at 96 DPI, in pixels. */
const USUAL_DPI = 96;
const PADDING = 8;
const MARK = 4;

/** Inner distances of the strip in physical pixels. */
export interface StripMeasures {
  readonly padding: number;
  /** Width of the coloured mark on the left. */
  readonly mark: number;
  /** Width at which the text wraps. */
  readonly textWidth: number;
  readonly width: number;
}

/** Widths of a window's strip, never wider than the window, and its text. `frame`: the window's visible part, screen pixels; `dpi` of its monitor. */
export function stripMeasures(frame: Pick<Rect, 'width'>, dpi: number): StripMeasures {
  const scale = dpi / USUAL_DPI;
  const padding = Math.round(PADDING * scale);
  const mark = Math.round(MARK * scale);
  return { padding, mark, width: frame.width, textWidth: Math.max(1, frame.width - mark - 2 * padding) };
}

/**
 * The strip's place: inside the window along its lower edge, since the title bar must stay visible and a maximised window
 * leaves no room outside. Never outside the window. Screen pixels; `textHeight` as measured for `textWidth`.
 */
export function stripPlace(frame: Rect, measures: StripMeasures, textHeight: number): Rect {
  const height = Math.min(frame.height, textHeight + measures.padding);
  return { x: frame.x, y: frame.y + frame.height - height, width: measures.width, height };
}

/** Slightly transparent: it is a note on the window, not a part of it. */
const ALPHA = 232;

export interface StripLook {
  readonly message: string;
  /** What is drawn: the message, marked as the agent’s words. */
  readonly text: string;
  readonly dpi: number;
  readonly colours: Theme;
}

/** The strip's place in the order of windows: directly above another one, or above all (topmost or not). */
export type StripOrder = { readonly above: number } | { readonly front: 'topmost' | 'ordinary' };

/** One strip window. */
export class IndicatorWindow implements Disposable {
  readonly #window: OwnWindow;
  #look: StripLook;
  /** Needed whenever the followed window moves. */
  #measured: { width: number; height: number } | undefined;

  /** Errors: desktop_unavailable if Windows refuses the window. `onFault`: gets errors while drawing. */
  constructor(look: StripLook, onFault: (error: unknown) => void) {
    this.#look = look;
    try {
      this.#window = new OwnWindow({
        name: 'strip',
        title: look.text,
        style: m.WS_POPUP,
        extendedStyle: m.WS_EX_NOACTIVATE | m.WS_EX_LAYERED | m.WS_EX_TOOLWINDOW | m.WS_EX_TRANSPARENT,
        rect: { x: 0, y: 0, width: 1, height: 1 },
        onMessage: (hwnd, message) => this.#receive(hwnd, message),
        onFault,
      });
    } catch (cause) {
      throw new UiaHostError(
        'desktop_unavailable',
        'Windows refused a window for the status indicator; nothing is shown.',
        {
          cause,
        },
      );
    }
    user32.SetLayeredWindowAttributes(this.hwnd, 0, ALPHA, m.LWA_ALPHA);
  }

  get hwnd(): number {
    return this.#window.hwnd;
  }
  get look(): StripLook {
    return this.#look;
  }

  /** Whether it is visible. */
  get isShown(): boolean {
    return user32.IsWindow(this.hwnd) && user32.IsWindowVisible(this.hwnd);
  }

  change(look: StripLook): void {
    const { message, text, dpi, colours } = this.#look;
    if (look.message === message && look.text === text && look.dpi === dpi && look.colours === colours) return;
    this.#look = look;
    this.#measured = undefined;
    user32.SetWindowTextW(this.hwnd, look.text);
    user32.InvalidateRect(this.hwnd, null, false);
  }

  /** Height of the text wrapped at this width, physical pixels. */
  textHeight(width: number): number {
    if (this.#measured?.width !== width) this.#measured = { width, height: this.#measure(width) };
    return this.#measured.height;
  }

  /** Moves and shows it, without activating anything. */
  place(rect: Rect, order: StripOrder): void {
    const before = outerRect(this.hwnd);
    if ('above' in order) {
      this.#position(order.above, rect);
    } else {
      // Windows keeps a background program's window below the foreground one unless it was topmost before.
      this.#position(m.HWND_TOPMOST, rect);
      if (order.front === 'ordinary')
        user32.SetWindowPos(
          this.hwnd,
          m.HWND_NOTOPMOST,
          0,
          0,
          0,
          0,
          m.SWP_NOSIZE | m.SWP_NOMOVE | m.SWP_NOACTIVATE | m.SWP_NOOWNERZORDER,
        );
    }
    if (before?.width !== rect.width || before.height !== rect.height) user32.InvalidateRect(this.hwnd, null, false);
  }

  hide(): void {
    user32.ShowWindow(this.hwnd, m.SW_HIDE);
  }

  [Symbol.dispose](): void {
    this.#window[Symbol.dispose]();
  }

  #measure(width: number): number {
    using fonts = new Fonts(this.#look.dpi / USUAL_DPI);
    using ruler = new Canvas(1, 1, fonts);
    return ruler.measure(this.#look.text, 'strip', width).height;
  }

  #position(after: number, rect: Rect): void {
    user32.SetWindowPos(
      this.hwnd,
      after,
      rect.x,
      rect.y,
      rect.width,
      rect.height,
      m.SWP_NOACTIVATE | m.SWP_SHOWWINDOW | m.SWP_NOOWNERZORDER,
    );
  }

  #receive(hwnd: number, message: number): number | undefined {
    switch (message) {
      case m.WM_PAINT:
        this.#paint(hwnd);
        return 0;
      case m.WM_ERASEBKGND:
        return 1;
      case m.WM_NCHITTEST:
        return m.HTTRANSPARENT;
      case m.WM_MOUSEACTIVATE:
        return m.MA_NOACTIVATEANDEAT;
      // Only hide and the end of the binding close it.
      case m.WM_CLOSE:
        return 0;
      case m.WM_SYSCOLORCHANGE:
      case m.WM_SETTINGCHANGE:
        this.change({ ...this.#look, colours: currentTheme() });
        return undefined;
      default:
        return undefined;
    }
  }

  #paint(hwnd: number): void {
    const paint = PAINTSTRUCT.alloc();
    const dc = user32.BeginPaint(hwnd, paint);
    if (dc === 0) return;
    try {
      const { colours, text, dpi } = this.#look;
      const { width = 0, height = 0 } = outerRect(hwnd) ?? {};
      const { padding, mark, textWidth } = stripMeasures({ width }, dpi);
      using fonts = new Fonts(dpi / USUAL_DPI);
      using canvas = new Canvas(Math.max(1, width), Math.max(1, height), fonts);
      canvas.plain({ x: 0, y: 0, width, height }, colours.background);
      canvas.plain({ x: 0, y: 0, width: mark, height }, colours.focus);
      const [x, y] = [mark + padding, Math.floor(padding / 2)];
      canvas.wrapped(text, 'strip', { x, y, width: textWidth, height: height - y }, colours.text, 'centre');
      canvas.copyTo(dc);
    } finally {
      user32.EndPaint(hwnd, paint);
    }
  }
}

/** Whether a window with this style is topmost. */
export function isTopmost(extendedStyle: number): boolean {
  return (extendedStyle & m.WS_EX_TOPMOST) !== 0;
}
