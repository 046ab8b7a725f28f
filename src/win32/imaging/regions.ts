/** Which parts of a rectangle others leave uncovered. No Windows in here. */
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Rect } from '../../contract/element/geometry.ts';

/** `rect` without `hole`: up to four rectangles that do not overlap. */
export function subtractRect(rect: Rect, hole: Rect): Rect[] {
  const inner = intersectRects(rect, hole);
  if (inner === null) return [rect];
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  const innerRight = inner.x + inner.width;
  const innerBottom = inner.y + inner.height;
  return [
    { x: rect.x, y: rect.y, width: rect.width, height: inner.y - rect.y },
    { x: rect.x, y: innerBottom, width: rect.width, height: bottom - innerBottom },
    { x: rect.x, y: inner.y, width: inner.x - rect.x, height: inner.height },
    { x: innerRight, y: inner.y, width: right - innerRight, height: inner.height },
  ].filter((part) => part.width > 0 && part.height > 0);
}

/** The parts of `rect` that no cover hides. */
export function uncovered(rect: Rect, covers: readonly Rect[]): Rect[] {
  let parts = [rect];
  for (const cover of covers) parts = parts.flatMap((part) => subtractRect(part, cover));
  return parts;
}

/** Windows 11 rounds corners by 8 pixels at 100 %; twice that leaves room for scaling. */
const CORNER = 16;

/** The parts of a window's frame that certainly hide what is below: all except the corners, which may be round. */
export function opaqueParts(frame: Rect): Rect[] {
  const corner = Math.min(CORNER, Math.floor(frame.width / 2), Math.floor(frame.height / 2));
  return [
    { x: frame.x + corner, y: frame.y, width: frame.width - 2 * corner, height: frame.height },
    { x: frame.x, y: frame.y + corner, width: frame.width, height: frame.height - 2 * corner },
  ].filter((part) => part.width > 0 && part.height > 0);
}
