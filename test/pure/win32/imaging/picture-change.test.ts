/** Whether two pictures of one place differ enough to count as evidence. */
import { describe, expect, test } from 'vitest';
import type { Rect } from '../../../../src/contract/element/geometry.ts';
import { type Bitmap, cutBitmap } from '../../../../src/win32/imaging/bitmap.ts';
import { pictureChange } from '../../../../src/win32/imaging/picture-change.ts';

const WIDTH = 60;
const HEIGHT = 40;

/** A grey picture with rectangles of one colour in it. */
function picture(...rects: readonly Rect[]): Bitmap {
  const pixels = new Int32Array(WIDTH * HEIGHT).fill(0xff80_8080);
  for (const { x, y, width, height } of rects)
    for (let row = y; row < y + height; row++) pixels.fill(0xff20_4060, row * WIDTH + x, row * WIDTH + x + width);
  return { width: WIDTH, height: HEIGHT, pixels };
}
const frame = ({ x, y, width, height }: Rect): Rect[] => [
  { x, y, width, height: 1 },
  { x, y: y + height - 1, width, height: 1 },
  { x, y, width: 1, height },
  { x: x + width - 1, y, width: 1, height },
];

describe('two pictures of one place', () => {
  test('[outcome.confirmed] the rectangle around all that is different; the fourth byte does not count', () => {
    expect(pictureChange(picture(), picture())).toBeNull();
    const opaque = picture();
    expect(pictureChange(opaque, { ...opaque, pixels: opaque.pixels.map((pixel) => pixel & 0x00ff_ffff) })).toBeNull();
    expect(pictureChange(picture(), picture({ x: 7, y: 3, width: 1, height: 1 }))).toEqual({
      x: 7,
      y: 3,
      width: 1,
      height: 1,
    });
    expect(
      pictureChange(picture({ x: 5, y: 6, width: 4, height: 2 }), picture({ x: 50, y: 30, width: 10, height: 10 })),
    ).toEqual({ x: 5, y: 6, width: 55, height: 34 });
  });

  test('[outcome.confirmed] carets are left out', () => {
    const caret = { x: 20, y: 10, width: 2, height: 14 };
    expect(pictureChange(picture(), picture(caret), [caret])).toBeNull();
    expect(pictureChange(picture(), picture(caret, { x: 23, y: 12, width: 5, height: 9 }), [caret])).toEqual({
      x: 23,
      y: 12,
      width: 5,
      height: 9,
    });
  });

  test('[outcome.confirmed] a frame alone is the focus, even if it moved away; a frame with something in it is more', () => {
    const rect = { x: 4, y: 4, width: 50, height: 20 };
    expect(pictureChange(picture(), picture(...frame(rect)))).toBeNull();
    expect(pictureChange(picture(...frame(rect)), picture())).toBeNull();
    expect(pictureChange(picture(), picture(...frame(rect), { x: 20, y: 11, width: 6, height: 6 }))).toEqual({
      x: 20,
      y: 11,
      width: 6,
      height: 6,
    });
    expect(pictureChange(picture(), picture(rect))).toEqual(rect);
    // too small for a frame
    expect(pictureChange(picture(), picture(...frame({ x: 4, y: 4, width: 8, height: 8 })))).toEqual({
      x: 4,
      y: 4,
      width: 8,
      height: 8,
    });
  });

  describe('what the focus draws', () => {
    const caret = { x: 20, y: 10, width: 1, height: 11 };
    const dots = (rect: Rect): Rect[] =>
      frame(rect).flatMap(({ x, y, width, height }) =>
        Array.from({ length: Math.max(width, height) / 2 }, (_each, at) => ({
          x: x + (width > 1 ? 2 * at : 0),
          y: y + (height > 1 ? 2 * at : 0),
          width: 1,
          height: 1,
        })),
      );
    const thick = ({ x, y, width, height }: Rect, by: number): Rect[] =>
      Array.from({ length: by }, (_each, at) =>
        frame({ x: x + at, y: y + at, width: width - 2 * at, height: height - 2 * at }),
      ).flat();
    const field = { x: 4, y: 4, width: 50, height: 24 };
    const mark = { x: 30, y: 12, width: 6, height: 6 };
    const looks: Readonly<Record<string, readonly [before: readonly Rect[], after: readonly Rect[]]>> = {
      'a caret that the program draws': [[], [caret]],
      'a caret that has moved by a letter': [[caret], [{ ...caret, x: 26 }]],
      'a wide caret': [[], [{ ...caret, width: 3 }]],
      'an underscore as the caret, longer than a letter': [[], [{ x: 20, y: 20, width: 14, height: 2 }]],
      'the line under a field': [[], [{ x: 4, y: 30, width: 50, height: 2 }]],
      'a border with the caret in it': [[], [...frame(field), caret]],
      'a border that a caret touches': [[], [...frame(field), { ...caret, y: 5, height: 22 }]],
      'a dotted border with the caret in it': [[], [...dots(field), caret]],
      'a border that glows': [[], thick(field, 5)],
      'a border that glows, with the caret in it': [[], [...thick(field, 4), caret]],
      'a border that went from one field to another': [
        frame({ x: 2, y: 2, width: 24, height: 16 }),
        frame({ x: 30, y: 20, width: 24, height: 16 }),
      ],
      'a border that is cut off': [[], frame(field).slice(0, 3)],
      'a caret and a line under its field': [[], [caret, { x: 4, y: 30, width: 50, height: 2 }]],
    };
    for (const [what, [before, after]] of Object.entries(looks))
      test(`${what} does not count, and a mark next to it does`, () => {
        expect(pictureChange(picture(...before), picture(...after))).toBeNull();
        expect(pictureChange(picture(...after), picture(...before))).toBeNull();
        expect(pictureChange(picture(...before), picture(...after, mark))).not.toBeNull();
      });
  });

  test('[outcome.confirmed] what lasts counts: marks, bars, rows and texts of any size', () => {
    const cross = (size: number): Rect[] =>
      Array.from({ length: size }, (_each, at) => [
        { x: 10 + at, y: 8 + at, width: 2, height: 1 },
        { x: 10 + size - at, y: 8 + at, width: 2, height: 1 },
      ]).flat();
    const letters: Rect[] = [10, 16, 22, 28].flatMap((x) => [
      { x, y: 8, width: 2, height: 18 },
      { x, y: 8, width: 5, height: 2 },
    ]);
    for (const drawn of [
      [{ x: 20, y: 10, width: 6, height: 6 }],
      [{ x: 20, y: 10, width: 10, height: 2 }],
      [{ x: 20, y: 10, width: 4, height: 12 }],
      [{ x: 4, y: 10, width: 52, height: 13 }],
      [{ x: 4, y: 10, width: 52, height: 18 }],
      [{ x: 10, y: 8, width: 13, height: 13 }],
      cross(7),
      cross(14),
      cross(22),
      letters,
    ])
      expect(pictureChange(picture(), picture(...drawn)), JSON.stringify(drawn)).not.toBeNull();
  });

  test('[outcome.confirmed] pictures of different size say nothing', () => {
    const whole = picture({ x: 1, y: 1, width: 30, height: 30 });
    expect(pictureChange(whole, cutBitmap(whole, { x: 0, y: 0, width: WIDTH, height: HEIGHT - 1 }))).toBeNull();
  });

  test('[capture.window] a part is cut out with memory of its own', () => {
    const whole = picture({ x: 10, y: 10, width: 5, height: 5 });
    const part = cutBitmap(whole, { x: 9, y: 9, width: 3, height: 2 });
    expect([...part.pixels].map((pixel) => pixel & 0xff)).toEqual([0x80, 0x80, 0x80, 0x80, 0x60, 0x60]);
    whole.pixels.fill(0);
    expect(part.pixels[5]! >>> 0).toBe(0xff20_4060);
  });
});
