/** Paths: which element a path means, and which path means an element. */
import { describe, expect, test } from 'vitest';
import { ELEMENT_PATH, stepsOf, stepText } from '../../../../../src/contract/element/element-path.ts';
import { UiaHostError } from '../../../../../src/contract/errors.ts';
import { inPath, pathFor } from '../../../../../src/win32/elements/finding/query.ts';
import { walk, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { node } from '../../tree-builder.ts';

const NAMES = ['Address', 'C:\\folder > Edit[2]', 'a\nb', '  x', '[3]', '#4', '\\>', 'Straße 狐 🦊', 'it\'s "so"'];

describe('the text of a path', () => {
  test('[query.path] holds any name and id, and is read back unchanged', () => {
    for (const text of NAMES) {
      const steps = [
        { role: 'Group', nth: null, name: text },
        { role: 'Pane', nth: 12, automationId: text },
        { role: 'Edit', nth: 2 },
      ];
      const path = steps.map(stepText).join(' > ');
      expect(path).toMatch(ELEMENT_PATH);
      expect(stepsOf(path)).toEqual(steps);
    }
  });

  test('[query.path] is refused where it is not one', () => {
    for (const text of [
      '',
      'e12',
      'Group > ',
      '> Edit',
      'Edit[0]',
      'Edit[a]',
      'Edit [2',
      'Group a>b > Edit',
      'Edit#',
      'Edit\\',
    ])
      expect([text, ELEMENT_PATH.test(text)]).toEqual([text, text === 'Edit [2']);
    expect(stepText({ role: 'Edit', nth: null, name: '' })).toBeNull();
    expect(stepText({ role: 'Edit', nth: null, name: 'x'.repeat(2000) })).toBeNull();
  });
});

/** Two groups of fields without names, as forms of several toolkits show them. */
const form = (): TreeNode =>
  node('Window', {
    name: 'Form',
    children: [
      node('Group', {
        name: 'Address',
        children: [node('Edit'), node('Pane', { children: [node('Edit'), node('Edit')] })],
      }),
      node('Group', { name: 'Delivery', children: [node('Edit'), node('Button', { name: 'Clear' })] }),
      node('Pane', { id: 'totals', children: [node('Button', { name: 'Clear' }), node('Text')] }),
      node('Button', { name: 'Clear' }),
    ],
  });
const reached = (root: TreeNode, path: string): readonly TreeNode[] => inPath(root, path).found;

describe('a path', () => {
  test('[query.path] exists for each element, and leads to it alone, also in the window that is opened later', () => {
    const [root, again] = [form(), form()];
    const all = walk(root).slice(1);
    const paths = all.map((each) => pathFor(root, each));
    expect(new Set(paths).size).toBe(all.length);
    expect(paths).toContain('Group Address > Edit[3]');
    expect(paths).toContain('Pane#totals > Button Clear');
    expect(paths).toContain('Button[3] Clear');
    for (const [at, path] of paths.entries()) {
      expect(reached(root, path!), path!).toEqual([all[at]]);
      expect(reached(again, path!), path!).toEqual([walk(again)[at + 1]]);
    }
  });

  test('[query.path] finds nothing where a step is gone, never a similar one', () => {
    const root = form();
    const path = pathFor(root, root.children[0]!.children[0]!)!;
    expect(path).toBe('Group Address > Edit[1]');
    root.children[0]!.name = 'Address of delivery';
    expect(reached(root, path)).toEqual([]);
    root.children[0]!.name = 'ADDRESS';
    expect(reached(root, path)).toHaveLength(1);
    expect(reached(root, 'Group Address > Edit[9]')).toEqual([]);
  });

  test('[query.path] is ambiguous where one of its steps is', () => {
    const root = form();
    root.children[1]!.name = 'Address';
    expect(reached(root, 'Group Address > Edit[1]')).toEqual(root.children.slice(0, 2));
    expect(reached(root, 'Group[2] Address > Button Clear')).toEqual([root.children[1]!.children[1]]);
    expect(reached(root, 'Button Clear')).toHaveLength(3);
  });

  test('[query.path] counts no items, and nothing in a list that was read in part', () => {
    const list = node('List', {
      name: 'Orders',
      children: [node('ListItem', { children: [node('Button')] }), node('ListItem')],
    });
    const root = node('Window', { children: [list, node('Edit'), node('Edit')] });
    const item = list.children[0]!;
    expect(pathFor(root, item)).toBeNull();
    expect(() => inPath(root, 'List Orders > ListItem[1]')).toThrow(UiaHostError);
    expect(pathFor(root, item.children[0]!)).toBe('List Orders > Button');
    list.itemCount = 900;
    expect(inPath(root, 'Button[1]').unread).toContain('Orders');
    expect(inPath(root, 'Edit[2]')).toEqual({ found: [root.children[2]], unread: null });
  });
});
