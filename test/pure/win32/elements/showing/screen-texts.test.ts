/** What the gate gets about a window: its question, and the texts in view, wherever they are. */
import { describe, expect, test } from 'vitest';
import { findInstruction } from '../../../../../src/policy/risk/content/untrusted-text.ts';
import { clipToAncestors, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { shownOf } from '../../../../../src/win32/elements/tree/snapshot-nodes.ts';
import { questionTexts } from '../../../../../src/win32/elements/finding/element-target.ts';
import { SCREEN_BUDGET, screenTexts } from '../../../../../src/win32/elements/showing/context.ts';
import { ORDERS } from '../../../policy/orders.ts';
import { node, type Seed } from '../../tree-builder.ts';

const windowOf = (children: TreeNode[], seed: Seed = {}): TreeNode => {
  const root = node('Window', { name: 'Mail', rect: [0, 0, 800, 600], children, ...seed });
  clipToAncestors(root);
  return root;
};
const head = (of: TreeNode, length: number): string => (of.value ?? '').slice(0, length);
const drawn = (name: string): TreeNode =>
  Object.assign(node('Pane', { name, rect: [10, 60, 200, 20] }), { source: 'msaa' as const });
const far: Seed = { rect: [600, 500, 150, 60] };

/** Every place in a window where another program's words can stand. */
const PLACES: ReadonlyArray<readonly [string, (text: string) => TreeNode[]]> = [
  ['a document', (text) => [node('Document', { ...far, value: text })]],
  ['a field that can be edited', (text) => [node('Edit', { ...far, value: text })]],
  ['a read-only field', (text) => [node('Edit', { ...far, value: text, states: ['readonly'] })]],
  [
    'a mail’s body inside panes',
    (text) => [
      node('Pane', {
        rect: [0, 0, 800, 600],
        children: [
          node('Group', {
            rect: [500, 400, 300, 200],
            children: [node('Document', { ...far, name: 'Message', value: text })],
          }),
        ],
      }),
    ],
  ],
  [
    'a list item',
    (text) => [node('List', { rect: [500, 400, 300, 200], children: [node('ListItem', { ...far, name: text })] })],
  ],
  [
    'a row’s other columns',
    (text) => [
      node('List', { rect: [500, 400, 300, 200], children: [node('DataItem', { ...far, name: 'Ann', value: text })] }),
    ],
  ],
  [
    'a tree item',
    (text) => [node('Tree', { rect: [500, 400, 300, 200], children: [node('TreeItem', { ...far, name: text })] })],
  ],
  ['a link', (text) => [node('Hyperlink', { ...far, name: text })]],
  [
    'the text of a page',
    (text) => [
      node('Document', { name: 'Page', rect: [0, 0, 800, 600], children: [node('Text', { ...far, name: text })] }),
    ],
  ],
  ['the title of the window', () => []],
  ['the name of a button', (text) => [node('Button', { ...far, name: text })]],
  ['the name of a tab', (text) => [node('TabItem', { ...far, name: text })]],
  ['the name of an image', (text) => [node('Image', { ...far, name: text })]],
  ['a group', (text) => [node('Group', { ...far, name: text })]],
  ['a status bar', (text) => [node('StatusBar', { ...far, children: [node('Text', { ...far, value: text })] })]],
  ['a label', (text) => [node('Edit', { ...far, label: text })]],
  [
    'the visible part of a text that was read in part',
    (text) => [Object.assign(node('Document', { ...far, value: 'x'.repeat(20_000) }), { shown: text })],
  ],
];

describe('text that gives orders is found where it is', () => {
  test.each(PLACES)('[untrusted.reach] %s, in seven languages', (place, children) => {
    for (const order of Object.values(ORDERS)) {
      const button = node('Button', { name: 'Delete', rect: [10, 10, 80, 24] });
      const root = windowOf([button, ...children(order)], place.startsWith('the title') ? { name: order } : {});
      expect(findInstruction(screenTexts(root, button, head), 'plain')?.signals).toContain('overrides_instructions');
    }
  });

  test('[untrusted.reach] the content of a password field is never among the texts', () => {
    const secret = node('Edit', {
      name: 'Password',
      value: 'hunter2-hunter2',
      rect: [10, 40, 100, 20],
      states: ['password', 'readonly'],
    });
    const root = windowOf([Object.assign(secret, { shown: 'hunter2-hunter2' })]);
    expect([...screenTexts(root, secret, head), ...questionTexts(root, true)].join()).not.toContain('hunter2');
    expect(screenTexts(root, secret, head)).toContain('Password');
  });

  test('off-screen texts are left out; the nearest come first; the budget holds', () => {
    const button = node('Button', { name: 'Delete', rect: [400, 300, 80, 24] });
    const texts = Array.from({ length: 900 }, (_each, index) =>
      node('Text', { name: `Text number ${index}`, rect: [400, (index * 7) % 600, 100, 5] }),
    );
    const hidden = node('Text', { name: 'Hidden words', rect: [2000, 2000, 10, 10] });
    const found = screenTexts(windowOf([button, hidden, ...texts]), button, head);
    expect(found).not.toContain('Hidden words');
    expect(found).toHaveLength(SCREEN_BUDGET.texts);
    const tops = found.flatMap((text) => {
      const at = /number (\d+)/.exec(text)?.[1];
      return at === undefined ? [] : [(Number(at) * 7) % 600];
    });
    expect(Math.max(...tops.map((top) => Math.abs(top - 300)))).toBeLessThan(250);
    const long = screenTexts(
      windowOf([
        button,
        ...Array.from({ length: 9 }, (_each, index) =>
          node('Document', { value: `${index}`.repeat(50_000), rect: [0, index * 60, 100, 50] }),
        ),
      ]),
      button,
      head,
    );
    expect(long.join('').length).toBeLessThanOrEqual(SCREEN_BUDGET.characters);
    expect(Math.max(...long.map((text) => text.length))).toBe(SCREEN_BUDGET.ofOneText);
  });
});

describe('items that a snapshot counts or joins', () => {
  const order = Object.values(ORDERS).flat()[0]!;

  test('[snapshot.counted-judged] items of a closed combo box that are in view, and each of many rows that are alike', () => {
    const items = Array.from({ length: 9 }, () => node('ListItem', { ...far, name: order }));
    const combo = node('ComboBox', { rect: [500, 400, 300, 200], states: ['collapsed'], children: items });
    const list = node('List', { rect: [500, 400, 300, 200], children: items });
    for (const [holder, counted] of [
      [combo, 9],
      [list, 0],
    ] as const) {
      const root = windowOf([node('Button', { name: 'OK' }), holder]);
      expect(shownOf(holder).counted).toBe(counted);
      expect(findInstruction(screenTexts(root, root.children[0]!, head))).not.toBeNull();
    }
  });

  test('[snapshot.counted-judged] a counted item, when an action uses it', () => {
    const item = node('ListItem', { name: order, states: ['offscreen'] });
    const combo = node('ComboBox', { states: ['collapsed'], children: [item] });
    const root = windowOf([combo]);
    expect(shownOf(combo).counted).toBe(1);
    expect(screenTexts(root, item, head)).toContain(order);
  });
});

describe('a question counts wherever its text is', () => {
  const question = 'Save changes to “plan.txt”?';
  test.each([
    ['static text', node('Text', { name: question })],
    ['a text whose words are its value', node('Text', { value: question })],
    ['a field that nobody can write in', node('Edit', { value: question, states: ['readonly'] })],
    ['a read-only document', node('Document', { value: question, states: ['readonly'] })],
    [
      'the text of a task dialog',
      node('Pane', { rect: [0, 0, 400, 200], children: [node('Text', { name: question })] }),
    ],
    ['drawn text that MSAA tells', drawn(question)],
  ])('%s', (_place, place) => {
    for (const isDialog of [true, false])
      expect(questionTexts(windowOf([place, node('Button', { name: 'No' })]), isDialog)).toContain(question);
  });

  test('a person’s own text, a console’s screen, long texts and a button’s name do not count', () => {
    const shell = Object.assign(node('Document', { value: 'Continue? [y/n]', states: ['readonly'] }), {
      capabilities: new Set(['text'] as const),
    });
    const root = windowOf([
      node('Edit', { value: 'Did you see this?' }),
      node('Document', { value: 'Is this a question?' }),
      shell,
      node('Button', { name: 'Delete?' }),
      node('Edit', { value: `${'long '.repeat(300)}?`, states: ['readonly'] }),
      node('Edit', { value: 'C:\\work\\plan.txt', states: ['readonly'] }),
    ]);
    expect(questionTexts(root, false)).toEqual([]);
    expect(questionTexts(root, true)).toEqual(['C:\\work\\plan.txt']);
  });
});
