/** Reads colours from a decoded picture by screen point. */
import sharp from 'sharp';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import type { Picture } from '../../../../src/desktop/index.ts';

/** A decoded picture that tests ask for colours by screen point: a witness that knows nothing of how it was made. */
export class Pixels {
  readonly width: number;
  readonly height: number;
  readonly #data: Buffer;
  readonly #channels: number;
  readonly #picture: Picture;

  private constructor(picture: Picture, data: Buffer, info: { width: number; height: number; channels: number }) {
    this.#picture = picture;
    this.#data = data;
    this.width = info.width;
    this.height = info.height;
    this.#channels = info.channels;
  }

  static async of(picture: Picture): Promise<Pixels> {
    const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true });
    return new Pixels(picture, data, info);
  }

  /** 0xRRGGBB at an image point. */
  at(x: number, y: number): number {
    const at = (y * this.width + x) * this.#channels;
    return ((this.#data[at] ?? 0) << 16) | ((this.#data[at + 1] ?? 0) << 8) | (this.#data[at + 2] ?? 0);
  }

  /** 0xRRGGBB at a screen point. */
  atScreen(x: number, y: number): number {
    const { originX, originY, displayWidth, displayHeight, imageWidth, imageHeight } = this.#picture.geometry;
    return this.at(
      Math.floor(((x - originX + 0.5) * imageWidth) / displayWidth),
      Math.floor(((y - originY + 0.5) * imageHeight) / displayHeight),
    );
  }

  /** The colours inside a screen rectangle. */
  coloursIn(rect: Rect): Set<number> {
    const colours = new Set<number>();
    for (let y = rect.y; y < rect.y + rect.height; y++)
      for (let x = rect.x; x < rect.x + rect.width; x++) colours.add(this.atScreen(x, y));
    return colours;
  }
}
