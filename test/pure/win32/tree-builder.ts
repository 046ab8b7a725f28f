/** Trees for tests that need no Windows. */
import type { ControlType, ElementState } from '../../../src/contract/element/control-types.ts';
import type { Rect } from '../../../src/contract/element/geometry.ts';
import { makeNode, type TreeNode } from '../../../src/win32/elements/tree/tree.ts';

let handles = 100;

export interface Seed {
  name?: string;
  value?: string | null;
  id?: string;
  rect?: [x: number, y: number, width: number, height: number];
  states?: ElementState[];
  label?: string;
  children?: TreeNode[];
}

const rectOf = ([x, y, width, height]: readonly [number, number, number, number]): Rect => ({ x, y, width, height });

/** A node as the child-window source makes it. */
export function node(controlType: ControlType, seed: Seed = {}): TreeNode {
  const hwnd = ++handles;
  return makeNode({
    identity: `hwnd:${hwnd}`,
    locator: { kind: 'window', hwnd },
    controlType,
    hwnd,
    source: 'window',
    rect: rectOf(seed.rect ?? [0, 0, 100, 20]),
    name: seed.name ?? '',
    value: seed.value ?? null,
    automationId: seed.id ?? '',
    states: new Set(seed.states ?? []),
    label: seed.label ?? null,
    children: seed.children ?? [],
  });
}
