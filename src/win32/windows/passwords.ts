/** Password fields that are windows of their own. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/geometry.ts';
import { descendantsOf, isPasswordEdit } from './window-info.ts';
import { outerRect } from './rects.ts';

/** Visible password fields inside a window that are windows of their own, screen pixels. */
export function passwordEditRects(hwnd: number): Rect[] {
  const rects: Rect[] = [];
  for (const child of descendantsOf(hwnd)) {
    if (!isPasswordEdit(child) || !user32.IsWindowVisible(child)) continue;
    const rect = outerRect(child);
    if (rect !== null) rects.push(rect);
  }
  return rects;
}
