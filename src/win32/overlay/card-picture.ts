/** Decodes a card’s picture into the pixels that GDI draws. */
import sharp from 'sharp';
import type { CardImage, CardPixels } from './protocol.ts';

/** Larger pictures are refused: a card cannot use them. */
const MAX_PIXELS = 4096 * 4096;

/** Decodes a card's picture to what GDI draws: blue, green, red and one unused byte. Errors: sharp's, for what is not a picture. */
export async function decodePicture({ approvalId, bytes, outline }: CardImage): Promise<CardPixels> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height * 4);
  for (let from = 0, to = 0; to < pixels.length; from += 3, to += 4) {
    pixels[to] = data[from + 2] ?? 0;
    pixels[to + 1] = data[from + 1] ?? 0;
    pixels[to + 2] = data[from] ?? 0;
  }
  return { kind: 'pixels', approvalId, width: info.width, height: info.height, pixels, outline };
}
