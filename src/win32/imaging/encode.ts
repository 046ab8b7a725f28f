/** Encoding of pictures, within the image budget. */
import type { default as SharpFunction, Sharp } from 'sharp';
import type { ImageMimeType } from '../../contract/artifact.ts';
import { fitImageBudget } from '../../contract/element/coordinates.ts';
import type { ObservationGeometry, Rect } from '../../contract/element/geometry.ts';
import type { CaptureFormat } from '../../desktop/ports.ts';
import { clipToImage, discard, type RgbImage } from './bitmap.ts';

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
