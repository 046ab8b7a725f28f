/** Conversions between image, client and screen space, and the size that a picture is scaled to. */
import { badInput } from '../errors.ts';
import type { ObservationGeometry, Point, Rect } from './geometry.ts';

export const TILE = 28;
export const MAX_TILES = 1568;
export const MAX_EDGE = 1568;

/** Size of an image after the budget: 28 px tiles, at most 1568 tiles and 1568 px on the long edge, aspect kept. */
export function fitImageBudget(width: number, height: number): { width: number; height: number } {
  const fits = (w: number, h: number): boolean =>
    Math.max(w, h) <= MAX_EDGE && Math.ceil(w / TILE) * Math.ceil(h / TILE) <= MAX_TILES;
  if (fits(width, height)) return { width, height };
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const shortFor = (edge: number): number => Math.max(1, Math.round((short * edge) / long));
  // The tile count grows with the long edge, so the largest edge that fits is found by halving.
  let low = 1;
  let high = Math.min(long, MAX_EDGE);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle, shortFor(middle))) low = middle;
    else high = middle - 1;
  }
  return width >= height ? { width: low, height: shortFor(low) } : { width: shortFor(low), height: low };
}

export function assertFinitePoint(point: Point, what: string): void {
  if (!Number.isFinite(point.x) || !Number.isFinite(point.y)) {
    throw badInput(`${what}: the coordinates must be finite numbers.`);
  }
}

/**
 * Image point → physical screen point: the middle of the image's pixel. A half-pixel coordinate, such as a centre,
 * belongs to the pixel that contains it.
 */
export function imageToScreen(geometry: ObservationGeometry, point: Point): Point {
  return {
    x: Math.floor(((Math.floor(point.x) + 0.5) * geometry.displayWidth) / geometry.imageWidth) + geometry.originX,
    y: Math.floor(((Math.floor(point.y) + 0.5) * geometry.displayHeight) / geometry.imageHeight) + geometry.originY,
  };
}

/** Physical screen point → image point; outside the image when the screen point is. */
export function screenToImage(geometry: ObservationGeometry, point: Point): Point {
  return {
    x: Math.floor(((point.x - geometry.originX + 0.5) * geometry.imageWidth) / geometry.displayWidth),
    y: Math.floor(((point.y - geometry.originY + 0.5) * geometry.imageHeight) / geometry.displayHeight),
  };
}

/** The pixels whose middle is between two edges; if there are none, the pixel that contains both. */
function pixelsBetween(from: number, to: number): { readonly first: number; readonly count: number } {
  const first = Math.ceil(from - 0.5) + 0;
  const count = Math.ceil(to - 0.5) - first;
  return count > 0 || to <= from
    ? { first, count: Math.max(0, count) }
    : { first: Math.floor((from + to) / 2), count: 1 };
}

/**
 * Screen rectangle → image rectangle: the image pixels that map back into it, so that its centre and every other point
 * do too. A rectangle too thin for any pixel of a scaled image gets the pixel that shows it, which may map to a point
 * next to it.
 */
export function screenRectToImage(geometry: ObservationGeometry, rect: Rect): Rect {
  const scaleX = geometry.imageWidth / geometry.displayWidth;
  const scaleY = geometry.imageHeight / geometry.displayHeight;
  const [left, top] = [rect.x - geometry.originX, rect.y - geometry.originY];
  const across = pixelsBetween(left * scaleX, (left + rect.width) * scaleX);
  const down = pixelsBetween(top * scaleY, (top + rect.height) * scaleY);
  return { x: across.first, y: down.first, width: across.count, height: down.count };
}

export function rectCentre(rect: Rect): Point {
  return { x: rect.x + Math.floor(rect.width / 2), y: rect.y + Math.floor(rect.height / 2) };
}

export function rectContains(rect: Rect, point: Point): boolean {
  return point.x >= rect.x && point.y >= rect.y && point.x < rect.x + rect.width && point.y < rect.y + rect.height;
}

export function intersectRects(a: Rect, b: Rect): Rect | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const right = Math.min(a.x + a.width, b.x + b.width);
  const bottom = Math.min(a.y + a.height, b.y + b.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

export function sameRect(one: Rect, other: Rect): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}
