/** A window of the overlay that answers no message by which another program could change or press it. */
import { win32 as windowsPath } from 'node:path';
import { readMemory, copyIn } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { WINDOWPOS } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects, sameRect } from '../../contract/element/coordinates.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle, windowProcess, windowStyle } from '../windows/window-info.ts';
import { executableOf, withProcess } from '../system/process.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';
import { OwnWindow } from './own-window.ts';
import type { OverlayStage } from './message-pump.ts';

const OPAQUE = 255;
const NO_REGION = 0;
/** With more windows than this above it, the card counts as covered. */
const MAX_ABOVE = 1000;
/** Letters of a program's name that a notice has room for. */
const MOST_NAME = 40;

/** The properties that the window was created with. */
interface ExpectedWindow {
  readonly rect: Rect;
  readonly style: number;
  readonly extendedStyle: number;
}

/** All except WS_VISIBLE and WS_DISABLED, which are checked separately. */
const STYLE_MASK = ~(m.WS_VISIBLE | m.WS_DISABLED);
const EXTENDED_MASK = m.WS_EX_TRANSPARENT | m.WS_EX_LAYERED | m.WS_EX_TOPMOST | m.WS_EX_NOACTIVATE | m.WS_EX_TOOLWINDOW;

const memory = { colourKey: Buffer.alloc(4), alpha: Buffer.alloc(1), flags: Buffer.alloc(4), rect: Buffer.alloc(16) };

/** What another program did to the window; null if nothing. It can be restored unless `isLost`. */
function tampering(hwnd: number, expected: ExpectedWindow): { readonly what: string; readonly isLost: boolean } | null {
  if (!user32.IsWindow(hwnd)) return { what: 'the window is gone', isLost: true };
  if (user32.GetAncestor(hwnd, m.GA_PARENT) !== user32.GetDesktopWindow())
    return { what: 'the window was moved into another one', isLost: true };
  if (user32.GetWindow(hwnd, m.GW_OWNER) !== 0) return { what: 'the window was given an owner', isLost: true };
  if (!user32.IsWindowVisible(hwnd) || user32.IsIconic(hwnd)) return { what: 'the window was hidden', isLost: false };
  if (isCloaked(hwnd)) return { what: 'the window was cloaked', isLost: false };
  if (!user32.IsWindowEnabled(hwnd)) return { what: 'the window was disabled', isLost: false };
  if (((windowStyle(hwnd) ^ expected.style) & STYLE_MASK) !== 0)
    return { what: 'the window’s style was changed', isLost: false };
  if (((windowExtendedStyle(hwnd) ^ expected.extendedStyle) & EXTENDED_MASK) !== 0)
    return { what: 'the window’s extended style was changed', isLost: false };
  const rect = outerRect(hwnd);
  if (rect === null || !sameRect(rect, expected.rect)) return { what: 'the window was moved', isLost: false };
  // Fails if another program drew on the window by UpdateLayeredWindow.
  if (
    !user32.GetLayeredWindowAttributes(hwnd, memory.colourKey, memory.alpha, memory.flags) ||
    memory.flags.readUInt32LE(0) !== m.LWA_ALPHA ||
    memory.alpha[0] !== OPAQUE
  )
    return { what: 'the window’s transparency was changed', isLost: false };
  if (user32.GetWindowRgnBox(hwnd, memory.rect) !== NO_REGION)
    return { what: 'the window was given a shape', isLost: false };
  return null;
}

/** The program's file name: a title could say anything, on the very card. Empty if it is not known. */
function programOf(hwnd: number): string {
  const path = withProcess(windowProcess(hwnd), executableOf);
  return windowsPath.basename(path ?? '').slice(0, MOST_NAME);
}

/** The program of a window, the host's own included, that covers a part of the card, '' if unknown; null if none covers it. */
export function coveredBy(hwnd: number, rect: Rect): string | null {
  let above = user32.GetWindow(hwnd, m.GW_HWNDPREV);
  for (let seen = 0; above !== 0; seen += 1, above = user32.GetWindow(above, m.GW_HWNDPREV)) {
    if (seen >= MAX_ABOVE) return '';
    if (!user32.IsWindowVisible(above) || user32.IsIconic(above) || isCloaked(above)) continue;
    const frame = visibleFrame(above);
    if (frame !== null && intersectRects(frame, rect) !== null) return programOf(above);
  }
  return null;
}

const EXTENDED_STYLE = m.WS_EX_NOACTIVATE | m.WS_EX_LAYERED | m.WS_EX_TOOLWINDOW | m.WS_EX_TOPMOST;

/** Messages that Windows' default procedure may answer: creation, text, cursor, and the plain accessible object. */
const LEFT_TO_WINDOWS = new Set([
  m.WM_NCCREATE,
  m.WM_CREATE,
  m.WM_GETTEXT,
  m.WM_GETTEXTLENGTH,
  m.WM_SETCURSOR,
  m.WM_GETOBJECT,
]);

/**
 * Windows' default procedure turns touch and pen into mouse messages, the only messages that a card handles: they come
 * back to
 * this window and are judged like all others. Posted or sent messages of this kind refer to no existing contact or gesture,
 * so Windows makes nothing of them.
 * Source: learn.microsoft.com/windows/win32/inputmsg/wm-pointerdown
 */
const MADE_INTO_MOUSE = new Set([
  m.WM_GESTURE,
  m.WM_GESTURENOTIFY,
  m.WM_TOUCH,
  m.WM_POINTERUPDATE,
  m.WM_POINTERDOWN,
  m.WM_POINTERUP,
  m.WM_POINTERENTER,
  m.WM_POINTERLEAVE,
  m.WM_POINTERCAPTURECHANGED,
  m.WM_TOUCHHITTESTING,
  m.WM_POINTERWHEEL,
  m.WM_POINTERHWHEEL,
]);

export interface GuardedWindowOptions {
  readonly stage: OverlayStage;
  readonly rect: Rect;
  /** Painting and input. A message that it does not answer is swallowed, unless the window needs it to exist. */
  onMessage(message: number, wParam: number, lParam: number): number | undefined;
  /** Another program changed something, and it was restored. */
  onTampered(what: string): void;
  /** It could not be restored: the window can no longer be trusted. */
  onLost(what: string): void;
}

/**
 * A window that other programs can read but not change: their changes to its place, order, visibility, style, transparency,
 * text or state are refused if Windows asks first, and undone otherwise. No sent or posted message closes it.
 */
export class GuardedWindow implements Disposable {
  readonly #options: GuardedWindowOptions;
  readonly #window: OwnWindow;
  #rect: Rect;
  /** The change that this object is making now, the only one allowed. */
  #own: 'place' | 'text' | 'destroy' | null = 'place';
  readonly #style: number;
  #isShown = false;
  #isLost = false;

  constructor(options: GuardedWindowOptions) {
    this.#options = options;
    this.#rect = options.rect;
    this.#window = new OwnWindow({
      name: 'card',
      title: 'uiahost',
      style: m.WS_POPUP,
      extendedStyle: EXTENDED_STYLE,
      classStyle: m.CS_DROPSHADOW,
      rect: options.rect,
      onMessage: (hwnd, message, wParam, lParam) => this.#onMessage(hwnd, message, wParam, lParam),
      onFault: options.stage.fault,
    });
    user32.SetLayeredWindowAttributes(this.hwnd, 0, OPAQUE, m.LWA_ALPHA);
    // Windows adds bits to the requested ones.
    this.#style = windowStyle(this.hwnd);
    this.#own = null;
  }

  get hwnd(): number {
    return this.#window.hwnd;
  }

  get rect(): Rect {
    return this.#rect;
  }

  /** Shows the window above all others, without taking the keyboard. */
  show(rect: Rect): void {
    this.#rect = rect;
    this.#isShown = true;
    this.#place();
  }

  hide(): void {
    this.#isShown = false;
    this.#as('place', () => user32.ShowWindow(this.hwnd, m.SW_HIDE));
  }

  /** Moves it above other topmost windows again. */
  raise(): void {
    if (this.#isShown) this.#place();
  }

  setText(text: string): void {
    this.#as('text', () => user32.SetWindowTextW(this.hwnd, text));
  }

  /** What another program has changed; null if nothing. */
  problem(): string | null {
    return this.#tampering()?.what ?? null;
  }

  /** Restores what another program changed. */
  check(): void {
    if (!this.#isShown || this.#isLost) return;
    const found = this.#tampering();
    if (found === null) return;
    if (!found.isLost) this.#repair();
    if (found.isLost || this.#tampering() !== null) {
      this.#isLost = true;
      this.#options.onLost(found.what);
    } else {
      this.#options.onTampered(found.what);
    }
  }

  [Symbol.dispose](): void {
    this.#as('destroy', () => this.#window[Symbol.dispose]());
  }

  #tampering(): ReturnType<typeof tampering> {
    return tampering(this.hwnd, { rect: this.#rect, style: this.#style, extendedStyle: EXTENDED_STYLE });
  }

  #place(): void {
    const { x, y, width, height } = this.#rect;
    this.#as('place', () =>
      user32.SetWindowPos(this.hwnd, m.HWND_TOPMOST, x, y, width, height, m.SWP_NOACTIVATE | m.SWP_SHOWWINDOW),
    );
  }

  #repair(): void {
    this.#as('place', () => {
      user32.SetWindowLongW(
        this.hwnd,
        m.GWL_STYLE,
        (user32.IsWindowVisible(this.hwnd) ? m.WS_VISIBLE : 0) | this.#style | 0,
      );
      // A layered window that another program drew on accepts attributes again after it has been an ordinary one.
      user32.SetWindowLongW(this.hwnd, m.GWL_EXSTYLE, EXTENDED_STYLE & ~m.WS_EX_LAYERED);
      user32.SetWindowLongW(this.hwnd, m.GWL_EXSTYLE, EXTENDED_STYLE);
      user32.SetLayeredWindowAttributes(this.hwnd, 0, OPAQUE, m.LWA_ALPHA);
      user32.SetWindowRgn(this.hwnd, 0, true);
      user32.EnableWindow(this.hwnd, true);
    });
    this.#place();
    user32.InvalidateRect(this.hwnd, null, false);
  }

  #as(own: 'place' | 'text' | 'destroy', work: () => void): void {
    const before = this.#own;
    this.#own = own;
    try {
      work();
    } finally {
      this.#own = before;
    }
  }

  #onMessage(hwnd: number, message: number, wParam: number, lParam: number): number | undefined {
    switch (message) {
      case m.WM_WINDOWPOSCHANGING:
        if (this.#own !== 'place' && this.#own !== 'destroy') this.#refuseMove(lParam);
        return 0;
      case m.WM_STYLECHANGING:
        // STYLESTRUCT: old and new style. Replaces the new one by the old.
        if (this.#own !== 'place') copyIn(BigInt(lParam) + 4n, readMemory(lParam, 4));
        return 0;
      case m.WM_WINDOWPOSCHANGED:
      case m.WM_ENABLE:
      case m.WM_SHOWWINDOW:
        if (this.#own === null && this.#isShown) this.#options.stage.pump.later(() => this.check());
        return 0;
      case m.WM_SETTEXT:
        return this.#own === 'text' ? undefined : 0;
      case m.WM_NCDESTROY:
      case m.WM_DESTROY:
        return this.#own === 'destroy' ? undefined : 0;
      case m.WM_MOUSEACTIVATE:
        return m.MA_NOACTIVATE;
      case m.WM_POINTERACTIVATE:
        return m.PA_NOACTIVATE;
      case m.WM_NCHITTEST:
        return m.HTCLIENT;
      case m.WM_ERASEBKGND:
        return 1;
      case m.WM_NCACTIVATE:
        return 1;
      // A card never delays sign-out, restart or an update: if the session ends, it was not approved.
      // learn.microsoft.com/windows/win32/shutdown/wm-queryendsession
      case m.WM_QUERYENDSESSION:
        return 1;
      default:
        if (LEFT_TO_WINDOWS.has(message) || MADE_INTO_MOUSE.has(message)) return undefined;
        return (hwnd === this.#hwndIfMade() ? this.#options.onMessage(message, wParam, lParam) : undefined) ?? 0;
    }
  }

  /** Messages arrive before the window's constructor has returned. */
  #hwndIfMade(): number {
    return (this.#window as OwnWindow | undefined)?.hwnd ?? 0;
  }

  #refuseMove(address: number): void {
    const position = WINDOWPOS.read(readMemory(address, WINDOWPOS.size));
    const flags =
      (position.flags | m.SWP_NOMOVE | m.SWP_NOSIZE | m.SWP_NOZORDER) &
      ~(this.#isShown ? m.SWP_HIDEWINDOW : m.SWP_SHOWWINDOW);
    const memory = WINDOWPOS.alloc({ ...position, flags: flags >>> 0 });
    copyIn(BigInt(address), memory);
  }
}
