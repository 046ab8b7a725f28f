/** Pixels as GDI delivers them and as images need them: cutting, conversion, masking. No Windows in here. */
import type { Rect } from '../../contract/geometry.ts';
import { pixelMemory, returnPixelMemory } from './pixel-memory.ts';

/** Pixels of GDI: four bytes each (blue, green, red, unused), rows from the top. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

/** Pixels for an encoder: three bytes each (red, green, blue), rows from the top. Its memory is its own. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const COLOUR = 0x00ff_ffff;

/** A rectangle in pixels of an image, clipped to the image; null if it is outside. */
export function clipToImage(rect: Rect, image: { width: number; height: number }): Rect | null {
  const x = Math.max(0, Math.floor(rect.x));
  const y = Math.max(0, Math.floor(rect.y));
  const right = Math.min(image.width, Math.ceil(rect.x + rect.width));
  const bottom = Math.min(image.height, Math.ceil(rect.y + rect.height));
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

/** The colour (0x00RRGGBB) of all pixels in the part; null if there are two. Stops at the first difference. */
export function uniformColour(
  bitmap: Bitmap,
  part: Rect = { x: 0, y: 0, width: bitmap.width, height: bitmap.height },
): number | null {
  const inside = clipToImage(part, bitmap);
  if (inside === null) return null;
  const { pixels, width } = bitmap;
  const first = (pixels[inside.y * width + inside.x] ?? 0) & COLOUR;
  for (let y = inside.y; y < inside.y + inside.height; y++) {
    const end = y * width + inside.x + inside.width;
    for (let at = y * width + inside.x; at < end; at++) if (((pixels[at] ?? 0) & COLOUR) !== first) return null;
  }
  return first;
}

/** A copy of a part; `part` must be inside. */
export function cutBitmap(bitmap: Bitmap, part: Rect): Bitmap {
  const pixels = new Uint32Array(part.width * part.height);
  for (let y = 0; y < part.height; y++) {
    const from = (part.y + y) * bitmap.width + part.x;
    pixels.set(bitmap.pixels.subarray(from, from + part.width), y * part.width);
  }
  return { width: part.width, height: part.height, pixels };
}

/**
 * Cuts a part out and converts it to RGB in one pass; `part` must be inside. Four pixels at a time become three words:
 * a full screen takes 2 ms this way, and three times as long byte by byte.
 */
export function toRgb(
  bitmap: Bitmap,
  part: Rect = { x: 0, y: 0, width: bitmap.width, height: bitmap.height },
): RgbImage {
  const { pixels, width } = bitmap;
  const count = part.width * part.height;
  const memory = pixelMemory(Math.ceil((count * 3) / 4) * 4);
  const data = Buffer.from(memory, 0, count * 3);
  const words = new Uint32Array(memory);
  const put = (to: number, pixel: number): void => {
    data[to * 3] = pixel >>> 16;
    data[to * 3 + 1] = pixel >>> 8;
    data[to * 3 + 2] = pixel;
  };
  let to = 0;
  for (let y = part.y; y < part.y + part.height; y++) {
    let at = y * width + part.x;
    const end = at + part.width;
    while ((to & 3) !== 0 && at < end) put(to++, pixels[at++] as number);
    for (; at + 4 <= end; at += 4, to += 4) {
      const one = pixels[at] as number;
      const two = pixels[at + 1] as number;
      const three = pixels[at + 2] as number;
      const four = pixels[at + 3] as number;
      const word = (to >> 2) * 3;
      words[word] = ((one >>> 16) & 0xff) | (one & 0xff00) | ((one & 0xff) << 16) | ((two & 0xff_0000) << 8);
      words[word + 1] = ((two >>> 8) & 0xff) | ((two & 0xff) << 8) | (three & 0xff_0000) | ((three & 0xff00) << 16);
      words[word + 2] = (three & 0xff) | ((four >>> 8) & 0xff00) | ((four & 0xff00) << 8) | ((four & 0xff) << 24);
    }
    while (at < end) put(to++, pixels[at++] as number);
  }
  return { width: part.width, height: part.height, data };
}

/** Gives an image's memory to the next one; the image must not be used any more. */
export function discard(image: RgbImage): void {
  returnPixelMemory(image.data.buffer as ArrayBuffer);
}

/** An image of one colour (0x00RRGGBB). */
export function uniformImage(width: number, height: number, colour: number): RgbImage {
  return {
    width,
    height,
    data: Buffer.allocUnsafeSlow(width * height * 3).fill(
      Buffer.from([colour >>> 16, (colour >>> 8) & 0xff, colour & 0xff]),
    ),
  };
}

/** Mask over what must not be seen: plain grey, which no reader mistakes for content. */
const MASK_GREY = 0x80;

/** Masks rectangles (image pixels) in place. Parts outside are ignored. */
export function paintOver(image: RgbImage, rects: readonly Rect[]): void {
  for (const rect of rects) {
    const inside = clipToImage(rect, image);
    if (inside === null) continue;
    for (let y = inside.y; y < inside.y + inside.height; y++) {
      const start = (y * image.width + inside.x) * 3;
      image.data.fill(MASK_GREY, start, start + inside.width * 3);
    }
  }
}
