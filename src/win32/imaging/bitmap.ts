/** Pixels as GDI delivers them and as images need them: cutting, conversion, masking. No Windows in here. */
import type { Rect } from '../../contract/element/geometry.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';

/**
 * Pixels of GDI: four bytes each (blue, green, red, unused), rows from the top. Signed: the unused byte is 255 on many
 * systems, and until its code is optimised V8 would make an object of each unsigned number of that size.
 */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Int32Array;
}

/** Pixels for an encoder: three bytes each (red, green, blue), rows from the top. Its memory is its own. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const COLOUR = 0x00ff_ffff;

/** All of an image. */
export const wholeOf = ({ width, height }: { width: number; height: number }): Rect => ({ x: 0, y: 0, width, height });

/** A rectangle in pixels of an image, clipped to the image; null if it is outside. */
export function clipToImage(rect: Rect, image: { width: number; height: number }): Rect | null {
  const x = Math.max(0, Math.floor(rect.x));
  const y = Math.max(0, Math.floor(rect.y));
  const right = Math.min(image.width, Math.ceil(rect.x + rect.width));
  const bottom = Math.min(image.height, Math.ceil(rect.y + rect.height));
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

/** Each row is a call: V8 leaves the optimised code of a loop at its end, and would begin the next row without it. */
function isUniform(pixels: Int32Array, from: number, end: number, colour: number): boolean {
  for (let at = from; at < end; at++) if (((pixels[at] as number) & COLOUR) !== colour) return false;
  return true;
}

/** The colour (0x00RRGGBB) of all pixels in the part; null if there are two. Stops at the first difference. */
export function uniformColour(bitmap: Bitmap, part: Rect = wholeOf(bitmap)): number | null {
  const inside = clipToImage(part, bitmap);
  if (inside === null) return null;
  const { pixels, width } = bitmap;
  const first = (pixels[inside.y * width + inside.x] ?? 0) & COLOUR;
  for (let y = inside.y; y < inside.y + inside.height; y++) {
    const from = y * width + inside.x;
    if (!isUniform(pixels, from, from + inside.width, first)) return null;
  }
  return first;
}

/** A copy of a part; `part` must be inside. */
export function cutBitmap(bitmap: Bitmap, part: Rect = wholeOf(bitmap)): Bitmap {
  const pixels = new Int32Array(part.width * part.height);
  for (let y = 0; y < part.height; y++) {
    const from = (part.y + y) * bitmap.width + part.x;
    pixels.set(bitmap.pixels.subarray(from, from + part.width), y * part.width);
  }
  return { width: part.width, height: part.height, pixels };
}

function convertPixel(pixel: number, data: Buffer, at: number): void {
  data[at] = pixel >>> 16;
  data[at + 1] = pixel >>> 8;
  data[at + 2] = pixel;
}

/**
 * Converts a row, which becomes the pixels from `to` on. Four pixels at a time become three words: a full screen takes 2 ms
 * this way, and three times as long byte by byte.
 */
// oxlint-disable-next-line max-params -- called once a row of every picture: no object is made for it
function convertRow(pixels: Int32Array, from: number, end: number, data: Buffer, words: Int32Array, to: number): void {
  let at = from;
  let next = to;
  for (; (next & 3) !== 0 && at < end; at++, next++) convertPixel(pixels[at] as number, data, next * 3);
  for (; at + 4 <= end; at += 4, next += 4) {
    const one = pixels[at] as number;
    const two = pixels[at + 1] as number;
    const three = pixels[at + 2] as number;
    const four = pixels[at + 3] as number;
    const word = (next >> 2) * 3;
    words[word] = ((one >>> 16) & 0xff) | (one & 0xff00) | ((one & 0xff) << 16) | ((two & 0xff_0000) << 8);
    words[word + 1] = ((two >>> 8) & 0xff) | ((two & 0xff) << 8) | (three & 0xff_0000) | ((three & 0xff00) << 16);
    words[word + 2] = (three & 0xff) | ((four >>> 8) & 0xff00) | ((four & 0xff00) << 8) | ((four & 0xff) << 24);
  }
  for (; at < end; at++, next++) convertPixel(pixels[at] as number, data, next * 3);
}

/** Cuts a part out and converts it to RGB in one pass; `part` must be inside. */
export function toRgb(bitmap: Bitmap, part: Rect = wholeOf(bitmap)): RgbImage {
  const { pixels, width } = bitmap;
  const count = part.width * part.height;
  const memory = new ArrayBuffer(Math.ceil((count * 3) / 4) * 4);
  const data = Buffer.from(memory, 0, count * 3);
  const words = new Int32Array(memory);
  for (let row = 0; row < part.height; row++) {
    const from = (part.y + row) * width + part.x;
    convertRow(pixels, from, from + part.width, data, words, row * part.width);
  }
  return { width: part.width, height: part.height, data };
}

/** Frees an image's memory, which V8 would do late: it sees only a small object. The image must not be used any more. */
export function discard(image: RgbImage): void {
  const memory = image.data.buffer as ArrayBuffer;
  if (!memory.detached) memory.transfer(0);
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

// Which parts of a rectangle others leave uncovered. No Windows in here.

/** `rect` without `hole`: up to four rectangles that do not overlap. */
export function subtractRect(rect: Rect, hole: Rect): Rect[] {
  const inner = intersectRects(rect, hole);
  if (inner === null) return [rect];
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  const innerRight = inner.x + inner.width;
  const innerBottom = inner.y + inner.height;
  return [
    { x: rect.x, y: rect.y, width: rect.width, height: inner.y - rect.y },
    { x: rect.x, y: innerBottom, width: rect.width, height: bottom - innerBottom },
    { x: rect.x, y: inner.y, width: inner.x - rect.x, height: inner.height },
    { x: innerRight, y: inner.y, width: right - innerRight, height: inner.height },
  ].filter((part) => part.width > 0 && part.height > 0);
}

/** The parts of `rect` that no cover hides. */
export function uncovered(rect: Rect, covers: readonly Rect[]): Rect[] {
  let parts = [rect];
  for (const cover of covers) parts = parts.flatMap((part) => subtractRect(part, cover));
  return parts;
}

/** Windows 11 rounds corners by 8 pixels at 100 %; twice that leaves room for scaling. */
const CORNER = 16;

/** The parts of a window's frame that certainly hide what is below: all except the corners, which may be round. */
export function opaqueParts(frame: Rect): Rect[] {
  const corner = Math.min(CORNER, Math.floor(frame.width / 2), Math.floor(frame.height / 2));
  return [
    { x: frame.x + corner, y: frame.y, width: frame.width - 2 * corner, height: frame.height },
    { x: frame.x, y: frame.y + corner, width: frame.width, height: frame.height - 2 * corner },
  ].filter((part) => part.width > 0 && part.height > 0);
}
