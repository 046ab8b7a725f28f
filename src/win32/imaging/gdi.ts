/** Pixels of windows and of the screen by GDI, which draws into memory that is used again for the next picture. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BITMAPINFOHEADER } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { inContextOf, outerRect } from '../windows/rects.ts';
import { clipToImage, cutBitmap, uniformColour, type Bitmap, wholeOf } from './bitmap.ts';

/** Larger than any desktop; a window may claim any size, and its picture must fit in memory. */
const MAX_PIXELS = 128 * 1024 * 1024;

/** Time (ms) after which the memory is freed: pictures come in quick succession or not for a long time. */
const REUSE_MS = 2000;

/** 32 bits per pixel; the negative height puts the top row first. */
function bitmapInfo(width: number, height: number): Buffer {
  return BITMAPINFOHEADER.alloc({
    biSize: BITMAPINFOHEADER.size,
    biWidth: width,
    biHeight: -height,
    biPlanes: 1,
    biBitCount: 32,
  });
}

/**
 * Pixels of a bitmap that is not selected into a device context; null if GDI refuses.
 * Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-getdibits
 */
export function readBitmap(
  dc: number,
  bitmap: number,
  { width, height }: { width: number; height: number },
  pixels = new Int32Array(width * height),
): Bitmap | null {
  return gdi32.GetDIBits(dc, bitmap, 0, height, pixels, bitmapInfo(width, height), m.DIB_RGB_COLORS) === height
    ? { width, height, pixels }
    : null;
}

/**
 * Pixels that GDI draws into, and a copy of them that is kept with them. Null if GDI is out of memory.
 * Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createdibsection
 */
function createSurface(like: number, width: number, height: number) {
  const dc = gdi32.CreateCompatibleDC(like);
  if (dc === 0) return null;
  const bitmap = gdi32.CreateDIBSection(dc, bitmapInfo(width, height), m.DIB_RGB_COLORS, Buffer.alloc(8), 0, 0);
  if (bitmap === 0) {
    gdi32.DeleteDC(dc);
    return null;
  }
  const pixels = new Int32Array(width * height);
  const previous = gdi32.SelectObject(dc, bitmap);
  return {
    width,
    height,
    dc,
    /** What is drawn now, valid until the next one is taken; null if GDI refuses. */
    read(): Bitmap | null {
      gdi32.SelectObject(dc, previous);
      const read = readBitmap(dc, bitmap, { width, height }, pixels);
      gdi32.SelectObject(dc, bitmap);
      return read;
    },
    /** False if GDI refuses. */
    clear: (): boolean => gdi32.PatBlt(dc, 0, 0, width, height, m.BLACKNESS),
    [Symbol.dispose](): void {
      // V8 sees only a small object and collects it late.
      pixels.buffer.transfer(0);
      gdi32.SelectObject(dc, previous);
      gdi32.DeleteObject(bitmap);
      gdi32.DeleteDC(dc);
    },
  };
}

type Surface = NonNullable<ReturnType<typeof createSurface>>;

let stored: Surface | undefined;
let forgetting: NodeJS.Timeout | undefined;

function forget(): void {
  clearTimeout(forgetting);
  forgetting = undefined;
  stored?.[Symbol.dispose]();
  stored = undefined;
}

/** The stored surface if it has that size, else a new one, black; null if GDI is out of memory. */
function surfaceOf(like: number, width: number, height: number): Surface | null {
  // Pixels that are not drawn now must not show an earlier picture, perhaps of another window.
  if (stored?.width !== width || stored.height !== height || !stored.clear()) {
    forget();
    stored = createSurface(like, width, height) ?? undefined;
  }
  if (stored === undefined) return null;
  if (forgetting === undefined) forgetting = setTimeout(forget, REUSE_MS).unref();
  else forgetting.refresh();
  return stored;
}

/**
 * Runs `draw` on a memory device context compatible with `like`; null if GDI refuses or `draw` fails. The pixels are valid
 * until the next call, so use them before awaiting anything.
 */
function drawn(like: number, width: number, height: number, draw: (memoryDc: number) => boolean): Bitmap | null {
  if (like === 0 || width <= 0 || height <= 0 || width * height > MAX_PIXELS) return null;
  const surface = surfaceOf(like, width, height);
  if (surface === null || !draw(surface.dc)) return null;
  // GDI draws in batches; the pixels are complete only after this.
  gdi32.GdiFlush();
  return surface.read();
}

/** Copies pixels, layered windows included. Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-bitblt */
const COPY_ALL = m.SRCCOPY | m.CAPTUREBLT;

/** Whether something is drawn outside the upper left part of this size; nothing leaves it black. */
const hasPixelsBeyond = (bitmap: Bitmap, { width, height }: { width: number; height: number }): boolean =>
  uniformColour(bitmap, { x: width, y: 0, width: bitmap.width - width, height: bitmap.height }) !== 0 ||
  uniformColour(bitmap, { x: 0, y: height, width: bitmap.width, height: bitmap.height - height }) !== 0;

/**
 * One whole window, outer rectangle, in the pixels that its program draws, or scaled to the screen's. `print`: the window (or the compositor) draws
 * it, which waits for its thread; `dc`: what the compositor has stored, without waiting.
 */
export function grabWindow(hwnd: number, how: 'print' | 'dc'): Bitmap | null {
  const physical = how === 'dc' ? outerRect(hwnd) : null;
  const own = physical === null ? null : inContextOf(hwnd, () => outerRect(hwnd));
  if (physical !== null && own !== null && (own.width < physical.width || own.height < physical.height)) {
    // Some systems keep the scaled pixels of such a window, others the pixels that its program draws.
    const whole = grabOf(hwnd, how, physical, wholeOf(physical));
    if (whole !== null && hasPixelsBeyond(whole, own)) return whole;
  }
  return inContextOf(hwnd, () => {
    const outer = outerRect(hwnd);
    return outer === null ? null : grabOf(hwnd, how, outer, wholeOf(outer));
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

const LEFT_TO_RIGHT = 0;
/** SetLayout failed. */
const GDI_ERROR = 0xffff_ffff;

/** `part`: pixels of the window from its outer corner; ignored for `print`, which draws all of it. */
function grabOf(hwnd: number, how: 'print' | 'dc', outer: Rect, part: Rect): Bitmap | null {
  const source = user32.GetWindowDC(hwnd);
  if (source === 0) return null;
  // In a mirrored (right-to-left) window x counts from the right, and its picture would be mirrored.
  const layout = gdi32.SetLayout(source, LEFT_TO_RIGHT);
  try {
    // PW_RENDERFULLCONTENT: the whole content, including what DirectX drew (Windows 8.1).
    return how === 'print'
      ? drawn(source, outer.width, outer.height, (memoryDc) =>
          user32.PrintWindow(hwnd, memoryDc, m.PW_RENDERFULLCONTENT),
        )
      : drawn(source, part.width, part.height, (memoryDc) =>
          gdi32.BitBlt(memoryDc, 0, 0, part.width, part.height, source, part.x, part.y, COPY_ALL),
        );
  } finally {
    if (layout !== GDI_ERROR) gdi32.SetLayout(source, layout);
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
