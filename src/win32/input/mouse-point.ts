/** The coordinates of a mouse message: client pixels of its window, or screen pixels while a menu is open. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { toMessagePoint, toMessageScreen } from '../windows/dpi.ts';
import { threadOf } from '../windows/handle.ts';
import { outerRect } from '../windows/rects.ts';
import { classNameOf, isInMenu, MENU_CLASS, topWindowsOf } from '../windows/window-info.ts';

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
export function menuOver(bound: number, at: Point): number {
  const { process, thread } = threadOf(bound);
  if (!isInMenu(thread) || classNameOf(bound) === MENU_CLASS) return 0;
  return (
    topWindowsOf(process).find((hwnd) => {
      const rect = classNameOf(hwnd) === MENU_CLASS ? outerRect(hwnd) : null;
      return rect !== null && rectContains(rect, at);
    }) ?? 0
  );
}
