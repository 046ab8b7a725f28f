// A picture of a whole X screen, requested from the X server itself: it works whatever the programs on it are doing.
import { SetupError } from './progress.mjs';
import { openDisplay } from './x-client.mjs';

/**
 * Takes a picture of a display such as ":99".
 * @param {string} display
 * @returns {Promise<{ png: Buffer, width: number, height: number }>}
 */
export async function pictureOfDisplay(display) {
  let client;
  try {
    client = await openDisplay(display);
    const { width, height } = client;
    const image = await client.image();
    const rgb = Buffer.allocUnsafe(width * height * 3);
    for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
      rgb[to] = image[from + 2];
      rgb[to + 1] = image[from + 1];
      rgb[to + 2] = image[from];
    }
    // loaded here: scripts that import this file also run before anything is installed
    const { default: sharp } = await import('sharp');
    return {
      png: await sharp(rgb, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 3 })
        .toBuffer(),
      width,
      height,
    };
  } catch (error) {
    throw new SetupError(
      `The X server on ${display} returned no picture: ${error.message}.`,
      'check that `node scripts/start.mjs` is still running',
    );
  } finally {
    client?.close();
  }
}
