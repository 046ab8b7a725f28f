import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { encodePng } from '../../scripts/lib/png.mjs';

it('a written picture is read back pixel by pixel', async () => {
  for (const [width, height] of [[1, 1], [7, 3], [64, 40]] as const) {
    const rgb = randomBytes(width * height * 3);
    const { data, info } = await sharp(encodePng(width, height, rgb)).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, 3]);
    expect(data.equals(rgb)).toBe(true);
  }
});
