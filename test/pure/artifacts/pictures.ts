/** Makes pictures of a wanted type and size for tests. */
import sharp from 'sharp';
import type { ImageMimeType } from '../../../src/contract/artifact.ts';

const canvas = (width: number, height: number, shade: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: shade, g: 120, b: 200 } } });

/** A picture of the wanted size and type; another shade is another picture. */
export async function picture(mimeType: ImageMimeType, width = 40, height = 30, shade = 10): Promise<Buffer> {
  const image = canvas(width, height, shade);
  if (mimeType === 'image/png') return image.png().toBuffer();
  return mimeType === 'image/jpeg' ? image.jpeg().toBuffer() : image.webp().toBuffer();
}

/** WebP in its three forms: lossy, lossless, and extended (with alpha). */
export async function webpForms(width: number, height: number): Promise<Record<string, Buffer>> {
  return {
    lossy: await canvas(width, height, 1).webp().toBuffer(),
    lossless: await canvas(width, height, 1).webp({ lossless: true }).toBuffer(),
    extended: await sharp({ create: { width, height, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } })
      .webp()
      .toBuffer(),
  };
}

/** A picture of noise, which no format makes small. */
export async function noise(mimeType: ImageMimeType, side: number, seed = 1): Promise<Buffer> {
  let state = seed;
  const pixels = Buffer.alloc(side * side * 3);
  for (let index = 0; index < pixels.length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    pixels[index] = state >>> 16;
  }
  const image = sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
  return mimeType === 'image/png'
    ? image.png({ compressionLevel: 0 }).toBuffer()
    : image.jpeg({ quality: 100 }).toBuffer();
}
