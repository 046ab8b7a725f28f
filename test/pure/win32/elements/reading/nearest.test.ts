/** Which windows are next to an element: the same as of all of them, sorted. */
import { describe, expect, test } from 'vitest';
import { nearest } from '../../../../../src/win32/elements/reading/nearest.ts';
import { distance } from '../../../../../src/win32/elements/tree/rect-grid.ts';
import { makeNode, pathTo, walk, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';

let seed = 7;
const random = (below: number): number => {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
};

const windowNode = (hwnd: number, children: TreeNode[] = []): TreeNode =>
  makeNode({
    identity: `hwnd:${hwnd}`,
    locator: { kind: 'window', hwnd },
    controlType: 'Button',
    rect: { x: 40 * random(30), y: 20 * random(30), width: 30, height: 15 },
    source: 'window',
    hwnd,
    children,
  });

const root = windowNode(
  1,
  Array.from({ length: 400 }, (_, at) => windowNode(10 * at + 10, at % 5 === 0 ? [windowNode(10 * at + 11)] : [])),
);
for (const [at, node] of walk(root).entries()) if (at % 7 === 3) node.visible = null;

describe('the windows next to an element', () => {
  test.each([1, 16, 64, 1000])(
    '[cost.by-ref] are the %i nearest that are in view, the earlier of two alike first',
    (most) => {
      const target = root.children[200]!;
      const all = walk(root)
        .filter((node) => node !== root && node.visible !== null)
        .map((node) => ({ node, away: distance(target.rect, node.visible!) }))
        .sort((one, other) => one.away - other.away)
        .map(({ node }) => node.hwnd);
      expect(nearest(root, target, most).map(({ hwnd }) => hwnd)).toEqual(all.slice(0, most));
    },
  );
});

describe('the way to an element', () => {
  test('[cost.by-ref] leads through its ancestors alone', () => {
    const above = root.children[25]!;
    expect(pathTo(root, above.children[0]!.identity)).toEqual([root, above, above.children[0]]);
    expect(pathTo(root, root.identity)).toEqual([root]);
    expect(pathTo(root, 'hwnd:0')).toEqual([]);
  });
});
