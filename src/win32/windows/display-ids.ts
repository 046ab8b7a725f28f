/** Displays with stable ids, from what Windows reports of the monitors. No Windows in here. */
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { DisplayGeometry, Rect } from '../../contract/element/geometry.ts';

/** What a display is derived from; a part of `Monitor`. */
export interface MonitorFacts {
  readonly rect: Rect;
  readonly isPrimary: boolean;
  readonly dpi: number;
  readonly device: string;
  readonly path: string;
  readonly description: string;
}

/** FNV-1a over UTF-16 units, reduced to a positive 31-bit number: small, and the same on every machine. */
export function stableNumber(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash & 0x7fff_ffff || 1;
}

/**
 * Monitors → displays with stable ids, in the order given. The id comes from the monitor's device path, which does not change
 * when monitors are added or reordered; without a path, from the output's name. Equal names get consecutive numbers.
 * Exactly one display is primary: the one that Windows reports, else the one at the origin, else the first.
 */
export function toDisplays<M extends MonitorFacts>(
  monitors: readonly M[],
  names: ReadonlyMap<string, string>,
): Array<DisplayGeometry & { readonly monitor: M }> {
  const primary =
    monitors.find((monitor) => monitor.isPrimary) ??
    monitors.find(({ rect }) => rect.x === 0 && rect.y === 0) ??
    monitors[0];
  const used = new Set<number>();
  return monitors.map((monitor) => {
    let displayId = stableNumber((monitor.path === '' ? monitor.device : monitor.path).toLowerCase());
    while (used.has(displayId)) displayId = displayId === 0x7fff_ffff ? 1 : displayId + 1;
    used.add(displayId);
    return {
      displayId,
      width: monitor.rect.width,
      height: monitor.rect.height,
      scaleFactor: monitor.dpi / 96,
      originX: monitor.rect.x,
      originY: monitor.rect.y,
      label:
        names.get(monitor.path.toLowerCase()) ?? (monitor.description === '' ? monitor.device : monitor.description),
      isPrimary: monitor === primary,
      monitor,
    };
  });
}

/** The displays that show a part of a rectangle. */
export function displaysUnder<D extends DisplayGeometry>(rect: Rect, displays: readonly D[]): D[] {
  return displays.filter(
    (display) =>
      intersectRects(rect, { x: display.originX, y: display.originY, width: display.width, height: display.height }) !==
      null,
  );
}
