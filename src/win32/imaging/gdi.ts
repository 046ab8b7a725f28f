import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BITMAPINFOHEADER } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/geometry.ts';
import { inContextOf } from '../windows/dpi.ts';
import { outerRect } from '../windows/rects.ts';
import { clipToImage, cutBitmap, type Bitmap } from './bitmap.ts';

/** Copies pixels, layered windows included. Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-bitblt */
const SRCCOPY_CAPTUREBLT = 0x40cc_0020;
/** Everything that is on the screen for the window, also what DirectX drew (Windows 8.1). Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-printwindow */
const PW_RENDERFULLCONTENT = 2;
const DIB_RGB_COLORS = 0;
/** Larger than any desktop; a window may claim any size, and its picture has to fit in memory. */
const MAX_PIXELS = 128 * 1024 * 1024;

/** 32 bits a pixel; the negative height makes the first row the top one. */
function bitmapInfo(width: number, height: number): Buffer {
  return BITMAPINFOHEADER.alloc({ biSize: BITMAPINFOHEADER.size, biWidth: width, biHeight: -height, biPlanes: 1, biBitCount: 32 });
}

/** Memory for the pixels of a grab, kept for the next one: fresh memory costs as much as copying into it. */
let scratch: ArrayBuffer | undefined;
let forgetting: NodeJS.Timeout | undefined;
/** Pictures come in quick succession or not at all for a long time, in which nobody needs that memory. */
const SCRATCH_KEPT_MS = 2000;

function scratchOf(bytes: number): ArrayBuffer {
  if (scratch === undefined || scratch.byteLength < bytes) scratch = new ArrayBuffer(bytes);
  if (forgetting === undefined) forgetting = setTimeout(() => { scratch = undefined; forgetting = undefined; }, SCRATCH_KEPT_MS).unref();
  else forgetting.refresh();
  return scratch;
}

/**
 * Pixels of a bitmap that is in no device context; null where GDI gives none. They are valid until the next call, so
 * they must be used up before anything is awaited.
 */
export function readBitmap(dc: number, bitmap: number, width: number, height: number): Bitmap | null {
  const bytes = width * height * 4;
  const memory = scratchOf(bytes);
  const lines = gdi32.GetDIBits(dc, bitmap, 0, height, new Uint8Array(memory, 0, bytes), bitmapInfo(width, height), DIB_RGB_COLORS);
  return lines === height ? { width, height, pixels: new Uint32Array(memory, 0, width * height) } : null;
}

/** Lets `draw` draw into memory like `like`, and reads it; null where GDI refuses or `draw` says that it failed. */
function drawn(like: number, width: number, height: number, draw: (memoryDc: number) => boolean): Bitmap | null {
  if (like === 0 || width <= 0 || height <= 0 || width * height > MAX_PIXELS) return null;
  const memoryDc = gdi32.CreateCompatibleDC(like);
  if (memoryDc === 0) return null;
  const bitmap = gdi32.CreateCompatibleBitmap(like, width, height);
  try {
    if (bitmap === 0) return null;
    const previous = gdi32.SelectObject(memoryDc, bitmap);
    const isDrawn = draw(memoryDc);
    gdi32.SelectObject(memoryDc, previous);
    return isDrawn ? readBitmap(memoryDc, bitmap, width, height) : null;
  } finally {
    if (bitmap !== 0) gdi32.DeleteObject(bitmap);
    gdi32.DeleteDC(memoryDc);
  }
}

/**
 * A whole window by itself, outer rectangle, in the pixels that its own program draws. `print`: the window (or the
 * compositor) draws it, which waits for its thread; `dc`: what the compositor keeps of it, without asking anyone.
 */
export function grabWindow(hwnd: number, how: 'print' | 'dc'): Bitmap | null {
  return inContextOf(hwnd, () => {
    const outer = outerRect(hwnd);
    return outer === null ? null : grabOf(hwnd, how, outer, { x: 0, y: 0, width: outer.width, height: outer.height });
  });
}

/**
 * A part of a window by itself, whatever lies above it. `part`: screen pixels; null where nothing of it is in the window,
 * and for programs whose pixels are not the screen's: where a part of what they draw is shown is not sure enough. A part of
 * `dc` costs as much as its own pixels, of `print` as the whole window.
 */
export function grabWindowPart(hwnd: number, part: Rect, how: 'print' | 'dc'): Bitmap | null {
  const physical = outerRect(hwnd);
  const own = inContextOf(hwnd, () => outerRect(hwnd));
  if (physical === null || own === null || own.width !== physical.width || own.height !== physical.height) return null;
  const inside = clipToImage({ x: part.x - physical.x, y: part.y - physical.y, width: part.width, height: part.height }, physical);
  if (inside === null) return null;
  const bitmap = inContextOf(hwnd, () => grabOf(hwnd, how, physical, inside));
  return bitmap === null || how === 'dc' ? bitmap : cutBitmap(bitmap, inside);
}

/** `part`: pixels of the window, its outer corner 0,0; the whole of it for `print`. */
function grabOf(hwnd: number, how: 'print' | 'dc', outer: Rect, part: Rect): Bitmap | null {
  const source = user32.GetWindowDC(hwnd);
  if (source === 0) return null;
  try {
    return how === 'print'
      ? drawn(source, outer.width, outer.height, (memoryDc) => user32.PrintWindow(hwnd, memoryDc, PW_RENDERFULLCONTENT))
      : drawn(source, part.width, part.height, (memoryDc) => gdi32.BitBlt(memoryDc, 0, 0, part.width, part.height, source, part.x, part.y, SRCCOPY_CAPTUREBLT));
  } finally {
    user32.ReleaseDC(hwnd, source);
  }
}

/** A part of the desktop, screen pixels. */
export function grabScreen(area: Rect): Bitmap | null {
  const screen = user32.GetDC(0);
  if (screen === 0) return null;
  try {
    return drawn(screen, area.width, area.height, (memoryDc) => (
      gdi32.BitBlt(memoryDc, 0, 0, area.width, area.height, screen, area.x, area.y, SRCCOPY_CAPTUREBLT)));
  } finally {
    user32.ReleaseDC(0, screen);
  }
}
