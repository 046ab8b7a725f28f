/** Finds the elements near a place without looking at all of them. No Windows calls. */
import type { Rect } from '../../../contract/element/geometry.ts';

/** Elements by their place. */
export interface ByPlace<T> {
  /** The entries with a rectangle that may touch a place, in their own order; it may contain more. */
  near(place: Rect): readonly T[];
  /** All by their distance from a place: the nearest first, of equally near ones the earlier. */
  nearest(place: Rect): readonly T[];
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

const cellOf = (at: number): number => Math.max(-LAST, Math.min(LAST, Math.floor(at / CELL)));

/** The keys of the cells that a rectangle touches, its far edges included; null if they are too many. */
function cellsOf({ x, y, width, height }: Rect): number[] | null {
  const [left, right, top, bottom] = [cellOf(x), cellOf(x + width), cellOf(y), cellOf(y + height)];
  if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) return null;
  const keys: number[] = [];
  for (let column = left; column <= right; column += 1)
    for (let row = top; row <= bottom; row += 1) keys.push((column + LAST) * (2 * LAST + 1) + row + LAST);
  return keys;
}

type Place = Rect | null | 'everywhere';

/** Which of many elements may touch a place. */
function grid<T>(all: readonly T[], places: readonly Place[]): ByPlace<T>['near'] {
  const cells = new Map<number, number[]>();
  const everywhere: number[] = [];
  for (const [index, place] of places.entries()) {
    const keys = place === null ? [] : place === 'everywhere' ? null : cellsOf(place);
    if (keys === null) everywhere.push(index);
    for (const key of keys ?? []) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [index]);
      else cell.push(index);
    }
  }
  /** What was found for single cells: many points are in the same one. */
  const inCell = new Map<number, readonly T[]>();
  return (place) => {
    const keys = cellsOf(place);
    if (keys === null) return all;
    const known = keys.length === 1 ? inCell.get(keys[0]!) : undefined;
    if (known !== undefined) return known;
    const found = new Set([...everywhere, ...keys.flatMap((key) => cells.get(key) ?? [])]);
    const near = [...found].sort((one, other) => one - other).map((index) => all[index]!);
    if (keys.length === 1) inCell.set(keys[0]!, near);
    return near;
  };
}

/** @param placeOf null: never near; `everywhere`: always */
export function nearby<T>(all: readonly T[], placeOf: (one: T) => Place): ByPlace<T> {
  const places = all.map(placeOf);
  return {
    near: all.length < FEW ? () => all : grid(all, places),
    nearest(to) {
      const found: Array<{ readonly index: number; readonly away: number }> = [];
      for (const [index, place] of places.entries())
        if (place !== null) found.push({ index, away: place === 'everywhere' ? 0 : distance(to, place) });
      return found
        .sort((one, other) => one.away - other.away || one.index - other.index)
        .map(({ index }) => all[index]!);
    },
  };
}
