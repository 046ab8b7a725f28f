/** Pixels as GDI delivers them and as images need them: cutting, conversion, masking. No Windows in here. */
import type { Rect, ObservationGeometry } from '../../contract/element/geometry.ts';
import { intersectRects, fitImageBudget } from '../../contract/element/coordinates.ts';
import type { default as SharpFunction, Sharp } from 'sharp';
import type { ImageMimeType } from '../../contract/artifact.ts';
import type { CaptureFormat } from '../../desktop/ports.ts';

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

/** An image and the part of the desktop (screen pixels) that it shows. Their sizes differ for DPI-unaware programs. */
export interface Shot {
  readonly image: RgbImage;
  readonly area: Rect;
}

let loaded: typeof SharpFunction | undefined;

/**
 * Loaded on first use: it is the largest native package, and not every process takes pictures. Operations never repeat, so a
 * cache would only hold memory; one thread leaves the other cores to the programs.
 */
async function sharp(): Promise<typeof SharpFunction> {
  if (loaded === undefined) {
    loaded = (await import('sharp')).default;
    loaded.cache(false);
    loaded.concurrency(1);
  }
  return loaded;
}

/** The best trade-off for screen content: two thirds of level 6's time for a tenth more bytes. */
const PNG_LEVEL = 3;
const LOSSY_QUALITY = 75;
/** WebP's default effort takes four times as long for a few per cent. */
const WEBP_EFFORT = 0;

const MIME: Readonly<Record<CaptureFormat, ImageMimeType>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

function inFormat(image: Sharp, format: CaptureFormat): Sharp {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: PNG_LEVEL });
    case 'jpeg':
      return image.jpeg({ quality: LOSSY_QUALITY });
    case 'webp':
      return image.webp({ quality: LOSSY_QUALITY, effort: WEBP_EFFORT });
  }
}

async function encode(
  image: RgbImage,
  size: { width: number; height: number },
  format: CaptureFormat,
): Promise<Buffer> {
  let pipeline = (await sharp())(image.data, { raw: { width: image.width, height: image.height, channels: 3 } });
  if (size.width !== image.width || size.height !== image.height)
    pipeline = pipeline.resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos2' });
  return inFormat(pipeline, format).toBuffer();
}

/**
 * Encodes a shot, scaled down if it exceeds the image budget, with the mapping between image and desktop points. Uses up
 * the shot's image.
 */
export async function encodeShot(
  shot: Shot,
  format: CaptureFormat,
): Promise<{ bytes: Uint8Array; mimeType: ImageMimeType; geometry: ObservationGeometry }> {
  const { image, area } = shot;
  const size = fitImageBudget(image.width, image.height);
  let bytes: Uint8Array;
  try {
    bytes = await encode(image, size, format);
  } finally {
    discard(image);
  }
  return {
    bytes,
    mimeType: MIME[format],
    geometry: {
      imageWidth: size.width,
      imageHeight: size.height,
      displayWidth: area.width,
      displayHeight: area.height,
      originX: area.x,
      originY: area.y,
    },
  };
}

/** RGBA pixels as a PNG, unscaled: icons. */
export async function encodeRgbaPng(width: number, height: number, rgba: Buffer): Promise<Buffer> {
  return (await sharp())(rgba, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A part of a shot, or the same shot if that is all of it; `part` is in desktop pixels from the shot's origin. Null if it is outside. */
export function cutShot(shot: Shot, part: Rect): Shot | null {
  const { image, area } = shot;
  const wanted = clipToImage(part, area);
  if (wanted === null) return null;
  if (wanted.x === 0 && wanted.y === 0 && wanted.width === area.width && wanted.height === area.height) return shot;
  const scaleX = image.width / area.width;
  const scaleY = image.height / area.height;
  const inside = clipToImage(
    { x: wanted.x * scaleX, y: wanted.y * scaleY, width: wanted.width * scaleX, height: wanted.height * scaleY },
    image,
  );
  if (inside === null) return null;
  const data = Buffer.allocUnsafeSlow(inside.width * inside.height * 3);
  for (let row = 0; row < inside.height; row++) {
    const from = ((inside.y + row) * image.width + inside.x) * 3;
    image.data.copy(data, row * inside.width * 3, from, from + inside.width * 3);
  }
  return {
    image: { width: inside.width, height: inside.height, data },
    area: { ...wanted, x: area.x + wanted.x, y: area.y + wanted.y },
  };
}
