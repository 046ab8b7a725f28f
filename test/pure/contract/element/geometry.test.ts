/** Conversions between image, client and screen space. */
import { describe, expect, test } from 'vitest';
import {
  assertFinitePoint,
  fitImageBudget,
  imageToScreen,
  intersectRects,
  MAX_EDGE,
  MAX_TILES,
  rectCentre,
  rectContains,
  screenRectToImage,
  screenToImage,
  TILE,
} from '../../../../src/contract/element/coordinates.ts';
import type { ObservationGeometry, Rect } from '../../../../src/contract/element/geometry.ts';

type Pair = readonly [number, number];
const seen = (
  [imageWidth, imageHeight]: Pair,
  [displayWidth, displayHeight]: Pair,
  [originX, originY]: Pair,
): ObservationGeometry => ({ imageWidth, imageHeight, displayWidth, displayHeight, originX, originY });

/** What observations of real desktops look like: the picture's size, what it shows of the screen, and where that is. */
const RECORDED: Readonly<Record<string, ObservationGeometry>> = {
  'one full-HD display': seen([1456, 819], [1920, 1080], [0, 0]),
  'a second display to the left': seen([1456, 819], [1920, 1080], [-1920, 0]),
  'a display above and to the left, upright': seen([819, 1456], [1080, 1920], [-1080, -840]),
  'a 4K display at 150 %': seen([1456, 819], [3840, 2160], [1920, 0]),
  'a wide display': seen([1568, 656], [3440, 1440], [0, 0]),
  'a small window with its caption': seen([640, 480], [640, 480], [137, 259]),
  'a window half beside the left edge': seen([800, 600], [800, 600], [-400, 31]),
  'a program that is not aware of DPI, drawn at 96 on a 150 % display': seen([600, 400], [900, 600], [2000, 100]),
  'a window at exactly half its size, at an odd place': seen([1568, 400], [3136, 800], [31, 17]),
  'a program that is not aware of DPI, and larger than the budget': seen([1456, 819], [2880, 1620], [-2880, -60]),
};

describe('the image budget', () => {
  test.each([
    [1920, 1080, 1456, 819],
    [2560, 1440, 1456, 819],
    [3840, 2160, 1456, 819],
    [1568, 1014, 1372, 887],
    [3024, 1964, 1372, 891],
    [1080, 1920, 819, 1456],
    [3440, 1440, 1568, 656],
  ])('[geometry.budget] %i×%i becomes %i×%i', (width, height, fitWidth, fitHeight) => {
    expect(fitImageBudget(width, height)).toEqual({ width: fitWidth, height: fitHeight });
  });

  test('[geometry.budget] 1366×768 and smaller stay', () => {
    for (const [width, height] of [
      [1366, 768],
      [1280, 800],
      [640, 480],
      [1, 1],
      [1568, 28],
    ] as const)
      expect(fitImageBudget(width, height)).toEqual({ width, height });
  });

  test('[geometry.budget] for any input the result fits and keeps its shape', () => {
    for (let width = 1; width < 9000; width += 371) {
      for (let height = 1; height < 9000; height += 389) {
        const fit = fitImageBudget(width, height);
        expect(Math.max(fit.width, fit.height)).toBeLessThanOrEqual(MAX_EDGE);
        expect(Math.ceil(fit.width / TILE) * Math.ceil(fit.height / TILE)).toBeLessThanOrEqual(MAX_TILES);
        expect(fit.width).toBeLessThanOrEqual(width);
        expect(fit.height).toBeLessThanOrEqual(height);
        const wanted = Math.max(
          1,
          (Math.min(width, height) * Math.max(fit.width, fit.height)) / Math.max(width, height),
        );
        expect(Math.abs(Math.min(fit.width, fit.height) - wanted)).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe.each(Object.entries(RECORDED))('points of %s', (_name, geometry) => {
  const corners = [
    { x: 0, y: 0 },
    { x: geometry.imageWidth - 1, y: 0 },
    { x: 0, y: geometry.imageHeight - 1 },
    { x: geometry.imageWidth - 1, y: geometry.imageHeight - 1 },
  ];
  const area: Rect = {
    x: geometry.originX,
    y: geometry.originY,
    width: geometry.displayWidth,
    height: geometry.displayHeight,
  };

  test('every image point is on the part of the screen that was captured', () => {
    for (const point of corners) expect(rectContains(area, imageToScreen(geometry, point))).toBe(true);
  });

  test('there and back is the same image point', () => {
    for (let x = 0; x < geometry.imageWidth; x += 7) {
      for (let y = 0; y < geometry.imageHeight; y += 11)
        expect(screenToImage(geometry, imageToScreen(geometry, { x, y }))).toEqual({ x, y });
    }
  });

  test('the executor’s own formula, x · displayWidth / width + originX, hits the same pixel or its neighbour', () => {
    for (const point of corners) {
      const screen = imageToScreen(geometry, point);
      const scale = Math.max(geometry.displayWidth / geometry.imageWidth, 1);
      expect(
        Math.abs(screen.x - ((point.x * geometry.displayWidth) / geometry.imageWidth + geometry.originX)),
      ).toBeLessThanOrEqual(scale);
      expect(
        Math.abs(screen.y - ((point.y * geometry.displayHeight) / geometry.imageHeight + geometry.originY)),
      ).toBeLessThanOrEqual(scale);
    }
  });

  test('each point of an element’s image rectangle hits the element, and so does its centre with half a pixel', () => {
    const scale = Math.ceil(
      Math.max(geometry.displayWidth / geometry.imageWidth, geometry.displayHeight / geometry.imageHeight),
    );
    const missed: unknown[] = [];
    for (let size = scale; size < 30; size += 1) {
      for (let at = 0; at < 120; at += 1) {
        const element: Rect = {
          x: geometry.originX + at,
          y: geometry.originY + 119 - at,
          width: size,
          height: size + 1,
        };
        const { x, y, width, height } = screenRectToImage(geometry, element);
        for (const point of [
          { x, y },
          { x: x + width - 1, y: y + height - 1 },
          { x: x + width / 2, y: y + height / 2 },
        ]) {
          if (!rectContains(element, imageToScreen(geometry, point))) missed.push({ element, point });
        }
      }
    }
    expect(missed).toEqual([]);
  });

  test('an element thinner than a pixel gets the pixel that shows it', () => {
    for (let at = 0; at < 120; at += 1) {
      const { x, y, width, height } = screenRectToImage(geometry, {
        x: geometry.originX + at,
        y: geometry.originY + at,
        width: 1,
        height: 1,
      });
      expect({ width, height }).toEqual({ width: 1, height: 1 });
      const shown = screenToImage(geometry, { x: geometry.originX + at, y: geometry.originY + at });
      expect({ x, y }).toEqual(shown);
    }
    expect(screenRectToImage(geometry, { x: geometry.originX, y: geometry.originY, width: 0, height: 0 })).toEqual({
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    });
  });

  test('the centre of an element’s image rectangle hits the element', () => {
    for (let size = 6; size < 60; size += 5) {
      for (let at = 0; at + size * 2 < Math.min(geometry.displayWidth, geometry.displayHeight); at += 37) {
        const element: Rect = {
          x: geometry.originX + at,
          y: geometry.originY + Math.floor(at / 2),
          width: size * 2,
          height: size,
        };
        const centre = rectCentre(screenRectToImage(geometry, element));
        expect(rectContains(element, imageToScreen(geometry, centre))).toBe(true);
      }
    }
  });

  test('screen points outside the picture are outside the image', () => {
    expect(screenToImage(geometry, { x: geometry.originX - 1, y: geometry.originY - 1 })).toEqual({
      x: expect.toSatisfy((x: number) => x < 0) as number,
      y: expect.toSatisfy((y: number) => y < 0) as number,
    });
    const beyond = screenToImage(geometry, {
      x: geometry.originX + geometry.displayWidth,
      y: geometry.originY + geometry.displayHeight,
    });
    expect(beyond.x).toBeGreaterThanOrEqual(geometry.imageWidth);
    expect(beyond.y).toBeGreaterThanOrEqual(geometry.imageHeight);
  });
});

test('a caption is part of a window’s picture: its client area begins below', () => {
  const geometry = RECORDED['a small window with its caption'] as ObservationGeometry;
  const clientOrigin = { x: 137 + 8, y: 259 + 31 };
  expect(screenToImage(geometry, clientOrigin)).toEqual({ x: 8, y: 31 });
  expect(imageToScreen(geometry, { x: 8, y: 31 })).toEqual(clientOrigin);
});

test('a point on two displays of different DPI has one place on the desktop', () => {
  const left = RECORDED['one full-HD display'] as ObservationGeometry;
  const right = RECORDED['a 4K display at 150 %'] as ObservationGeometry;
  expect(imageToScreen(left, { x: left.imageWidth - 1, y: 0 }).x).toBeLessThan(imageToScreen(right, { x: 0, y: 0 }).x);
});

test('NaN and infinity are invalid_argument', () => {
  for (const point of [
    { x: Number.NaN, y: 0 },
    { x: 0, y: Number.POSITIVE_INFINITY },
    { x: Number.NEGATIVE_INFINITY, y: Number.NaN },
  ]) {
    expect(() => assertFinitePoint(point, 'click')).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }) as Error,
    );
  }
  expect(() => assertFinitePoint({ x: -5, y: 1e6 }, 'click')).not.toThrow();
});

test('rectangles that only touch do not overlap', () => {
  expect(intersectRects({ x: 0, y: 0, width: 10, height: 10 }, { x: 10, y: 0, width: 10, height: 10 })).toBeNull();
  expect(intersectRects({ x: -5, y: -5, width: 10, height: 10 }, { x: 0, y: 0, width: 10, height: 10 })).toEqual({
    x: 0,
    y: 0,
    width: 5,
    height: 5,
  });
  expect(rectContains({ x: 0, y: 0, width: 1, height: 1 }, { x: 1, y: 0 })).toBe(false);
});
