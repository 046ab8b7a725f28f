/** Finds the elements near a place without looking at all of them. No Windows calls. */
import type { Rect } from '../../contract/geometry.ts';

/** Elements whose rectangles may touch a place, in their own order; more than those that do is allowed. */
export interface Nearby<T> {
  near(place: Rect): readonly T[];
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
const keyOf = (column: number, row: number): number => (column + LAST) * (2 * LAST + 1) + row + LAST;

/** Every element is near: for few of them. */
export const everything = <T>(all: readonly T[]): Nearby<T> => ({ near: () => all });

class RectGrid<T> implements Nearby<T> {
  readonly #all: readonly T[];
  readonly #cells = new Map<number, number[]>();
  readonly #everywhere: number[] = [];
  /** The search in which an element was last found: it may be in several cells. */
  readonly #foundIn: Uint32Array;
  #search = 0;

  constructor(all: readonly T[], rectOf: (one: T) => Rect | null | 'everywhere') {
    this.#all = all;
    this.#foundIn = new Uint32Array(all.length);
    for (const [index, one] of all.entries()) {
      const rect = rectOf(one);
      if (rect === null) continue;
      if (rect === 'everywhere' || !this.#each(rect, (key) => this.#put(key, index))) this.#everywhere.push(index);
    }
  }

  #put(key: number, index: number): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, [index]);
    else cell.push(index);
  }

  /** The cells that a rectangle touches, its far edges included; false if they are too many. */
  #each({ x, y, width, height }: Rect, use: (key: number) => void): boolean {
    const left = cellOf(x);
    const right = cellOf(x + width);
    const top = cellOf(y);
    const bottom = cellOf(y + height);
    if ((right - left + 1) * (bottom - top + 1) > MOST_CELLS) return false;
    for (let column = left; column <= right; column += 1)
      for (let row = top; row <= bottom; row += 1) use(keyOf(column, row));
    return true;
  }

  near(place: Rect): readonly T[] {
    this.#search += 1;
    const found: number[] = [];
    const add = (index: number): void => {
      if (this.#foundIn[index] === this.#search) return;
      this.#foundIn[index] = this.#search;
      found.push(index);
    };
    this.#everywhere.forEach(add);
    if (!this.#each(place, (key) => this.#cells.get(key)?.forEach(add))) return this.#all;
    return found.sort((one, other) => one - other).map((index) => this.#all[index]!);
  }
}

/** @param rectOf null: never near; `everywhere`: always */
export const nearby = <T>(all: readonly T[], rectOf: (one: T) => Rect | null | 'everywhere'): Nearby<T> =>
  all.length < FEW ? everything(all) : new RectGrid(all, rectOf);
