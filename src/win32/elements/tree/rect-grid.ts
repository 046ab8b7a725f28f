/** Finds the elements near a place without looking at all of them. No Windows calls. */
import type { Rect } from '../../../contract/element/geometry.ts';

/** Elements whose rectangles may touch a place, in their own order; it may contain more. */
export interface Nearby<T> {
  near(place: Rect): readonly T[];
}

/** The same, and all elements by their distance from a place: the nearest first, of equally near ones the earlier. */
export interface ByPlace<T> extends Nearby<T> {
  nearest(place: Rect): Iterable<T>;
}

const gap = (from: number, length: number, to: number, otherLength: number): number =>
  Math.max(0, to - (from + length), from - (to + otherLength));

/** Squared distance between two rectangles; 0 where they touch. */
export function distance(one: Rect, other: Rect): number {
  return gap(one.x, one.width, other.x, other.width) ** 2 + gap(one.y, one.height, other.y, other.height) ** 2;
}

/** Pixels of a cell's side: about the height of two controls. */
const CELL = 64;
/** An element in more cells than this is a candidate everywhere, and a place with more of them means everything. */
const MOST_CELLS = 512;
/** Fewer elements than this are compared one by one. */
const FEW = 32;
/** Keeps cell numbers within what a key holds; farther places share the outermost cells. */
const LAST = 30_000;
/** With more empty cells than this for each element, elements are sorted instead of searched around a place. */
const SPARSE = 16;

const cellOf = (at: number): number => Math.max(-LAST, Math.min(LAST, Math.floor(at / CELL)));
const keyOf = (column: number, row: number): number => (column + LAST) * (2 * LAST + 1) + row + LAST;

/** Every element is near: for few of them. */
export const everything = <T>(all: readonly T[]): Nearby<T> => ({ near: () => all });

const NONE: readonly number[] = [];

/** An element by its index, and how far it is. */
interface Away {
  readonly index: number;
  readonly away: number;
}
const byDistance = (one: Away, other: Away): number => one.away - other.away || one.index - other.index;

class RectGrid<T> implements ByPlace<T> {
  readonly #all: readonly T[];
  readonly #rects: ReadonlyArray<Rect | null | 'everywhere'>;
  readonly #cells = new Map<number, number[]>();
  readonly #everywhere: number[] = [];
  /** What was found for single cells. */
  readonly #inCell = new Map<number, readonly T[]>();
  /** The search in which an element was last found: it may be in several cells. */
  readonly #foundIn: Uint32Array;
  #search = 0;
  /** The cells from the first to the last column and row that hold an element. */
  #left = LAST;
  #right = -LAST;
  #top = LAST;
  #bottom = -LAST;

  constructor(all: readonly T[], rectOf: (one: T) => Rect | null | 'everywhere') {
    this.#all = all;
    this.#rects = all.map(rectOf);
    this.#foundIn = new Uint32Array(all.length);
    for (let index = 0; index < all.length; index += 1) {
      const rect = this.#rects[index]!;
      if (rect === null) continue;
      if (rect === 'everywhere' || !this.#place(rect, index)) this.#everywhere.push(index);
    }
  }

  /** Puts an element into the cells that it touches, its far edges included; false if they are too many. */
  #place({ x, y, width, height }: Rect, index: number): boolean {
    const [left, right, top, bottom] = [cellOf(x), cellOf(x + width), cellOf(y), cellOf(y + height)];
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) return false;
    for (let column = left; column <= right; column += 1)
      for (let row = top; row <= bottom; row += 1) this.#put(keyOf(column, row), index);
    this.#left = Math.min(this.#left, left);
    this.#right = Math.max(this.#right, right);
    this.#top = Math.min(this.#top, top);
    this.#bottom = Math.max(this.#bottom, bottom);
    return true;
  }

  #put(key: number, index: number): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, [index]);
    else cell.push(index);
  }

  near({ x, y, width, height }: Rect): readonly T[] {
    const [left, right, top, bottom] = [cellOf(x), cellOf(x + width), cellOf(y), cellOf(y + height)];
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) return this.#all;
    if (left !== right || top !== bottom) return this.#nearIn(left, right, top, bottom);
    // Many points are in the same cell.
    const key = keyOf(left, top);
    let inCell = this.#inCell.get(key);
    if (inCell === undefined) this.#inCell.set(key, (inCell = this.#nearIn(left, right, top, bottom)));
    return inCell;
  }

  #nearIn(left: number, right: number, top: number, bottom: number): readonly T[] {
    this.#search += 1;
    const found: number[] = [];
    let isInOrder = this.#add(this.#everywhere, found);
    for (let column = left; column <= right; column += 1)
      for (let row = top; row <= bottom; row += 1) {
        const cell = this.#cells.get(keyOf(column, row));
        if (cell !== undefined) isInOrder = this.#add(cell, found) && isInOrder;
      }
    // One cell has its elements in order: nothing to sort for a point.
    if (!isInOrder) found.sort((one, other) => one - other);
    const all: T[] = [];
    for (const index of found) all.push(this.#all[index]!);
    return all;
  }

  /** Adds those of a cell that this search has not found yet; false if they do not follow those found before. */
  #add(cell: readonly number[], found: number[]): boolean {
    let isInOrder = true;
    for (const index of cell) {
      if (this.#foundIn[index] === this.#search) continue;
      this.#foundIn[index] = this.#search;
      if (found.length > 0 && found.at(-1)! > index) isInOrder = false;
      found.push(index);
    }
    return isInOrder;
  }

  /** Adds those of a cell that are not found yet, with their distance. */
  #addAway(cell: readonly number[], place: Rect, isFound: Uint8Array, waiting: Away[]): void {
    for (const index of cell) {
      if (isFound[index] === 1) continue;
      isFound[index] = 1;
      const rect = this.#rects[index]!;
      waiting.push({ index, away: rect === 'everywhere' ? 0 : distance(place, rect) });
    }
  }

  /** Goes around the place in rings of cells: elements beyond the last ring are not visited. */
  *nearest(place: Rect): Generator<T> {
    const [left, right] = [cellOf(place.x), cellOf(place.x + place.width)];
    const [top, bottom] = [cellOf(place.y), cellOf(place.y + place.height)];
    const last = Math.max(left - this.#left, this.#right - right, top - this.#top, this.#bottom - bottom, 0);
    const cells = (right - left + 1 + 2 * last) * (bottom - top + 1 + 2 * last);
    if (cells > SPARSE * this.#all.length + MOST_CELLS) {
      yield* sorted(this.#all, this.#rects, place);
      return;
    }
    const isFound = new Uint8Array(this.#all.length);
    let waiting: Away[] = [];
    this.#addAway(this.#everywhere, place, isFound, waiting);
    for (let ring = 0; ring <= last; ring += 1) {
      for (let row = top - ring; row <= bottom + ring; row += 1) {
        const isWhole = ring === 0 || row === top - ring || row === bottom + ring;
        const step = isWhole ? 1 : right - left + 2 * ring;
        for (let column = left - ring; column <= right + ring; column += step)
          this.#addAway(this.#cells.get(keyOf(column, row)) ?? NONE, place, isFound, waiting);
      }
      // Whatever is not found yet lies beyond the edge of the ring.
      const edge = Math.min(
        place.x - (left - ring) * CELL,
        (right + ring + 1) * CELL - (place.x + place.width),
        place.y - (top - ring) * CELL,
        (bottom + ring + 1) * CELL - (place.y + place.height),
      );
      const sure = ring === last ? Infinity : edge ** 2;
      const near = waiting.filter(({ away }) => away < sure).sort(byDistance);
      waiting = waiting.filter(({ away }) => away >= sure);
      for (const { index } of near) yield this.#all[index]!;
    }
  }
}

/** All with a place, by their distance. */
function sorted<T>(all: readonly T[], rects: ReadonlyArray<Rect | null | 'everywhere'>, place: Rect): T[] {
  const found: Away[] = [];
  for (const [index, rect] of rects.entries())
    if (rect !== null) found.push({ index, away: rect === 'everywhere' ? 0 : distance(place, rect) });
  return found.sort(byDistance).map(({ index }) => all[index]!);
}

/** Few elements, compared one by one. */
class Few<T> implements ByPlace<T> {
  readonly #all: readonly T[];
  readonly #rectOf: (one: T) => Rect | null | 'everywhere';

  constructor(all: readonly T[], rectOf: (one: T) => Rect | null | 'everywhere') {
    this.#all = all;
    this.#rectOf = rectOf;
  }

  near(): readonly T[] {
    return this.#all;
  }

  nearest(place: Rect): T[] {
    return sorted(this.#all, this.#all.map(this.#rectOf), place);
  }
}

/** @param rectOf null: never near; `everywhere`: always */
export const nearby = <T>(all: readonly T[], rectOf: (one: T) => Rect | null | 'everywhere'): ByPlace<T> =>
  all.length < FEW ? new Few(all, rectOf) : new RectGrid(all, rectOf);
