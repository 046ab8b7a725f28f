/** Password fields that are windows of their own. */
import { ES_PASSWORD } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/geometry.ts';
import { descendants, windowClass, windowStyle } from './describe.ts';
import { outerRect } from './rects.ts';

const realClassText = Buffer.alloc(256 * 2);

/** The class that a control is derived from: `Edit` for a `WindowsForms10.EDIT.…`. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-realgetwindowclassw */
function realClass(hwnd: number): string {
  return realClassText.toString('utf16le', 0, user32.RealGetWindowClassW(hwnd, realClassText, 256) * 2);
}

/**
 * Whether a control is a password field, by class and style alone, so that no message can reveal its contents. An
 * edit control sets the style by itself when it gets EM_SETPASSWORDCHAR later.
 * Source: learn.microsoft.com/windows/win32/controls/edit-control-styles
 */
export function isPasswordEdit(hwnd: number): boolean {
  if ((windowStyle(hwnd) & ES_PASSWORD) === 0) return false;
  // Other classes use the bit for other things; rich edits and wrappers have “edit” in their names.
  return realClass(hwnd).toLowerCase() === 'edit' || /edit|textbox/i.test(windowClass(hwnd));
}

/** Visible password fields inside a window that are windows of their own, screen pixels. */
export function passwordEditRects(hwnd: number): Rect[] {
  const rects: Rect[] = [];
  for (const child of descendants(hwnd)) {
    if (!isPasswordEdit(child) || !user32.IsWindowVisible(child)) continue;
    const rect = outerRect(child);
    if (rect !== null) rects.push(rect);
  }
  return rects;
}
