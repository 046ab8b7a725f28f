/** docs/behaviour.md#indicator, “statusIndicator”: a strip on each bound window that asked for one, a click-through window that is drawn with GDI. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects, sameRect } from '../../contract/element/coordinates.ts';
import { wordsFor, fill, type CardWords } from '../../contract/gate/card-words.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle, threadOf } from '../windows/window-info.ts';
import { monitorDpi, monitorOfWindow } from '../windows/monitors.ts';
import { isSameWindow, liveWindow } from '../windows/record.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';
import { currentTheme, type Theme } from './theme.ts';
import type { MessagePump, OverlayStage } from './message-pump.ts';
import { WinEvents } from '../windows/window-journal.ts';
import { PAINTSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { OwnWindow } from './own-window.ts';
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
function isTopmost(extendedStyle: number): boolean {
  return (extendedStyle & m.WS_EX_TOPMOST) !== 0;
}

/** Events move the strip immediately; polling covers changes without an event, such as a window that came between. */
const FOLLOW_MS = 100;

/** A strip's text, and whether it is visible now: a minimised window has a hidden strip. */
interface IndicatorState {
  readonly active: boolean;
  readonly message?: string;
}

interface Strip {
  readonly owner: string;
  readonly record: BindingRecord;
  readonly target: number;
  readonly window: IndicatorWindow;
}

type IndicatorStage = Pick<OverlayStage, 'fault'> & { readonly pump: Pick<MessagePump, 'every'> };

const isSameBinding = (one: BindingRecord, other: BindingRecord): boolean =>
  one.hwnd === other.hwnd && one.pid === other.pid && one.processCreated === other.processCreated;

/** The strip's place in the order of windows: directly above its target. */
function orderOf({ target, window }: Strip): StripOrder {
  const isTargetTopmost = isTopmost(windowExtendedStyle(target));
  let above = user32.GetWindow(target, m.GW_HWNDPREV);
  if (above === window.hwnd) above = user32.GetWindow(above, m.GW_HWNDPREV);
  if (above === 0 || isTopmost(windowExtendedStyle(above)) !== isTargetTopmost)
    return { front: isTargetTopmost ? 'topmost' : 'ordinary' };
  return { above };
}

/** All strips of a process. Used only on the overlay’s window thread, which created it. */
export class Indicators implements Disposable {
  readonly #stage: IndicatorStage;
  readonly #strips = new Map<string, Strip>();
  /** They come from each process that has a window with a strip. */
  readonly #events = new WinEvents((...event) => this.#onEvent(...event));
  #stopTicking: (() => void) | undefined;
  /** Where a card is shown; no strip lies there. */
  #card: Rect | null = null;

  constructor(stage: IndicatorStage) {
    this.#stage = stage;
  }

  #onEvent(event: number, hwnd: number, objectId: number): void {
    try {
      if (objectId !== m.OBJID_WINDOW) return;
      for (const strip of this.#strips.values())
        if (event === m.EVENT_SYSTEM_FOREGROUND || hwnd === strip.target) this.#follow(strip);
    } catch (error) {
      this.#stage.fault(error);
    }
  }

  /**
   * Shows, hides or reports an owner's strip; an owner (one binding) has at most one. `notice`: the host's own words, which
   * come first and are not quoted.
   * Errors: not_bound, window_gone for show; desktop_unavailable if Windows refuses the window.
   */
  set(
    owner: string,
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    notice = '',
  ): IndicatorState {
    const present = this.#strips.get(owner);
    // Removes a strip of an earlier binding.
    if (change === 'hide' || (present !== undefined && (record === null || !isSameBinding(present.record, record))))
      this.release(owner);
    if (change === 'show') this.#show(owner, record, message, notice);
    return this.#stateOf(owner);
  }

  /** Keeps the place of a card free of strips: their words are the agent’s. Null once no card is shown. */
  keepClear(card: Rect | null): void {
    this.#card = card;
    for (const strip of this.#strips.values()) this.#follow(strip);
  }

  /** Removes an owner's strip: its binding ended. */
  release(owner: string): void {
    const strip = this.#strips.get(owner);
    if (strip === undefined) return;
    this.#strips.delete(owner);
    strip.window[Symbol.dispose]();
    this.#unlisten();
    if (this.#strips.size > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  [Symbol.dispose](): void {
    for (const owner of this.#strips.keys()) this.release(owner);
    this.#events[Symbol.dispose]();
  }

  #show(owner: string, record: BindingRecord | null, message: string | undefined, notice: string): void {
    if (record === null)
      throw new UiaHostError('not_bound', 'The strip is shown on the bound window, and none is bound.');
    const target = liveWindow(record);
    const look = {
      message: `${notice}${indicatorMessage(message)}`,
      text: `${notice}${stripText(message, wordsFor(kernel32.GetUserDefaultUILanguage()))}`,
      dpi: monitorDpi(monitorOfWindow(target)),
      colours: currentTheme(),
    };
    const present = this.#strips.get(owner);
    if (present !== undefined && isSameBinding(present.record, record)) {
      present.window.change(look);
      return;
    }
    this.release(owner);
    this.#strips.set(owner, { owner, record, target, window: new IndicatorWindow(look, this.#stage.fault) });
    this.#stopTicking ??= this.#stage.pump.every(FOLLOW_MS, () => {
      for (const strip of this.#strips.values()) this.#follow(strip);
    });
    this.#listen(record.pid);
  }

  #stateOf(owner: string): IndicatorState {
    const strip = this.#strips.get(owner);
    if (strip !== undefined && !isSameWindow(strip.record)) this.release(owner);
    else if (strip !== undefined) this.#follow(strip);
    const left = this.#strips.get(owner);
    return left === undefined ? { active: false } : { active: left.window.isShown, message: left.window.look.message };
  }

  /** Moves a strip to its window's present place. */
  #follow(strip: Strip): void {
    const { target, window, record } = strip;
    const { process: pid, thread: threadId } = threadOf(target);
    if (pid !== record.pid || threadId !== record.threadId) {
      this.release(strip.owner);
      return;
    }
    const frame =
      user32.IsWindowVisible(target) && !user32.IsIconic(target) && !isCloaked(target) ? visibleFrame(target) : null;
    if (frame === null || frame.width <= 0 || frame.height <= 0) {
      if (window.isShown) window.hide();
      return;
    }
    window.change({ ...window.look, dpi: monitorDpi(monitorOfWindow(target)) });
    const measures = stripMeasures(frame, window.look.dpi);
    const place = stripPlace(frame, measures, window.textHeight(measures.textWidth));
    if (this.#card !== null && intersectRects(place, this.#card) !== null) {
      if (window.isShown) window.hide();
      return;
    }
    const now = outerRect(window.hwnd);
    const isPlaced =
      window.isShown &&
      now !== null &&
      sameRect(now, place) &&
      isTopmost(windowExtendedStyle(window.hwnd)) === isTopmost(windowExtendedStyle(target)) &&
      this.#isRightAbove(strip);
    if (!isPlaced) window.place(place, orderOf(strip));
  }

  /** Whether the strip is the next window above its target, ignoring hidden windows and other strips of the same window. */
  #isRightAbove({ target, window }: Strip): boolean {
    const others = new Set(
      [...this.#strips.values()].filter((each) => each.target === target).map((each) => each.window.hwnd),
    );
    for (
      let above = user32.GetWindow(target, m.GW_HWNDPREV);
      above !== 0;
      above = user32.GetWindow(above, m.GW_HWNDPREV)
    ) {
      if (above === window.hwnd) return true;
      if (!others.has(above) && user32.IsWindowVisible(above)) return false;
    }
    return false;
  }

  #listen(pid: number): void {
    if (this.#events.has(pid)) return;
    this.#events.hook(pid, m.EVENT_OBJECT_DESTROY, m.EVENT_OBJECT_HIDE);
    this.#events.hook(pid, m.EVENT_OBJECT_LOCATIONCHANGE, m.EVENT_OBJECT_LOCATIONCHANGE);
    this.#events.hook(pid, m.EVENT_SYSTEM_MINIMIZESTART, m.EVENT_SYSTEM_MINIMIZEEND);
    // Any program's window may come between.
    if (!this.#events.has(0)) this.#events.hook(0, m.EVENT_SYSTEM_FOREGROUND, m.EVENT_SYSTEM_FOREGROUND);
  }

  #unlisten(): void {
    const needed = new Set([...this.#strips.values()].map((strip) => strip.record.pid));
    if (needed.size > 0) needed.add(0);
    for (const pid of this.#events.processes) if (!needed.has(pid)) this.#events.unhook(pid);
  }
}
