/** Pixels, regions and the choice among captured pictures. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  discard,
  paintOver,
  toRgb,
  uniformColour,
  type Bitmap,
  opaqueParts,
  subtractRect,
  uncovered,
} from '../../../../src/win32/imaging/bitmap.ts';
import { cutShot, encodeShot } from '../../../../src/win32/imaging/bitmap.ts';
import { iconToRgba } from '../../../../src/win32/apps/installed.ts';
import { rectContains } from '../../../../src/contract/element/coordinates.ts';
import type { Rect } from '../../../../src/contract/element/geometry.ts';

/** Each pixel knows its place: red = x, green = y, blue = 7. */
function numbered(width: number, height: number): Bitmap {
  const pixels = new Int32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels[y * width + x] = 0xab00_0007 | (x << 16) | (y << 8);
  return { width, height, pixels };
}

describe('pixels', () => {
  test('[capture.window] any part becomes RGB, whatever its width and where it begins', () => {
    const bitmap = numbered(23, 9);
    for (let x = 0; x < 6; x++) {
      for (let width = 1; width <= 17; width++) {
        const { data } = toRgb(bitmap, { x, y: 2, width, height: 5 });
        expect(data).toHaveLength(width * 5 * 3);
        for (let row = 0; row < 5; row++) {
          for (let column = 0; column < width; column++) {
            const at = (row * width + column) * 3;
            expect([data[at], data[at + 1], data[at + 2]]).toEqual([x + column, 2 + row, 7]);
          }
        }
      }
    }
  });

  test('tells a single colour from two, in the whole and in a part; the fourth byte does not count', () => {
    const pixels = new Int32Array(40).fill(0xff10_2030);
    pixels[3] = 0x0010_2030;
    const bitmap = { width: 8, height: 5, pixels };
    expect(uniformColour(bitmap)).toBe(0x10_2030);
    pixels[39] = 0xff10_2031;
    expect(uniformColour(bitmap)).toBeNull();
    expect(uniformColour(bitmap, { x: 0, y: 0, width: 8, height: 4 })).toBe(0x10_2030);
    expect(uniformColour(bitmap, { x: 20, y: 0, width: 8, height: 4 })).toBeNull();
  });

  test('[capture.password] a masked area is gone, up to its edges and no further', () => {
    const image = toRgb(numbered(10, 10));
    paintOver(image, [
      { x: 2, y: 3, width: 4, height: 2 },
      { x: -5, y: 8, width: 8, height: 50 },
      { x: 40, y: 0, width: 5, height: 5 },
    ]);
    for (let y = 0; y < 10; y++) {
      for (let x = 0; x < 10; x++) {
        const isMasked = rectContains({ x: 2, y: 3, width: 4, height: 2 }, { x, y }) || (x < 3 && y >= 8);
        const at = (y * 10 + x) * 3;
        expect([image.data[at], image.data[at + 1], image.data[at + 2]]).toEqual(
          isMasked ? [128, 128, 128] : [x, y, 7],
        );
      }
    }
  });
});

describe('regions', () => {
  const area = (rects: readonly Rect[]): number => rects.reduce((sum, rect) => sum + rect.width * rect.height, 0);

  test('[capture.deny] the rest of a rectangle is exact and does not overlap', () => {
    const rect = { x: 10, y: 10, width: 20, height: 20 };
    for (const hole of [
      { x: 0, y: 0, width: 15, height: 15 },
      { x: 15, y: 15, width: 5, height: 5 },
      { x: 0, y: 12, width: 100, height: 3 },
      { x: 25, y: 25, width: 50, height: 50 },
    ]) {
      const parts = subtractRect(rect, hole);
      for (let y = 5; y < 35; y++) {
        for (let x = 5; x < 35; x++) {
          const count = parts.filter((part) => rectContains(part, { x, y })).length;
          expect(count).toBe(rectContains(rect, { x, y }) && !rectContains(hole, { x, y }) ? 1 : 0);
        }
      }
    }
    expect(subtractRect(rect, { x: 0, y: 0, width: 100, height: 100 })).toEqual([]);
    expect(subtractRect(rect, { x: 100, y: 0, width: 5, height: 5 })).toEqual([rect]);
  });

  test('[capture.deny] covers add up', () => {
    const rect = { x: 0, y: 0, width: 100, height: 100 };
    expect(
      area(
        uncovered(rect, [
          { x: 0, y: 0, width: 60, height: 100 },
          { x: 40, y: 0, width: 60, height: 50 },
        ]),
      ),
    ).toBe(40 * 50);
    expect(uncovered(rect, [])).toEqual([rect]);
  });

  test('[capture.deny] round corners hide nothing', () => {
    const frame = { x: 100, y: 100, width: 300, height: 200 };
    const left = uncovered(frame, opaqueParts(frame));
    expect(area(left)).toBe(4 * 16 * 16);
    expect(left.some((part) => rectContains(part, { x: 100, y: 100 }))).toBe(true);
    expect(opaqueParts({ x: 0, y: 0, width: 10, height: 4 }).every((part) => part.width > 0 && part.height > 0)).toBe(
      true,
    );
  });
});

describe('shots', () => {
  const shotOf = (width: number, height: number, area: Rect) => ({ image: toRgb(numbered(width, height)), area });

  test('a large picture is scaled to the budget, and its geometry keeps the original', async () => {
    const { geometry, bytes } = await encodeShot(
      shotOf(1920, 1080, { x: -1920, y: 0, width: 1920, height: 1080 }),
      'png',
    );
    expect(geometry).toEqual({
      imageWidth: 1456,
      imageHeight: 819,
      displayWidth: 1920,
      displayHeight: 1080,
      originX: -1920,
      originY: 0,
    });
    expect(Buffer.from(bytes).readUInt32BE(16)).toBe(1456);
    expect(Buffer.from(bytes).readUInt32BE(20)).toBe(819);
  });

  test('[capture.window] pictures that are encoded at the same time do not share memory', async () => {
    const colours = [0x11_2233, 0x44_5566, 0x77_8899, 0xaa_bbcc];
    discard(toRgb(numbered(300, 200)));
    const pictures = await Promise.all(
      colours.map(async (colour) => {
        const image = toRgb({ width: 300, height: 200, pixels: new Int32Array(300 * 200).fill(colour) });
        return encodeShot({ image, area: { x: 0, y: 0, width: 300, height: 200 } }, 'png');
      }),
    );
    for (const [index, { bytes }] of pictures.entries()) {
      const { channels } = await sharp(Buffer.from(bytes)).stats();
      const mean = channels.slice(0, 3).reduce((sum, channel) => sum * 256 + channel.mean, 0);
      expect(mean).toBe(colours[index]);
    }
  });

  test('a part keeps its pixels and its place', () => {
    const part = cutShot(shotOf(100, 80, { x: 500, y: -300, width: 100, height: 80 }), {
      x: 10,
      y: 20,
      width: 5,
      height: 4,
    });
    expect(part?.area).toEqual({ x: 510, y: -280, width: 5, height: 4 });
    expect([...(part?.image.data.subarray(0, 6) ?? [])]).toEqual([10, 20, 7, 11, 20, 7]);
    expect(
      cutShot(shotOf(100, 80, { x: 0, y: 0, width: 100, height: 80 }), { x: 100, y: 0, width: 5, height: 5 }),
    ).toBeNull();
  });

  test('a program that draws at 96 DPI on a 200 % display gives half as many pixels', () => {
    const part = cutShot(shotOf(100, 80, { x: 0, y: 0, width: 200, height: 160 }), {
      x: 20,
      y: 40,
      width: 60,
      height: 20,
    });
    expect(part?.image).toMatchObject({ width: 30, height: 10 });
    expect(part?.area).toEqual({ x: 20, y: 40, width: 60, height: 20 });
    expect([...(part?.image.data.subarray(0, 3) ?? [])]).toEqual([10, 20, 7]);
  });
});

test('alpha where there is one, else the mask', () => {
  expect([...iconToRgba(new Int32Array([0x8011_2233, 0x0044_5566]), null)]).toEqual([
    0x11, 0x22, 0x33, 0x80, 0x44, 0x55, 0x66, 0,
  ]);
  expect([...iconToRgba(new Int32Array([0x0011_2233, 0x0044_5566]), new Int32Array([0, 0xffffff]))]).toEqual([
    0x11, 0x22, 0x33, 255, 0x44, 0x55, 0x66, 0,
  ]);
  expect([...iconToRgba(new Int32Array([0x0011_2233]), null)]).toEqual([0x11, 0x22, 0x33, 255]);
});
