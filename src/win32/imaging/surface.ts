/** Memory that GDI draws into, reused between pictures. */
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BLACKNESS, DIB_RGB_COLORS } from '../../../native-bindings/win32/constants.ts';
import { BITMAPINFOHEADER } from '../../../native-bindings/win32/structs.ts';
import type { Bitmap } from './bitmap.ts';

/** Larger than any desktop; a window may claim any size, and its picture must fit in memory. */
const MAX_PIXELS = 128 * 1024 * 1024;

/** Time (ms) after which the memory is freed: pictures come in quick succession or not for a long time. */
const REUSE_MS = 2000;

/** 32 bits per pixel; the negative height puts the top row first. */
export function bitmapInfo(width: number, height: number): Buffer {
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
  return gdi32.GetDIBits(dc, bitmap, 0, height, pixels, bitmapInfo(width, height), DIB_RGB_COLORS) === height
    ? { width, height, pixels }
    : null;
}

/**
 * Pixels that GDI draws into, and a copy of them that is kept with them.
 * Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createdibsection
 */
class Surface implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly dc: number;
  readonly #bitmap: number;
  readonly #previous: number;
  readonly #pixels: Int32Array<ArrayBuffer>;

  private constructor(width: number, height: number, dc: number, bitmap: number) {
    this.width = width;
    this.height = height;
    this.dc = dc;
    this.#bitmap = bitmap;
    this.#pixels = new Int32Array(width * height);
    this.#previous = gdi32.SelectObject(dc, bitmap);
  }

  /** Null if GDI is out of memory. */
  static create(like: number, width: number, height: number): Surface | null {
    const dc = gdi32.CreateCompatibleDC(like);
    if (dc === 0) return null;
    const address = Buffer.alloc(8);
    const bitmap = gdi32.CreateDIBSection(dc, bitmapInfo(width, height), DIB_RGB_COLORS, address, 0, 0);
    if (bitmap !== 0) return new Surface(width, height, dc, bitmap);
    gdi32.DeleteDC(dc);
    return null;
  }

  /** What is drawn now, valid until the next one is taken; null if GDI refuses. */
  read(): Bitmap | null {
    gdi32.SelectObject(this.dc, this.#previous);
    const read = readBitmap(this.dc, this.#bitmap, this, this.#pixels);
    gdi32.SelectObject(this.dc, this.#bitmap);
    return read;
  }

  /** False if GDI refuses. */
  clear(): boolean {
    return gdi32.PatBlt(this.dc, 0, 0, this.width, this.height, BLACKNESS);
  }

  [Symbol.dispose](): void {
    // V8 sees only a small object and collects it late.
    this.#pixels.buffer.transfer(0);
    gdi32.SelectObject(this.dc, this.#previous);
    gdi32.DeleteObject(this.#bitmap);
    gdi32.DeleteDC(this.dc);
  }
}

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
    stored = Surface.create(like, width, height) ?? undefined;
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
export function drawn(like: number, width: number, height: number, draw: (memoryDc: number) => boolean): Bitmap | null {
  if (like === 0 || width <= 0 || height <= 0 || width * height > MAX_PIXELS) return null;
  const surface = surfaceOf(like, width, height);
  if (surface === null || !draw(surface.dc)) return null;
  // GDI draws in batches; the pixels are complete only after this.
  gdi32.GdiFlush();
  return surface.read();
}
