import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { viewMemory } from '../../../native-bindings/library.ts';
import { BITMAPINFOHEADER } from '../../../native-bindings/win32/structs.ts';
import type { Bitmap } from './bitmap.ts';

export const DIB_RGB_COLORS = 0;
/** Larger than any desktop; a window may claim any size, and its picture has to fit in memory. */
const MAX_PIXELS = 128 * 1024 * 1024;
/** Pictures come in quick succession or not at all for a long time, in which nobody needs that memory. */
const KEPT_MS = 2000;

/** 32 bits a pixel; the negative height makes the first row the top one. */
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
 * Pixels that GDI draws into and that are read where they are, without a copy.
 * Source: learn.microsoft.com/windows/win32/api/wingdi/nf-wingdi-createdibsection
 */
class Surface implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly dc: number;
  readonly #bitmap: number;
  readonly #previous: number;
  readonly #memory: ArrayBuffer;

  private constructor(width: number, height: number, dc: number, bitmap: number, memory: ArrayBuffer) {
    this.width = width;
    this.height = height;
    this.dc = dc;
    this.#bitmap = bitmap;
    this.#memory = memory;
    this.#previous = gdi32.SelectObject(dc, bitmap);
  }

  /** Null where GDI has no memory for it. */
  static create(like: number, width: number, height: number): Surface | null {
    const dc = gdi32.CreateCompatibleDC(like);
    if (dc === 0) return null;
    const address = Buffer.alloc(8);
    const bitmap = gdi32.CreateDIBSection(dc, bitmapInfo(width, height), DIB_RGB_COLORS, address, 0, 0);
    const at = address.readBigUInt64LE(0);
    if (bitmap !== 0 && at !== 0n) return new Surface(width, height, dc, bitmap, viewMemory(at, width * height * 4));
    if (bitmap !== 0) gdi32.DeleteObject(bitmap);
    gdi32.DeleteDC(dc);
    return null;
  }

  get pixels(): Uint32Array {
    return new Uint32Array(this.#memory);
  }

  [Symbol.dispose](): void {
    // Whoever still holds the pixels has none from now on, instead of memory that is no longer ours.
    this.#memory.transfer(0);
    gdi32.SelectObject(this.dc, this.#previous);
    gdi32.DeleteObject(this.#bitmap);
    gdi32.DeleteDC(this.dc);
  }
}

let kept: Surface | undefined;
let forgetting: NodeJS.Timeout | undefined;

function forget(): void {
  clearTimeout(forgetting);
  forgetting = undefined;
  kept?.[Symbol.dispose]();
  kept = undefined;
}

/** The kept surface if it has that size, else a new one in its place, black; null where GDI has no memory. */
function surfaceOf(like: number, width: number, height: number): Surface | null {
  if (kept?.width !== width || kept.height !== height) {
    forget();
    kept = Surface.create(like, width, height) ?? undefined;
  } else {
    // What is not drawn now must not show what was drawn before: another window, perhaps.
    kept.pixels.fill(0);
  }
  if (kept === undefined) return null;
  if (forgetting === undefined) forgetting = setTimeout(forget, KEPT_MS).unref();
  else forgetting.refresh();
  return kept;
}

/**
 * Lets `draw` draw into memory like `like`; null where GDI refuses or `draw` says that it failed. The pixels are valid
 * until the next call, so they must be used up before anything is awaited.
 */
export function drawn(like: number, width: number, height: number, draw: (memoryDc: number) => boolean): Bitmap | null {
  if (like === 0 || width <= 0 || height <= 0 || width * height > MAX_PIXELS) return null;
  const surface = surfaceOf(like, width, height);
  if (surface === null || !draw(surface.dc)) return null;
  // GDI draws in batches; only after this are the pixels there.
  gdi32.GdiFlush();
  return { width, height, pixels: surface.pixels };
}
