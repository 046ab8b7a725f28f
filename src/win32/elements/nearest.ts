/** Which windows of a tree are next to an element. No Windows calls. */
import type { Rect } from '../../contract/geometry.ts';
import { walk, type TreeNode } from './tree.ts';

/** Squared distance between two rectangles; 0 where they touch. */
export function distance(one: Rect, other: Rect): number {
  const gap = (from: number, length: number, to: number, otherLength: number): number =>
    Math.max(0, to - (from + length), from - (to + otherLength));
  return gap(one.x, one.width, other.x, other.width) ** 2 + gap(one.y, one.height, other.y, other.height) ** 2;
}

/** The windows next to a node, nearest first. Most of a large window are too far away to be sorted. */
export function nearest(root: TreeNode, target: TreeNode, most: number): TreeNode[] {
  const from = target.visible ?? target.rect;
  const found: Array<{ readonly node: TreeNode; readonly away: number }> = [];
  for (const node of walk(root)) {
    if (node.locator.kind !== 'window' || node.visible === null || node === root) continue;
    const away = distance(from, node.visible);
    if (found.length >= most && away >= found.at(-1)!.away) continue;
    if (found.length >= most) found.pop();
    let place = found.length;
    while (place > 0 && found[place - 1]!.away > away) place -= 1;
    found.splice(place, 0, { node, away });
  }
  return found.map(({ node }) => node);
}
