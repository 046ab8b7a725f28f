/** Whether something is drawn where a control answers that there is no text. */
import type { Rect } from '../../../../contract/element/geometry.ts';
import { uniformColour } from '../../../imaging/bitmap.ts';
import { grabWindowPart } from '../../../imaging/gdi.ts';

/** The edge (px) that may have lines. */
const EDGE = 3;

/** Whether what a window shows inside a rectangle (screen pixels) is not of one colour. */
export function hasDrawing(hwnd: number, { x, y, width, height }: Rect): boolean {
  const inner = { x: x + EDGE, y: y + EDGE / 3, width: width - 2 * EDGE, height: height - 2 };
  if (inner.width <= 0 || inner.height <= 0) return false;
  const picture = grabWindowPart(hwnd, inner, 'dc');
  return picture !== null && uniformColour(picture) === null;
}
