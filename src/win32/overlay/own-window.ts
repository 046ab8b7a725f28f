/** A window with a class of its own, on the overlay’s thread. */
import { randomBytes } from 'node:crypto';
import { addressOf, type RegisteredCallback } from '../../../native-bindings/library.ts';
import { CS_HREDRAW, CS_VREDRAW } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { WNDCLASSEXW } from '../../../native-bindings/win32/structs.ts';
import { user32, WndProc } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { ownPointer } from './pointer.ts';

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
