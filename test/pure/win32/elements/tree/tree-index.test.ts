/** An index of a tree gives what going through the whole tree gives, on generated windows that change. */
import { describe, expect, test } from 'vitest';
import type { ControlType, ElementState } from '../../../../../src/contract/element/control-types.ts';
import type { Rect } from '../../../../../src/contract/element/geometry.ts';
import { distance } from '../../../../../src/win32/elements/tree/rect-grid.ts';
import { clipAgain, forgetIndex, indexOf, TreeIndex } from '../../../../../src/win32/elements/tree/tree-index.ts';
import { nodeAt, pathTo, walk, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { rounds } from '../../../../support/rounds.ts';
import { node } from '../../tree-builder.ts';

const ROUNDS = rounds({ whole: 60, quick: 15 });
const TYPES: readonly ControlType[] = ['Text', 'Edit', 'Button', 'ComboBox', 'Group', 'Document', 'MenuItem', 'Pane'];
const STATES: readonly ElementState[] = ['focused', 'disabled', 'readonly'];
const LISTS = ['focused', 'default', 'pressable', 'menus', 'fields', 'bars', 'documents', 'statusBars'] as const;

/** A repeatable sequence of numbers below a limit. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function layout(upTo: (below: number) => number): TreeNode {
  const make = (depth: number): TreeNode =>
    node(depth === 0 ? 'Window' : TYPES[upTo(TYPES.length)]!, {
      rect:
        depth === 0
          ? [0, 0, 2000, 1500]
          : [upTo(2200) - 100, upTo(1600) - 50, upTo(10) === 0 ? upTo(60_000) : upTo(160), upTo(60)],
      states: STATES.filter(() => upTo(9) === 0),
      children: Array.from({ length: depth === 0 ? 20 + upTo(160) : depth < 3 && upTo(8) === 0 ? upTo(30) : 0 }, () =>
        make(depth + 1),
      ),
    });
  const root = make(0);
  clipAgain(root);
  return root;
}

const rectIn = (upTo: (below: number) => number): Rect => ({
  x: upTo(2600) - 300,
  y: upTo(2000) - 250,
  width: upTo(300),
  height: upTo(200),
});

describe('an index of a tree', () => {
  test('gives visible nodes in the order of their distance, the earlier of equal ones first', () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const upTo = sequence(seed);
      const root = layout(upTo);
      for (let look = 0; look < 5; look += 1) {
        const from = rectIn(upTo);
        const sorted = walk(root)
          .filter(({ visible }) => visible !== null)
          .map((each) => ({ each, away: distance(from, each.visible!) }))
          .sort((one, other) => one.away - other.away)
          .map(({ each }) => each);
        expect([...indexOf(root).inView.nearest(from)], `layout ${seed}`).toEqual(sorted);
      }
    }
  });

  test('lists the same nodes as a search through the whole tree, also after nodes have changed', () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const upTo = sequence(seed);
      const root = layout(upTo);
      const index = indexOf(root);
      for (let change = 0; change < 40; change += 1) {
        const one = index.all[upTo(index.all.length)]!;
        const state = STATES[upTo(STATES.length)]!;
        if (one.states.has(state)) one.states.delete(state);
        else one.states.add(state);
        if (upTo(3) === 0) one.isDefaultButton = !one.isDefaultButton;
        index.update(one);
      }
      const again = new TreeIndex(root);
      for (const name of LISTS) expect(index.list(name), `layout ${seed}, ${name}`).toEqual(again.list(name));
      expect(index.list('focused')).toEqual(walk(root).filter(({ states }) => states.has('focused')));
    }
  });

  test('leads to a node and to the elements at a point, also once the window has moved', () => {
    const by = { x: -340, y: 57 };
    const moved = (rect: Rect): Rect => ({ ...rect, x: rect.x + by.x, y: rect.y + by.y });
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const upTo = sequence(seed);
      const root = layout(upTo);
      const index = indexOf(root);
      const look = (): void => {
        for (let at = 0; at < 10; at += 1) {
          const point = { x: root.rect.x + upTo(2000), y: root.rect.y + upTo(1500) };
          expect(index.at(point), `layout ${seed}`).toBe(nodeAt(root, point));
          const one = index.all[upTo(index.all.length)]!;
          expect(index.pathTo(one)).toEqual(pathTo(root, one.identity));
        }
      };
      look();
      for (const each of walk(root)) {
        each.rect = moved(each.rect);
        if (each.visible !== null) each.visible = moved(each.visible);
      }
      look();
      expect(index.inView.near({ ...root.rect, width: 10, height: 10 })).toContain(root);
    }
  });

  test('is made again where nodes came or went', () => {
    const root = node('Window', { rect: [0, 0, 500, 500], children: [node('Button')] });
    const before = indexOf(root);
    root.children.push(node('Edit', { states: ['focused'] }));
    clipAgain(root);
    expect(indexOf(root)).not.toBe(before);
    expect(indexOf(root).list('focused')).toEqual([root.children[1]]);
    const kept = indexOf(root);
    expect(indexOf(root)).toBe(kept);
    forgetIndex(root);
    expect(indexOf(root)).not.toBe(kept);
  });
});
