/** Checks that a card’s window is unchanged, in view, and not covered. */
import {
  GA_PARENT,
  GW_HWNDPREV,
  GW_OWNER,
  LWA_ALPHA,
  WS_DISABLED,
  WS_EX_LAYERED,
  WS_EX_NOACTIVATE,
  WS_EX_TOOLWINDOW,
  WS_EX_TOPMOST,
  WS_EX_TRANSPARENT,
  WS_VISIBLE,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { isCloaked } from '../windows/describe.ts';
import { windowExtendedStyle, windowStyle, windowText } from '../windows/window-info.ts';
import { windowProcess } from '../windows/handle.ts';
import { outerRect, visibleFrame } from '../windows/rects.ts';

const OPAQUE = 255;
const NO_REGION = 0;
/** With more windows than this above it, the card counts as covered. */
const MAX_ABOVE = 1000;

/** The properties that the window was created with. */
export interface ExpectedWindow {
  readonly rect: Rect;
  readonly style: number;
  readonly extendedStyle: number;
}

/** All except WS_VISIBLE and WS_DISABLED, which are checked separately. */
const STYLE_MASK = ~(WS_VISIBLE | WS_DISABLED);
const EXTENDED_MASK = WS_EX_TRANSPARENT | WS_EX_LAYERED | WS_EX_TOPMOST | WS_EX_NOACTIVATE | WS_EX_TOOLWINDOW;

const memory = { colourKey: Buffer.alloc(4), alpha: Buffer.alloc(1), flags: Buffer.alloc(4), rect: Buffer.alloc(16) };

/** What another program did to the window; null if nothing. It can be restored unless `isLost`. */
export function tampering(
  hwnd: number,
  expected: ExpectedWindow,
): { readonly what: string; readonly isLost: boolean } | null {
  if (!user32.IsWindow(hwnd)) return { what: 'the window is gone', isLost: true };
  if (user32.GetAncestor(hwnd, GA_PARENT) !== user32.GetDesktopWindow())
    return { what: 'the window was moved into another one', isLost: true };
  if (user32.GetWindow(hwnd, GW_OWNER) !== 0) return { what: 'the window was given an owner', isLost: true };
  if (!user32.IsWindowVisible(hwnd) || user32.IsIconic(hwnd)) return { what: 'the window was hidden', isLost: false };
  if (isCloaked(hwnd)) return { what: 'the window was cloaked', isLost: false };
  if (!user32.IsWindowEnabled(hwnd)) return { what: 'the window was disabled', isLost: false };
  if (((windowStyle(hwnd) ^ expected.style) & STYLE_MASK) !== 0)
    return { what: 'the window’s style was changed', isLost: false };
  if (((windowExtendedStyle(hwnd) ^ expected.extendedStyle) & EXTENDED_MASK) !== 0)
    return { what: 'the window’s extended style was changed', isLost: false };
  const rect = outerRect(hwnd);
  if (rect === null || !isSameRect(rect, expected.rect)) return { what: 'the window was moved', isLost: false };
  // Fails if another program drew on the window by UpdateLayeredWindow.
  if (
    !user32.GetLayeredWindowAttributes(hwnd, memory.colourKey, memory.alpha, memory.flags) ||
    memory.flags.readUInt32LE(0) !== LWA_ALPHA ||
    memory.alpha[0] !== OPAQUE
  )
    return { what: 'the window’s transparency was changed', isLost: false };
  if (user32.GetWindowRgnBox(hwnd, memory.rect) !== NO_REGION)
    return { what: 'the window was given a shape', isLost: false };
  return null;
}

/** Title of another process's window that covers a part of the card, '' if it has none; null if none covers it. */
export function coveredBy(hwnd: number, rect: Rect): string | null {
  let above = user32.GetWindow(hwnd, GW_HWNDPREV);
  for (let seen = 0; above !== 0; seen += 1, above = user32.GetWindow(above, GW_HWNDPREV)) {
    if (seen >= MAX_ABOVE) return '';
    if (
      !user32.IsWindowVisible(above) ||
      user32.IsIconic(above) ||
      windowProcess(above) === process.pid ||
      isCloaked(above)
    )
      continue;
    const frame = visibleFrame(above);
    if (frame !== null && intersectRects(frame, rect) !== null) return windowText(above);
  }
  return null;
}

export const isSameRect = (one: Rect, other: Rect): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
