/** The difference between two pictures of the same place. No Windows in here. */
import type { Rect } from '../../contract/element/geometry.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Bitmap } from './bitmap.ts';

const COLOUR = 0x00ff_ffff;
/** Greatest thickness of a focus rectangle or highlighted border, pixels. */
const FRAME = 3;
/** A smaller outline is a mark, not a frame. */
const LEAST_FRAME = 12;

/**
 * The rectangle (pixels of the pictures) around all differences; null if there are none, if the sizes differ, or if the only
 * difference is one thin frame: that is the focus, which follows every action.
 * @param without rectangles (pixels of the pictures) to ignore: carets
 */
export function pictureChange(then: Bitmap, now: Bitmap, without: readonly Rect[] = []): Rect | null {
  if (then.width !== now.width || then.height !== now.height) return null;
  let [left, top, right, bottom] = [then.width, then.height, -1, -1];
  const isDifferent = (x: number, y: number): boolean => {
    const at = y * then.width + x;
    return (
      (((then.pixels[at] ?? 0) ^ (now.pixels[at] ?? 0)) & COLOUR) !== 0 &&
      !without.some((rect) => rectContains(rect, { x, y }))
    );
  };
  for (let y = 0; y < then.height; y++) {
    for (let x = 0; x < then.width; x++) {
      if (!isDifferent(x, y)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right < 0) return null;
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  return isFrame(box, isDifferent) ? null : box;
}

/** Whether only the rim of the box is different. */
function isFrame(box: Rect, isDifferent: (x: number, y: number) => boolean): boolean {
  if (box.width < LEAST_FRAME || box.height < LEAST_FRAME) return false;
  for (let y = box.y + FRAME; y < box.y + box.height - FRAME; y++) {
    for (let x = box.x + FRAME; x < box.x + box.width - FRAME; x++) if (isDifferent(x, y)) return false;
  }
  return true;
}
