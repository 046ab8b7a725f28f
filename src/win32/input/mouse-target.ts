/** Finds the window inside the bound window that a mouse message at a point goes to. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { disabledTarget } from '../../contract/element/element-words.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { askWithin } from '../windows/ask.ts';
import {
  threadOf,
  windowExtendedStyle,
  classNameOf,
  isInMenu,
  MENU_CLASS,
  rootOf,
  topWindowsOf,
} from '../windows/window-info.ts';
import { outerRect, packPoint, readRect, toClient, toMessageScreen, toMessagePoint } from '../windows/rects.ts';
import { requireEnabledWindow, shownDialog } from '../elements/finding/element-target.ts';
import { MENU_WAY } from '../elements/tree/unread.ts';
import { windowName } from '../elements/tree/labels.ts';
import { type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';

/** WS_EX_TRANSPARENT and WS_EX_LAYERED together: the mouse passes through. */
const LETS_THROUGH = m.WS_EX_TRANSPARENT | m.WS_EX_LAYERED;
/** Longer than a busy program needs; nothing has been sent yet, so waiting is safe. */
const HIT_TEST_MS = 1500;
/** The window that a pointer message goes to. */
export interface MouseTarget extends KeyTarget {
  /**
   * The point in its mouse messages: client area, in the pixels of its own program; screen pixels while a menu is open.
   */
  readonly client: Point;
}

/**
 * The deepest child under a screen point, as Windows' own hit test finds it among the bound window's descendants,
 * ignoring other windows above.
 * Errors: target_disabled behind a modal dialog; invalid_argument outside the client area; unsupported on a scroll bar
 * or frame, which run their own tracking loop.
 */
export function findMouseTarget(bound: number, at: Point, forWheel = false): MouseTarget {
  const inBound = toClient(bound, at);
  if (inBound === null) throw new UiaHostError('window_gone', 'The bound window no longer exists; nothing was sent.');
  requireEnabledWindow(bound);
  if (!isInClient(bound, inBound)) throw outsideClient(bound, at);
  const menu = menuOver(bound, at);
  if (menu !== 0) {
    throw new UiaHostError(
      'state_conflict',
      'An open menu, which is a separate window, covers the point; nothing was sent.',
      {
        hint: `Bind the menu (hwnd ${menu}) and click in it, choose its entry by keys, or close it with escape.`,
        candidates: [{ hwnd: String(menu), role: 'Menu' }],
      },
    );
  }
  const { hwnd, hit } = windowUnder(bound, at, forWheel);
  if (hit !== m.HTCLIENT && hit !== m.HTTRANSPARENT && !forWheel) {
    throw new UiaHostError(
      'unsupported',
      'The point is on a scroll bar or frame, which respond only to the real pointer; nothing was sent.',
      {
        hint: 'Scroll with mouse-wheel or scroll-element, move the window with manage-window, or use delivery: "foreground".',
      },
    );
  }
  const client = mousePoint(hwnd, at);
  if (client === null) throw new UiaHostError('window_gone', 'The window under the point is gone; nothing was sent.');
  return { ...receiverAt(hwnd), client };
}

/** What a person does there with the mouse needs a real pointer; each part has an alternative. */
const NON_CLIENT_PARTS: ReadonlyMap<number, readonly [part: string, way: string]> = new Map([
  [m.HTMENU, ['menu bar', MENU_WAY]],
  [m.HTCAPTION, ['title bar', 'Move the window with manage-window.']],
  [m.HTSYSMENU, ['system menu', 'Use manage-window.']],
  [m.HTMINBUTTON, ['minimise button', 'Use manage-window.']],
  [m.HTMAXBUTTON, ['maximise button', 'Use manage-window.']],
  [m.HTCLOSE, ['close button', 'Use manage-window.']],
]);

/** Errors: window_hung if the window does not report what is there. */
function outsideClient(bound: number, at: Point): UiaHostError {
  const frame = outerRect(bound);
  const part = frame !== null && rectContains(frame, at) ? NON_CLIENT_PARTS.get(hitTest(bound, at)) : undefined;
  const on = part === undefined ? '' : `, on its ${part[0]}`;
  return new UiaHostError(
    'invalid_argument',
    `The point ${at.x},${at.y} (screen) is outside the client area of the bound window${on}; nothing was sent.`,
    part === undefined ? {} : { hint: part[1] },
  );
}

function hitTest(hwnd: number, at: Point): number {
  const own = toMessageScreen(hwnd, at);
  const hit = askWithin(hwnd, m.WM_NCHITTEST, 0, packPoint(own.x, own.y), HIT_TEST_MS);
  if (hit === null)
    throw new UiaHostError('window_hung', 'The window did not report what is under the point; nothing was sent.');
  return hit;
}

/**
 * From the bound window down, at each level the topmost child under the point that does not let it through: a group box
 * covers the buttons that it frames. Windows would pass a click on a disabled control to what is behind it; that is
 * never what the caller means. Source: learn.microsoft.com/windows/win32/inputdev/wm-nchittest
 */
function windowUnder(bound: number, at: Point, forWheel: boolean): { hwnd: number; hit: number } {
  let found = { hwnd: bound, hit: hitTest(bound, at) };
  for (let depth = 0; depth < 64; depth += 1) {
    const below = childUnder(found.hwnd, at, forWheel);
    if (below === null) break;
    found = below;
  }
  return found;
}

/**
 * Real input goes past a disabled control to what is behind it, which was not judged. Errors: target_disabled, window_hung;
 * nothing was sent.
 */
export function requireEnabledAt(root: number, at: Point): void {
  windowUnder(root, at, false);
}

/** The window that real input at a point is for: WindowFromPoint stops at a group box of another program. 0 beyond all windows. */
export function realTargetAt(at: Point): number {
  const root = rootOf(user32.WindowFromPoint(at));
  return root === 0 ? 0 : windowUnder(root, at, true).hwnd;
}

function childUnder(parent: number, at: Point, forWheel: boolean): { hwnd: number; hit: number } | null {
  for (let child = user32.GetWindow(parent, m.GW_CHILD); child !== 0; child = user32.GetWindow(child, m.GW_HWNDNEXT)) {
    const rect = outerRect(child);
    if (rect === null || !rectContains(rect, at) || !user32.IsWindowVisible(child)) continue;
    if ((windowExtendedStyle(child) & LETS_THROUGH) === LETS_THROUGH) continue;
    const hit = hitTest(child, at);
    // Windows asks the deepest child first: what is inside a group box or a static text is hit, and they are not.
    if (hit === m.HTTRANSPARENT) {
      const inside = childUnder(child, at, forWheel);
      if (inside !== null) return inside;
    }
    if (hit === m.HTTRANSPARENT || (forWheel && !user32.IsWindowEnabled(child))) continue;
    if (!user32.IsWindowEnabled(child))
      throw disabledTarget(`${windowName(child)} under the point`, shownDialog(rootOf(child)));
    return { hwnd: child, hit };
  }
  return null;
}

function isInClient(hwnd: number, client: Point): boolean {
  const memory = Buffer.alloc(16);
  if (!user32.GetClientRect(hwnd, memory)) return false;
  return rectContains(readRect(memory), client);
}

// The coordinates of a mouse message: client pixels of its window, or screen pixels while a menu is open.

/**
 * The point in the lParam of a mouse message for a window. The loop of an open menu handles all messages of its thread
 * and uses screen pixels, whatever window they are for. Null once the window is gone.
 * Source: learn.microsoft.com/windows/win32/menurc/about-menus (menu mode); learn.microsoft.com/windows/win32/api/winuser/ns-winuser-guithreadinfo
 */
export function mousePoint(hwnd: number, at: Point): Point | null {
  if (!isInMenu(threadOf(hwnd).thread)) return toMessagePoint(hwnd, at);
  return user32.IsWindow(hwnd) ? toMessageScreen(hwnd, at) : null;
}

/** The open menu of the window's program at a screen point; 0 if there is none, or if it is the window itself. */
function menuOver(bound: number, at: Point): number {
  const { process, thread } = threadOf(bound);
  if (!isInMenu(thread) || classNameOf(bound) === MENU_CLASS) return 0;
  return (
    topWindowsOf(process).find((hwnd) => {
      const rect = classNameOf(hwnd) === MENU_CLASS ? outerRect(hwnd) : null;
      return rect !== null && rectContains(rect, at);
    }) ?? 0
  );
}
