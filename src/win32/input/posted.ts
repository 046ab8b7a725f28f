/** Posts mouse messages and characters to a window, which need not be in front. */
import {
  MK_LBUTTON,
  WM_CHAR,
  WM_LBUTTONDOWN,
  WM_LBUTTONUP,
  WM_MOUSEMOVE,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { mousePoint } from './mouse-target.ts';

const packed = (point: Point): number => (((point.y & 0xffff) << 16) | (point.x & 0xffff)) >>> 0;

/** Moves the pointer to a screen point. Source: learn.microsoft.com/windows/win32/inputdev/wm-mousemove */
export function postMove(hwnd: number, at: Point): boolean {
  const point = mousePoint(hwnd, at);
  return point !== null && user32.PostMessageW(hwnd, WM_MOUSEMOVE, 0, packed(point));
}

/** Moves to a screen point and clicks there. Source: learn.microsoft.com/windows/win32/inputdev/wm-lbuttondown */
export function postClick(hwnd: number, at: Point): boolean {
  const point = mousePoint(hwnd, at);
  if (point === null) return false;
  const where = packed(point);
  return (
    user32.PostMessageW(hwnd, WM_MOUSEMOVE, 0, where) &&
    user32.PostMessageW(hwnd, WM_LBUTTONDOWN, MK_LBUTTON, where) &&
    user32.PostMessageW(hwnd, WM_LBUTTONUP, 0, where)
  );
}

/** Characters as WM_CHAR, one for each UTF-16 unit; `\r\n` is one Enter. Source: learn.microsoft.com/windows/win32/inputdev/wm-char */
export function postCharacters(hwnd: number, text: string): boolean {
  const units = text.replaceAll(/\r\n|\n/g, '\r');
  for (let index = 0; index < units.length; index++) {
    if (!user32.PostMessageW(hwnd, WM_CHAR, units.charCodeAt(index), 1)) return false;
  }
  return true;
}
