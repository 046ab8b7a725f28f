/** A window with a class of its own, on the overlay’s thread. */
import { randomBytes } from 'node:crypto';
import { addressOf, type RegisteredCallback } from '../../../native-bindings/library.ts';
import { CS_HREDRAW, CS_VREDRAW, CURSOR_SHOWING, SM_CXCURSOR } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { WNDCLASSEXW, CURSORINFO } from '../../../native-bindings/win32/structs.ts';
import { user32, WndProc } from '../../../native-bindings/win32/user32.ts';
import type { Rect, Point } from '../../contract/element/geometry.ts';

/** The usual arrow, in pixels of a pointer of 32. */
const ARROW: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 0, y: 17 },
  { x: 4, y: 13 },
  { x: 7, y: 20 },
  { x: 10, y: 19 },
  { x: 7, y: 12 },
  { x: 12, y: 12 },
];
const USUAL_SIZE = 32;

/** Whether a pixel is inside the arrow, by the number of edges to its right. */
function isInside(x: number, y: number, scale: number): boolean {
  let isIn = false;
  for (const [index, one] of ARROW.entries()) {
    const other = ARROW[(index + 1) % ARROW.length] ?? one;
    const [top, low] = [one.y * scale, other.y * scale];
    if (top > y === low > y) continue;
    if (x < one.x * scale + (((other.x - one.x) * scale) / (low - top)) * (y - top)) isIn = !isIn;
  }
  return isIn;
}

/**
 * A white arrow with a black line as the two masks of a pointer, one bit a pixel: what shows through, and what is white.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createcursor
 */
export function arrowMasks(size: number): { readonly through: Buffer; readonly white: Buffer } {
  const scale = size / USUAL_SIZE;
  // A row has whole words of 16 bits.
  const stride = Math.ceil(size / 16) * 2;
  const through = Buffer.alloc(stride * size, 0xff);
  const white = Buffer.alloc(stride * size);
  const isFilled = (x: number, y: number): boolean => isInside(x + 0.5, y + 0.5, scale);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!isFilled(x, y)) continue;
      const at = y * stride + (x >> 3);
      const bit = 0x80 >> (x & 7);
      through[at] = (through[at] ?? 0) & ~bit;
      const isEdge = !isFilled(x - 1, y) || !isFilled(x + 1, y) || !isFilled(x, y - 1) || !isFilled(x, y + 1);
      if (!isEdge) white[at] = (white[at] ?? 0) | bit;
    }
  }
  return { through, white };
}

let made = 0;

/**
 * The pointer of the overlay's windows, made once and kept. The system's arrow would not do: any program can replace it
 * for all windows (SetSystemCursor), by an empty picture or a picture away from its point.
 */
function ownPointer(): number {
  if (made !== 0) return made;
  const size = user32.GetSystemMetrics(SM_CXCURSOR) || USUAL_SIZE;
  const { through, white } = arrowMasks(size);
  made = user32.CreateCursor(kernel32.GetModuleHandleW(null), 0, 0, size, size, through, white);
  return made;
}

/** The hook, the message and the report round a point differently on a scaled monitor. */
const SLACK = 2;

/** CURSORINFO; null if Windows does not give it. */
function pointerNow(): { readonly flags: number; readonly hCursor: number; readonly ptScreenPos: Point } | null {
  const info = CURSORINFO.alloc({ cbSize: CURSORINFO.size });
  return user32.GetCursorInfo(info) ? CURSORINFO.read(info) : null;
}

/** The system has reported the card's pointer while it was over the card: since then any other one is a stranger's. */
let isReported = false;

/**
 * The pointer moves over the card. Windows then reports the card's own; a system that reports the pointer of the foreground
 * window instead has nothing to compare, so only a card in the background counts.
 */
export function notePointer(isForeground: boolean): void {
  if (!isReported && !isForeground) isReported = pointerNow()?.hCursor === made;
}

/** Why a press there may have been aimed by a pointer that a person sees elsewhere; null if the pointer shown is what Windows reports. */
export function pointerProblem(press: Point): string | null {
  const now = pointerNow();
  if (now === null) return 'the pointer could not be read';
  return judgePointer(
    {
      isShown: (now.flags & CURSOR_SHOWING) !== 0,
      isOwn: !isReported || now.hCursor === made,
      at: now.ptScreenPos,
    },
    press,
  );
}

export function judgePointer(
  pointer: { readonly isShown: boolean; readonly isOwn: boolean; readonly at: Point },
  press: Point,
): string | null {
  if (!pointer.isShown) return 'the pointer is hidden';
  if (!pointer.isOwn) return 'the pointer shown is not the card’s own';
  const isThere = Math.abs(pointer.at.x - press.x) <= SLACK && Math.abs(pointer.at.y - press.y) <= SLACK;
  return isThere ? null : 'the pointer is elsewhere';
}

/** Every kind of window that the overlay makes. */
export const WINDOW_KINDS = ['card', 'strip', 'icon'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export interface OwnWindowOptions {
  /** A part of the class name, which is random otherwise, so that other programs cannot find the window by a known name. */
  readonly name: WindowKind;
  /** The window's initial text. */
  readonly title: string;
  /** WS_… and WS_EX_… bits. */
  readonly style: number;
  readonly extendedStyle: number;
  /** Outer rectangle, screen pixels. */
  readonly rect: Rect;
  /** CS_… bits in addition to those for redrawing. */
  readonly classStyle?: number;
  /** Answers a message; undefined leaves it to Windows. Errors are reported, and the message is left to Windows. */
  onMessage(hwnd: number, message: number, wParam: number, lParam: number): number | undefined;
  onFault(error: unknown): void;
}

/** A window of this thread with its own class. Errors: plain Error if Windows refuses it. */
export class OwnWindow implements Disposable {
  readonly hwnd: number;
  readonly #className: string;
  readonly #procedure: RegisteredCallback;
  readonly #module: number;

  constructor(options: OwnWindowOptions) {
    this.#className = `uiahost-${options.name}-${process.pid}-${randomBytes(8).toString('hex')}`;
    this.#module = kernel32.GetModuleHandleW(null);
    this.#procedure = WndProc.register((hwnd, message, wParam, lParam) => {
      try {
        const answer = options.onMessage(hwnd, message, wParam, lParam);
        if (answer !== undefined) return answer;
      } catch (error) {
        options.onFault(error);
      }
      return user32.DefWindowProcW(hwnd, message, wParam, lParam);
    });
    const name = Buffer.from(`${this.#className}\0`, 'utf16le');
    const description = WNDCLASSEXW.alloc({
      cbSize: WNDCLASSEXW.size,
      style: CS_HREDRAW | CS_VREDRAW | (options.classStyle ?? 0),
      lpfnWndProc: this.#procedure.address,
      hInstance: this.#module,
      hCursor: ownPointer(),
      lpszClassName: addressOf(name),
    });
    const atom = user32.RegisterClassExW(description);
    // Windows has copied the class by now; the name must not be collected earlier.
    name.fill(0);
    if (atom === 0) {
      this.#procedure[Symbol.dispose]();
      throw new Error(`Windows refused the window class for ${options.name} (error ${kernel32.GetLastError()}).`);
    }
    const { rect } = options;
    this.hwnd = user32.CreateWindowExW(
      options.extendedStyle,
      this.#className,
      options.title,
      options.style,
      rect.x,
      rect.y,
      rect.width,
      rect.height,
      0,
      0,
      this.#module,
      null,
    );
    if (this.hwnd === 0) {
      const error = kernel32.GetLastError();
      this.#forgetClass();
      throw new Error(`Windows refused the window for ${options.name} (error ${error}).`);
    }
  }

  [Symbol.dispose](): void {
    if (user32.IsWindow(this.hwnd)) user32.DestroyWindow(this.hwnd);
    this.#forgetClass();
  }

  #forgetClass(): void {
    user32.UnregisterClassW(this.#className, this.#module);
    this.#procedure[Symbol.dispose]();
  }
}
