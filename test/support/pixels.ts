/** Pictures as pixels. */
import sharp from 'sharp';

export interface Pixels {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): { readonly r: number; readonly g: number; readonly b: number };
  /** How many different colours a region has; 1 = uniform. */
  coloursIn(x: number, y: number, width: number, height: number): number;
}

export async function decode(base64: string): Promise<Pixels> {
  const image = sharp(Buffer.from(base64, 'base64'));
  const { format } = await image.metadata();
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offset = (x: number, y: number): number => {
    if (x < 0 || y < 0 || x >= info.width || y >= info.height)
      throw new Error(`(${x},${y}) is outside of ${info.width}×${info.height}`);
    return (Math.floor(y) * info.width + Math.floor(x)) * info.channels;
  };
  return {
    format,
    width: info.width,
    height: info.height,
    at(x, y) {
      const from = offset(x, y);
      return { r: data[from]!, g: data[from + 1]!, b: data[from + 2]! };
    },
    coloursIn(x, y, width, height) {
      const colours = new Set<number>();
      for (let row = y; row < y + height; row += 1)
        for (let column = x; column < x + width; column += 1) colours.add(data.readUIntBE(offset(column, row), 3));
      return colours.size;
    },
  };
}
