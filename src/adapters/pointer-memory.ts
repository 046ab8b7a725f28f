/** Where each owner’s pointer was last, since foreign tools press and release without a point. */
import { imageToScreen, screenToImage } from '../contract/element/coordinates.ts';
import type { ObservationGeometry, Point } from '../contract/element/geometry.ts';
import type { ActionResult } from '../contract/outcome.ts';
import { ownerOf, type Caller } from '../host/face/caller.ts';

interface Seen {
  /** Where the model last put the pointer, in pixels of its latest picture. */
  point: Point | null;
  geometry: ObservationGeometry | null;
}

/** Number of owners remembered; the least recently used goes first. */
const MOST_OWNERS = 256;

/**
 * Where the pointer is from a model's point of view: these tools may omit a coordinate and mean the current position.
 * It is a convenience of the adapter, not a state of the desktop: a forgotten position is read from the desktop again.
 */
export class PointerMemory {
  readonly #seen = new Map<string, Seen>();

  #of(caller: Caller): Seen {
    const owner = ownerOf(caller);
    const seen = this.#seen.get(owner) ?? { point: null, geometry: null };
    this.#seen.delete(owner);
    this.#seen.set(owner, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_OWNERS && oldest !== undefined) this.#seen.delete(oldest);
    return seen;
  }

  movedTo(caller: Caller, point: Point): void {
    this.#of(caller).point = point;
  }

  /** Learns from a screenshot how its pixels map to the screen; a picture of another size or place voids the remembered point. */
  pictured(caller: Caller, result: ActionResult): void {
    const { width, height, displayWidth, displayHeight, originX, originY } = result.value as Record<
      'width' | 'height' | 'displayWidth' | 'displayHeight' | 'originX' | 'originY',
      number
    >;
    const geometry = { imageWidth: width, imageHeight: height, displayWidth, displayHeight, originX, originY };
    const seen = this.#of(caller);
    if (JSON.stringify(seen.geometry) !== JSON.stringify(geometry)) seen.point = null;
    seen.geometry = geometry;
  }

  /** In pixels of the latest picture; null if unknown. */
  point(caller: Caller): Point | null {
    return this.#of(caller).point;
  }

  /** A screen point in pixels of the latest picture, unchanged if there is no picture. */
  fromScreen(caller: Caller, point: Point): Point {
    const { geometry } = this.#of(caller);
    return geometry === null ? point : screenToImage(geometry, point);
  }

  toScreen(caller: Caller, point: Point): Point {
    const { geometry } = this.#of(caller);
    return geometry === null ? point : imageToScreen(geometry, point);
  }
}
