/** Pixels of windows and of the screen by GDI. */
import { CAPTUREBLT, PW_RENDERFULLCONTENT, SRCCOPY } from '../../../native-bindings/win32/constants.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { inContextOf } from '../windows/dpi.ts';
import { outerRect } from '../windows/rects.ts';
import { clipToImage, cutBitmap, type Bitmap } from './bitmap.ts';
import { drawn } from './surface.ts';

/** Copies pixels, layered windows included. Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-bitblt */
const COPY_ALL = SRCCOPY | CAPTUREBLT;

/**
 * One whole window, outer rectangle, in the pixels that its program draws. `print`: the window (or the compositor) draws
 * it, which waits for its thread; `dc`: what the compositor has stored, without waiting.
 */
export function grabWindow(hwnd: number, how: 'print' | 'dc'): Bitmap | null {
  return inContextOf(hwnd, () => {
    const outer = outerRect(hwnd);
    return outer === null ? null : grabOf(hwnd, how, outer, { x: 0, y: 0, width: outer.width, height: outer.height });
  });
}

/**
 * A part of one window, whatever covers it. `part`: screen pixels; null if it is outside the window, and for programs whose
 * pixels are scaled, because the mapping is not exact enough. With `dc` the cost depends on the part, with `print` on the
 * whole window.
 */
export function grabWindowPart(hwnd: number, part: Rect, how: 'print' | 'dc'): Bitmap | null {
  const physical = outerRect(hwnd);
  const own = inContextOf(hwnd, () => outerRect(hwnd));
  if (physical === null || own === null || own.width !== physical.width || own.height !== physical.height) return null;
  const inside = clipToImage(
    { x: part.x - physical.x, y: part.y - physical.y, width: part.width, height: part.height },
    physical,
  );
  if (inside === null) return null;
  const bitmap = inContextOf(hwnd, () => grabOf(hwnd, how, physical, inside));
  return bitmap === null || how === 'dc' ? bitmap : cutBitmap(bitmap, inside);
}

/** `part`: pixels of the window from its outer corner; ignored for `print`, which draws all of it. */
function grabOf(hwnd: number, how: 'print' | 'dc', outer: Rect, part: Rect): Bitmap | null {
  const source = user32.GetWindowDC(hwnd);
  if (source === 0) return null;
  try {
    // PW_RENDERFULLCONTENT: the whole content, including what DirectX drew (Windows 8.1).
    return how === 'print'
      ? drawn(source, outer.width, outer.height, (memoryDc) => user32.PrintWindow(hwnd, memoryDc, PW_RENDERFULLCONTENT))
      : drawn(source, part.width, part.height, (memoryDc) =>
          gdi32.BitBlt(memoryDc, 0, 0, part.width, part.height, source, part.x, part.y, COPY_ALL),
        );
  } finally {
    user32.ReleaseDC(hwnd, source);
  }
}

/** A part of the desktop, screen pixels. */
export function grabScreen(area: Rect): Bitmap | null {
  const screen = user32.GetDC(0);
  if (screen === 0) return null;
  try {
    return drawn(screen, area.width, area.height, (memoryDc) =>
      gdi32.BitBlt(memoryDc, 0, 0, area.width, area.height, screen, area.x, area.y, COPY_ALL),
    );
  } finally {
    user32.ReleaseDC(0, screen);
  }
}
