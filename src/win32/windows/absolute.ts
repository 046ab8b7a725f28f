/** Screen points in the units of SendInput. */
import type { Point, Rect } from '../../contract/element/geometry.ts';

/**
 * A screen point in SendInput's units, 0…65535 across the virtual desktop, rounded so that Windows' division gives the
 * same pixel. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-mouseinput (remarks)
 */
export function toAbsolute(point: Point, desktop: Rect): Point {
  const scale = (at: number, size: number): number => Math.min(65_535, Math.ceil((at * 65_536) / size));
  return { x: scale(point.x - desktop.x, desktop.width), y: scale(point.y - desktop.y, desktop.height) };
}
