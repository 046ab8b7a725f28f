/** The difference between two pictures of the same place. No Windows in here. */
import type { Rect } from '../../contract/element/geometry.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Bitmap } from './bitmap.ts';

const COLOUR = 0x00ff_ffff;
/** Greatest thickness of a caret, an underline or a plain focus rectangle, pixels. */
const THIN = 3;
/** Least length of a caret, and of the line under a field: a smaller one is part of a mark or a letter. */
const LEAST_LENGTH = { upright: 7, level: 12 } as const;
/** A smaller outline is a mark, not a frame. */
const LEAST_FRAME = 12;
/** Greatest thickness of a border that glows, with its shadow; it leaves this much of what it is around. */
const GLOW = 5;
const LEAST_INSIDE = 6;
/** A dotted border has half of its pixels; a rounded one lacks its corners. */
const STRAIGHT = 0.4;
/** More runs than the largest border has: much has changed. */
const MOST_RUNS = 5000;
/** Dots and dashes this far apart belong to one border. */
const REACH = 3;

/** Different pixels side by side: columns `from` to `to` of row `y`. */
interface Run {
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The rectangle (pixels of the pictures) around what is different; null if nothing is, or if the sizes differ. Carets, lines
 * and borders do not count: they are the focus, which follows every action.
 * @param without rectangles (pixels of the pictures) to ignore: carets
 */
export function pictureChange(then: Bitmap, now: Bitmap, without: readonly Rect[] = []): Rect | null {
  if (then.width !== now.width || then.height !== now.height) return null;
  const different = differences(then, now, without);
  if (different.length > MOST_RUNS) return around(different);
  const solid = groups(different, 1)
    .filter((group) => !isLine(around(group)))
    .flat()
    .sort((one, other) => one.y - other.y);
  if (solid.length === 0 || isBorder(solid)) return null;
  const counted = groups(solid, REACH).filter((group) => !isLine(around(group)) && !isBorder(group));
  return counted.length === 0 ? null : around(counted.flat());
}

/** Row by row, from left to right. */
function differences(then: Bitmap, now: Bitmap, without: readonly Rect[]): Run[] {
  const runs: Run[] = [];
  for (let y = 0; y < then.height; y++) {
    let from = -1;
    for (let x = 0; x <= then.width; x++) {
      const at = y * then.width + x;
      const isDifferent =
        x < then.width &&
        (((then.pixels[at] ?? 0) ^ (now.pixels[at] ?? 0)) & COLOUR) !== 0 &&
        !without.some((rect) => rectContains(rect, { x, y }));
      if (isDifferent && from < 0) from = x;
      if (isDifferent || from < 0) continue;
      runs.push({ y, from, to: x - 1 });
      from = -1;
    }
  }
  return runs;
}

/** Runs, from the upper to the lower, that are at most `reach` pixels apart in both directions: in groups, each in that order. */
function groups(runs: readonly Run[], reach: number): Run[][] {
  const parents = runs.map((_run, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  };
  let first = 0;
  for (const [index, { y, from, to }] of runs.entries()) {
    while (runs[first]!.y < y - reach) first += 1;
    for (let other = first; other < index; other++)
      if (runs[other]!.from <= to + reach && runs[other]!.to >= from - reach) parents[rootOf(index)] = rootOf(other);
  }
  return [...Map.groupBy(runs.keys(), rootOf).values()].map((indices) => indices.map((index) => runs[index]!));
}

function around(runs: readonly Run[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (const { y, from, to } of runs) {
    left = Math.min(left, from);
    right = Math.max(right, to);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

const isLine = ({ width, height }: Rect): boolean =>
  (width <= THIN && height >= LEAST_LENGTH.upright) || (height <= THIN && width >= LEAST_LENGTH.level);

/** Whether only the rim of their box is different, and a caret in it where the rim is straight. */
function isBorder(runs: readonly Run[]): boolean {
  const box = around(runs);
  const least = Math.min(box.width, box.height);
  if (least < LEAST_FRAME) return false;
  if (inside(runs, box, THIN).length === 0) return true;
  const depth = Math.min(GLOW, Math.floor((least - LEAST_INSIDE) / 2));
  const within = inside(runs, box, depth);
  return (within.length === 0 || isLine(around(within))) && isStraight(runs, box, depth);
}

/** The parts of runs that are deeper than this in a box. */
const inside = (runs: readonly Run[], { x, y, width, height }: Rect, depth: number): Run[] =>
  runs
    .filter((run) => run.y >= y + depth && run.y < y + height - depth)
    .map((run) => ({ ...run, from: Math.max(run.from, x + depth), to: Math.min(run.to, x + width - depth - 1) }))
    .filter(({ from, to }) => from <= to);

/** Whether three sides of the box are lines: one may be cut off where only a part of the border is looked at. */
function isStraight(runs: readonly Run[], { x, y, width, height }: Rect, depth: number): boolean {
  const rows = Array.from({ length: height }, () => 0);
  const columns = Array.from({ length: width }, () => 0);
  for (const run of runs) {
    rows[run.y - y]! += run.to - run.from + 1;
    for (let at = run.from; at <= run.to; at++) columns[at - x]! += 1;
  }
  const most = (counts: readonly number[]): number => Math.max(...counts);
  return (
    [
      most(rows.slice(0, depth)) / width,
      most(rows.slice(-depth)) / width,
      most(columns.slice(0, depth)) / height,
      most(columns.slice(-depth)) / height,
    ].filter((share) => share >= STRAIGHT).length >= 3
  );
}
