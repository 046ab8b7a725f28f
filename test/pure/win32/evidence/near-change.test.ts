/** Evidence from what changed around an element, or in its window. */
import { describe, expect, test } from 'vitest';
import { elementChange, nearChange } from '../../../../src/win32/evidence/shown-effects.ts';
import { walk, type TreeNode } from '../../../../src/win32/elements/tree/tree.ts';
import { node } from '../tree-builder.ts';

/** A window with a list, a field, a button, a status text, and a panel far from them. */
function shop(): TreeNode {
  return node('Window', {
    children: [
      node('List', {
        name: 'Fruit',
        children: [node('ListItem', { name: 'Apple' }), node('ListItem', { name: 'Pear', states: ['selected'] })],
      }),
      node('Edit', { name: 'City', value: 'Graz' }),
      node('Button', { name: 'Go' }),
      node('Text', { name: 'ready' }),
      node('ProgressBar', { name: '10 %' }),
      node('Pane', { children: [node('Text', { name: '10:00:00' })] }),
    ],
  });
}
const of = (root: TreeNode, name: string): TreeNode => [...walk(root)].find((each) => each.name === name)!;
/** The evidence of input to the element `hit` after `change`. */
function seen(hit: string, change: (root: TreeNode) => void) {
  const then = shop();
  const now = structuredClone(then);
  change(now);
  return nearChange(then, now, of(then, hit).identity);
}

describe('changes around an element after input to it', () => {
  test('[outcome.confirmed] nothing is not a change', () => {
    for (const name of ['Apple', 'City', 'Go']) expect(seen(name, () => {})).toBeNull();
  });

  test('[outcome.confirmed] its state, value and text are sure', () => {
    expect(seen('Apple', (root) => of(root, 'Apple').states.add('selected'))).toEqual({
      evidence: { kind: 'state', before: '', after: 'selected' },
      isSure: true,
    });
    expect(
      seen('City', (root) => {
        of(root, 'City').value = 'Graz!';
      }),
    ).toEqual({ evidence: { kind: 'value', before: 'Graz', after: 'Graz!' }, isSure: true });
    expect(
      seen('Go', (root) => {
        of(root, 'Go').name = 'Stop';
      }),
    ).toEqual({ evidence: { kind: 'text', before: 'Go', after: 'Stop' }, isSure: true });
    expect(
      seen('Go', (root) => {
        Object.assign(of(root, 'Go'), { identity: 'another', name: 'Stop' });
      }),
    ).toMatchObject({ evidence: { kind: 'text', after: 'Stop' } });
    expect(
      seen('Go', (root) => {
        root.children.splice(2, 1);
      }),
    ).toEqual({ evidence: { kind: 'element', before: 'Go', after: null }, isSure: true });
  });

  test('[outcome.confirmed] the selection next to it, and the length of its text', () => {
    expect(seen('Apple', (root) => of(root, 'Pear').states.delete('selected'))).toEqual({
      evidence: { kind: 'selection', before: 'Pear: selected', after: 'Pear: ' },
      isSure: true,
    });
    expect(
      seen('Apple', (root) => {
        of(root, 'Fruit').children.push(node('ListItem', { name: 'Plum' }));
      }),
    ).toEqual({ evidence: { kind: 'children', before: 2, after: 3 }, isSure: true });
  });

  test('[outcome.confirmed] a text next to it may have changed by itself', () => {
    expect(
      seen('Go', (root) => {
        of(root, 'ready').name = 'gone';
      }),
    ).toEqual({ evidence: { kind: 'text', before: 'ready', after: 'gone' }, isSure: false });
  });

  test('[outcome.confirmed] the focus counts for the field that was clicked alone', () => {
    expect(seen('City', (root) => of(root, 'City').states.add('focused'))).toEqual({
      evidence: { kind: 'focus', before: false, after: true },
      isSure: true,
    });
    expect(seen('Go', (root) => of(root, 'Go').states.add('focused'))).toBeNull();
    expect(seen('Go', (root) => of(root, 'City').states.add('focused'))).toBeNull();
  });

  test('[outcome.confirmed] clocks elsewhere, meters and elements that scroll out of view show nothing', () => {
    expect(
      seen('Go', (root) => {
        of(root, '10:00:00').name = '10:00:01';
      }),
    ).toBeNull();
    expect(
      seen('Go', (root) => {
        of(root, '10 %').name = '20 %';
      }),
    ).toBeNull();
    expect(seen('Go', (root) => of(root, 'Go').states.add('offscreen'))).toBeNull();
    expect(
      seen('Go', (root) => {
        root.children.push(node('ToolTip', { name: 'Goes' }));
      }),
    ).toBeNull();
    expect(
      seen('10 %', (root) => {
        of(root, '10 %').name = '20 %';
      }),
    ).toBeNull();
  });

  test('[outcome.confirmed] where its container is gone, nothing is reported', () => {
    expect(
      seen('Apple', (root) => {
        root.children.shift();
      }),
    ).toBeNull();
    expect(nearChange(shop(), shop(), 'hwnd:0')).toBeNull();
  });
});

describe('changes anywhere in the window after an action on an element', () => {
  const changed = (change: (root: TreeNode) => void) => {
    const then = shop();
    const now = structuredClone(then);
    change(now);
    return elementChange(then, now);
  };

  test('[outcome.confirmed] texts, states, values, and elements that came or went', () => {
    expect(changed(() => {})).toBeNull();
    expect(
      changed((root) => {
        of(root, 'ready').name = 'gone';
      }),
    ).toEqual({ kind: 'text', before: 'ready', after: 'gone', element: 'Text' });
    expect(changed((root) => of(root, 'Apple').states.add('selected'))).toEqual({
      kind: 'state',
      before: '',
      after: 'selected',
      element: 'ListItem “Apple”',
    });
    expect(
      changed((root) => {
        of(root, 'City').value = 'Linz';
      }),
    ).toEqual({ kind: 'value', before: 'Graz', after: 'Linz', element: 'Edit “City”' });
    expect(
      changed((root) => {
        root.children.splice(2, 1);
      }),
    ).toEqual({ kind: 'element', before: 'Go', after: null });
  });

  test('[outcome.confirmed] not the focus, and not meters and tool tips, which come and move by themselves', () => {
    expect(changed((root) => of(root, 'Go').states.add('focused'))).toBeNull();
    expect(
      changed((root) => {
        of(root, '10 %').name = '20 %';
      }),
    ).toBeNull();
    expect(
      changed((root) => {
        root.children.push(node('ToolTip', { name: 'Goes' }));
      }),
    ).toBeNull();
  });
});
