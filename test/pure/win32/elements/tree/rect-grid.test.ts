/** Covering by place gives what a comparison of everything with everything gives, on generated windows. */
import { describe, expect, test } from 'vitest';
import type { ControlType } from '../../../../../src/contract/element/control-types.ts';
import { nearby } from '../../../../../src/win32/elements/tree/rect-grid.ts';
import {
  clickPoint,
  makeNode,
  markCovered,
  nodeAt,
  walk,
  type TreeNode,
} from '../../../../../src/win32/elements/tree/tree.ts';
import { rounds } from '../../../../support/rounds.ts';
import { wordsOf } from '../../../../support/words.ts';

const ROUNDS = rounds({ whole: 60, quick: 15 });
const TYPES: readonly ControlType[] = wordsOf`Text Edit Button CheckBox ComboBox Group Slider Pane List`;

/** A repeatable sequence of numbers from 0 to 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function layout(seed: number): TreeNode {
  const next = sequence(seed);
  const upTo = (most: number): number => Math.floor(next() * most);
  let count = 0;
  const make = (depth: number): TreeNode => {
    const controlType = depth === 0 ? 'Window' : TYPES[upTo(TYPES.length)]!;
    const isWide = depth === 0 || upTo(12) === 0;
    const node = makeNode({
      identity: `node:${++count}`,
      locator: { kind: 'window', hwnd: count },
      controlType,
      name:
        controlType === 'Text' || upTo(3) === 0
          ? `Text ${String.fromCodePoint(97 + upTo(26))}${upTo(2) === 0 ? ':' : ''}`
          : '',
      rect: {
        x: upTo(1600) - 200,
        y: upTo(900) - 100,
        width: isWide ? 200 + upTo(90_000) : upTo(160),
        height: isWide ? 100 + upTo(900) : upTo(50),
      },
      source: 'window',
      hwnd: count,
      letsClicksThrough: upTo(8) === 0,
    });
    if (upTo(6) !== 0) node.visible = node.rect;
    else node.visible = null;
    const children = depth === 0 ? 40 + upTo(160) : depth < 3 && upTo(10) === 0 ? upTo(60) : 0;
    for (let index = 0; index < children; index += 1) node.children.push(make(depth + 1));
    return node;
  };
  return make(0);
}

describe('by place', () => {
  test('covered elements match a look at every element', () => {
    let covered = 0;
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const root = layout(seed);
      markCovered(root);
      for (const node of walk(root)) {
        const centre = clickPoint(node);
        if (centre === null || node.children.length > 0) continue;
        const hit = nodeAt(root, centre);
        const expected = hit !== node && !(node.letsClicksThrough && hit !== null && hit.children.includes(node));
        expect(node.isCovered, `layout ${seed}, ${node.identity}`).toBe(expected);
        if (expected) covered += 1;
      }
    }
    expect(covered).toBeGreaterThan(ROUNDS);
  });

  test('few of many elements are looked at', () => {
    const all = Array.from({ length: 10_000 }, (_, index) => ({
      x: (index % 100) * 120,
      y: Math.floor(index / 100) * 30,
      width: 100,
      height: 20,
    }));
    const grid = nearby(all, (rect) => rect);
    const found = grid.near({ x: 1200, y: 600, width: 100, height: 20 });
    expect(found).toContain(all[2010]);
    expect(found.length).toBeLessThan(30);
    expect(found.map((rect) => all.indexOf(rect))).toEqual(
      found.map((rect) => all.indexOf(rect)).sort((a, b) => a - b),
    );
  });
});
