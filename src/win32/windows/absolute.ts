import type { Point, Rect } from '../../contract/geometry.ts';

/**
 * A screen point as SendInput wants it: 0…65535 across the virtual desktop, so that Windows' own division lands on the
 * very pixel. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-mouseinput (remarks)
 */
export function toAbsolute(point: Point, desktop: Rect): Point {
  const scale = (at: number, size: number): number => Math.min(65_535, Math.ceil((at * 65_536) / size));
  return { x: scale(point.x - desktop.x, desktop.width), y: scale(point.y - desktop.y, desktop.height) };
}
