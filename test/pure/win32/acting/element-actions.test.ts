/** The parts of acting on elements that need no Windows. */
import { describe, expect, test } from 'vitest';
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { ControlType } from '../../../../src/contract/element/control-types.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { bestNamed, chooseItem, itemsOf } from '../../../../src/win32/acting/choose-item.ts';
import { pathParts } from '../../../../src/contract/element/element-words.ts';
import { climb, delivered, failed, notApplicable, refused, unfinished } from '../../../../src/win32/drivers/driver.ts';
import { buttonKind, controlTypeOf, isDefaultButtonStyle, kindOfClass } from '../../../../src/win32/windows/classes.ts';
import { snapshotNodes, shownOf } from '../../../../src/win32/elements/tree/snapshot-nodes.ts';
import { mergeAutomation } from '../../../../src/win32/elements/reading/merge.ts';
import { attemptAfter, attemptOf } from '../../../../src/win32/elements/sources/patterns.ts';
import { linksOf } from '../../../../src/win32/drivers/link.ts';
import {
  compareText,
  endsLinesWithCr,
  isInserted,
  shownDifference,
  withoutBackspaces,
} from '../../../../src/win32/elements/tree/text-difference.ts';
import {
  clickPoint,
  clipToAncestors,
  markCovered,
  nodeAt,
  walk,
  type TreeNode,
} from '../../../../src/win32/elements/tree/tree.ts';
import { node } from '../tree-builder.ts';
import { phrasesOf, wordsOf } from '../../../support/words.ts';

describe('ways', () => {
  test('are tried in order until one delivers; a refusal ends the attempts', async () => {
    const a = (): ReturnType<typeof failed> => failed('uia-invoke', 'a');
    const b = (): ReturnType<typeof failed> => delivered('message', 'b');
    const c = (): ReturnType<typeof failed> => {
      throw new Error('not reached');
    };
    expect(await climb([() => notApplicable('msaa', 'n'), a, b, c], null)).toMatchObject({
      delivered: { rung: 'message' },
      attempts: [{ rung: 'msaa' }, { rung: 'uia-invoke' }, { rung: 'message' }],
    });
    expect(await climb([() => refused('uia-value', 'no'), c], null)).toMatchObject({
      delivered: null,
      attempts: [{ result: 'refused' }],
    });
    expect(await climb([], null)).toEqual({ delivered: null, attempts: [] });
  });
});

describe('a call that failed', () => {
  const acting = (code: number): unknown =>
    attemptAfter('uia-invoke', 'Invoke', new ComError(code, 'IUIAutomationInvokePattern.Invoke'), 'OK');

  test('[click.once] and may have been done ends the climb as delivered, and its outcome knows no more fields than others', async () => {
    const again = (): ReturnType<typeof failed> => {
      throw new Error('pressed again');
    };
    const climbed = await climb([() => unfinished('uia-invoke', 'Invoke'), again], null);
    expect(climbed).toEqual({
      delivered: climbed.attempts[0],
      attempts: [
        { rung: 'uia-invoke', result: 'delivered', reason: expect.stringContaining('has not returned') as unknown },
      ],
      isUnfinished: true,
    });
    for (const name of [
      'UIA_E_TIMEOUT',
      'RPC_E_TIMEOUT',
      'RPC_S_CALL_FAILED',
      'RPC_E_SERVERFAULT',
      'RPC_E_SERVER_DIED',
      'RPC_E_CALL_CANCELED',
      'RPC_E_DISCONNECTED',
      'ERROR_TIMEOUT',
    ] as const) {
      expect(acting(HRESULT[name]), name).toMatchObject({
        result: 'delivered',
        isUnfinished: true,
        reason: expect.stringContaining(name) as unknown,
      });
    }
  });

  test('and surely was not done leaves the next way open; if its element went away, the error does not claim that nothing happened', () => {
    for (const name of ['E_FAIL', 'RPC_S_SERVER_UNAVAILABLE', 'RPC_E_CALL_REJECTED'] as const)
      expect(acting(HRESULT[name]), name).toMatchObject({ result: 'failed' });
    expect(acting(HRESULT.UIA_E_INVALIDOPERATION)).toMatchObject({ result: 'refused' });
    expect(acting(HRESULT.E_NOTIMPL)).toMatchObject({ result: 'not_applicable' });
    expect(() => acting(HRESULT.UIA_E_ELEMENTNOTAVAILABLE)).toThrow(
      expect.objectContaining({ code: 'element_stale', delivery: 'unknown' }) as Error,
    );
    // A question that is not answered has done nothing.
    expect(
      attemptOf('uia-invoke', new ComError(HRESULT.UIA_E_TIMEOUT, 'IUIAutomationElement.GetCurrentPattern'), 'OK'),
    ).toMatchObject({ result: 'failed' });
  });
});

describe('read-back', () => {
  test('a CR that was not asked for ends a line only where the others end so', () => {
    for (const [wanted, got] of [
      ['a\nb', 'a\rb'],
      ['a\r\nb', 'a\rb'],
      ['one\r\ntwo\n', 'one\r\ntwo\r'],
      ['a b', 'a\rb'],
      ['a\rb\n', 'a\rb\r'],
    ])
      expect(compareText(wanted!, got!), wanted).toBe('mismatch');
    expect(compareText('a\nb', 'a\rb', true)).toBe('normalised');
    expect(compareText('a\rb', 'a\r\nb')).toBe('normalised');
    expect(compareText('a\rb', 'a\rb')).toBe('verified');
    expect([null, '', 'a', 'a\nb', 'a\r\nb', 'a\rb\n', 'a\rb'].map(endsLinesWithCr)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('[into.read-back] a line end, a tab or an indent that is gone or was added is not another way of writing the same', () => {
    for (const [wanted, got] of [
      ['a\n', 'a'],
      ['a\nb', 'a b'],
      ['a\tb', 'a b'],
      ['\ta', 'a'],
      ['  a\n  b', '  a\r\n    b'],
      ['a\n\nb', 'a\nb'],
    ])
      expect(compareText(wanted!, got!), wanted).toBe('mismatch');
    for (const [wanted, got] of [
      ['a  b', 'a b'],
      ['a', 'a\n'],
      ['a\u00a0b\nc', 'a b\r\nc'],
    ])
      expect(compareText(wanted!, got!), wanted).toBe('normalised');
  });

  test('shows the place where long texts differ', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    const before = lines.join('\n');
    expect(shownDifference('a', 'ab', 100)).toEqual({ before: 'a', after: 'ab' });
    expect(shownDifference(before, `${before}END`, 100).after).toMatch(/^….*line 499END$/s);
    const middle = shownDifference(before, before.replace('line 250', 'line two hundred'), 100);
    expect(middle.before).toMatch(/^….*line 250\n.*…$/s);
    expect(middle.after).toMatch(/^….*line two hundred\n.*…$/s);
    expect(shownDifference(before, null, 100).before).toMatch(/^line 0.*….*line 499$/s);
    const much = shownDifference(null, '🦊'.repeat(500), 100).after!;
    expect([much.length <= 100, much.isWellFormed()]).toEqual([true, true]);
    expect(shownDifference('🦊'.repeat(500), `${'🦊'.repeat(400)}🐺${'🦊'.repeat(99)}`, 100)).toMatchObject({
      before: expect.stringMatching(/^…🦊/u),
      after: expect.stringContaining('🐺'),
    });
  });

  test('typed text counts as arrived where nothing else is gone', () => {
    expect(isInserted('', 'abc', 'abc', false)).toBe(true);
    expect(isInserted('xx', 'xabcx', 'abc', false)).toBe(true);
    expect(isInserted('aaa', 'aaaaa', 'aa', false)).toBe(true);
    // Nothing came: it was there before.
    expect(isInserted('xabc', 'xabc', 'abc', false)).toBe(false);
    expect(isInserted('xabc', 'xabc', 'abc', true)).toBe(false);
    expect(isInserted('xyz', 'xabc', 'abc', true)).toBe(true);
    expect(isInserted('xyz', 'xabc', 'abc', false)).toBe(false);
    // At two places, or only in part.
    expect(isInserted('one two', 'one! two!', '!!', false)).toBe(false);
    expect(isInserted('', 'ab', 'abc', true)).toBe(false);
    expect([withoutBackspaces('ab\b🦊\bc'), withoutBackspaces('a\r\n\bb'), withoutBackspaces('a\b\b')]).toEqual([
      'ac',
      'ab',
      null,
    ]);
  });

  test('[into.read-back] verified, normalised, mismatch', () => {
    expect(compareText('abc', 'abc')).toBe('verified');
    for (const [wanted, got] of [
      ['a\nb', 'a\r\nb'],
      ['abc', 'ABC'],
      [' abc ', 'abc'],
      ['é', 'e\u0301'],
      ['007', '7'],
      ['1,5', '1.5'],
      ['a\u00a0b', 'a b'],
    ])
      expect(compareText(wanted!, got!), wanted).toBe('normalised');
    for (const [wanted, got] of [
      ['abc', 'ab'],
      ['', 'a'],
      ['7', '8'],
      ['a b', 'ab'],
    ])
      expect(compareText(wanted!, got!), wanted).toBe('mismatch');
  });
});

describe('items', () => {
  const leaf = (name: string, children: TreeNode[] = []): TreeNode => node('TreeItem', { name, children });
  const tree = node('Tree', {
    children: [
      node('Header'),
      leaf('Fruit', [leaf('Apple'), leaf('Pear', [leaf('Williams')])]),
      leaf('Other', [leaf('Apple')]),
    ],
  });

  test('[select.item] by index, by name, by path', () => {
    expect(itemsOf(tree).map(({ name }) => name)).toEqual(['Fruit', 'Apple', 'Pear', 'Williams', 'Other', 'Apple']);
    expect(chooseItem(tree, { index: 3 }, 'the tree').name).toBe('Williams');
    expect(chooseItem(tree, { name: 'williams' }, 'the tree').name).toBe('Williams');
    expect(chooseItem(tree, { name: 'Other > Apple' }, 'the tree')).toBe(tree.children[2]!.children[0]);
    expect(pathParts('File > Save As…').map(({ name }) => name)).toEqual(['File', 'Save As…']);
    expect(bestNamed(tree.children, 'Fr').map(({ name }) => name)).toEqual(['Fruit']);
  });

  test('the name that is spelt as given is chosen among names that fit equally', () => {
    const list = node('List', {
      children: ['Save…', 'Save', 'R&D', 'RD', 'Client\tTab', 'Client'].map((name) => node('ListItem', { name })),
    });
    for (const { name } of list.children) expect(chooseItem(list, { name }, 'the list').name).toBe(name);
    expect(() => chooseItem(list, { name: 'save' }, 'the list')).toThrow(/^2 items of the list/);
  });

  test('a missing item and an ambiguous name have their own errors', () => {
    const refusal = (wanted: { name?: string; index?: number }, of = tree): UiaHostError => {
      try {
        chooseItem(of, wanted, 'the tree');
      } catch (error) {
        if (error instanceof UiaHostError) return error;
      }
      throw new Error('it was chosen');
    };
    expect(refusal({ name: 'Apple' })).toMatchObject({ code: 'target_ambiguous' });
    expect(refusal({ name: 'Plum' })).toMatchObject({ code: 'target_not_found' });
    expect(refusal({ index: 6 })).toMatchObject({ code: 'target_not_found' });
    // WPF without patterns: nothing tells the entries, which does not mean that there are none
    const locator = { kind: 'uia', hwnd: 1, runtimeId: [42, 1] } as const;
    expect(refusal({ name: 'Plum' }, { ...node('ComboBox'), locator })).toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('virtual-keyboard down or up') as unknown,
    });
  });
});

describe('classes', () => {
  test('[snapshot.sources] standard controls are known under the names that frameworks give them', () => {
    expect(
      wordsOf`
        Edit EDIT SysListView32 RICHEDIT50W WindowsForms10.SysTreeView32.app.0.2bf8098_r6_ad1 TMemo
        ThunderRT6CommandButton ATL:Edit _wx_SysTabCtl32 TPageControl TDateTimePicker
      `.map(kindOfClass),
    ).toEqual(wordsOf`edit edit list-view rich-edit tree-view edit button edit tab tab date-time`);
    expect([kindOfClass('MyOwn'), kindOfClass('constructor'), kindOfClass('')]).toEqual([null, null, null]);
  });

  test('kinds of button and static', () => {
    expect([0, 1, 2, 3, 6, 4, 9, 7, 0xb, 0xc].map(buttonKind)).toEqual(
      wordsOf`push push check check check radio radio group push split`,
    );
    expect([isDefaultButtonStyle(1), isDefaultButtonStyle(0)]).toEqual([true, false]);
    expect([
      controlTypeOf('static', 0, false),
      controlTypeOf('static', 3, false),
      controlTypeOf('static', 0x10, false),
    ]).toEqual(['Text', 'Image', 'Separator']);
    expect([controlTypeOf('other', 0, true), controlTypeOf('other', 0, false)]).toEqual(['Pane', 'Custom']);
  });

  test('links of a SysLink text', () => {
    expect(linksOf('Read the <a id="terms">terms</a> or the <A href="https://x.test/">help</A>')).toEqual([
      'terms',
      'help',
    ]);
    expect(linksOf('no links')).toEqual([]);
  });
});

describe('elements in the text', () => {
  test('nodes without name, value, pattern or interesting descendant are dropped', () => {
    const root = node('Window', {
      children: [
        node('Pane', { id: 'empty', children: [node('Pane'), node('Image'), node('Text')] }),
        node('Pane', { id: 'holds', children: [node('Button')] }),
        node('Pane', { name: 'named' }),
        node('Text', { name: 'text' }),
        node('Image', { value: 'v' }),
        { ...node('Custom'), source: 'uia' },
      ],
    });
    expect(
      snapshotNodes(root).map(
        ({ node: { controlType, automationId, name }, depth }) => `${depth} ${controlType} ${automationId}${name}`,
      ),
    ).toEqual(['0 Window ', '1 Pane holds', '2 Button ', '1 Pane named', '1 Text text', '1 Image ']);
  });

  test('a long list shows the rows in view or selected', () => {
    const items = Array.from({ length: 100 }, (_, index) =>
      node('ListItem', {
        name: `Item ${index}`,
        rect: [0, index * 10, 50, 10],
        states: index === 90 ? ['selected'] : [],
      }),
    );
    const list = node('List', { rect: [0, 0, 100, 45], children: items });
    const root = node('Window', { rect: [0, 0, 100, 100], children: [list] });
    clipToAncestors(root);
    expect(shownOf(list).children.map(({ name }) => name)).toEqual(phrasesOf`
      Item 0 | Item 1 | Item 2 | Item 3 | Item 4 | Item 90
    `);
    list.children = items.slice(0, 64);
    expect(shownOf(list).children).toHaveLength(64);
  });

  const rowsNamed = (count: number, type: ControlType = 'ListItem'): ReturnType<typeof node>[] =>
    Array.from({ length: count }, (_, index) => node(type, { name: `Item ${index}`, states: ['offscreen'] }));

  test('[snapshot.counted] a closed combo box counts its items, in a list of its own or not, unless all are asked for', () => {
    const own = node('ComboBox', { states: ['collapsed'], children: [node('Edit'), ...rowsNamed(5)] });
    const inner = node('ComboBox', { states: ['collapsed'], children: [node('List', { children: rowsNamed(25) })] });
    expect(shownOf(own)).toEqual({ children: [own.children[0]], counted: 5 });
    expect(shownOf(inner)).toEqual({ children: [], counted: 25 });
    expect(shownOf({ ...inner, itemCount: 300 }).counted).toBe(300);
    for (const combo of [own, inner])
      expect(shownOf(combo, { form: 'full', items: 'all' })).toEqual({ children: combo.children, counted: 0 });
    const open = node('ComboBox', { states: ['expanded'], children: rowsNamed(25) });
    expect(shownOf(open)).toEqual({ children: open.children, counted: 0 });
  });

  test('[snapshot.counted] so does a list out of view, with all its branches; a list partly in view does not', () => {
    const branch = node('TreeItem', { name: 'Branch', children: rowsNamed(3, 'TreeItem') });
    const tree = node('Tree', { rect: [0, 500, 100, 40], children: [branch, ...rowsNamed(2, 'TreeItem')] });
    const list = node('List', { rect: [0, 0, 0, 0], children: [node('ListItem', { rect: [0, 0, 50, 10] })] });
    const root = node('Window', { rect: [0, 0, 100, 100], children: [tree, list] });
    clipToAncestors(root);
    expect(shownOf(tree)).toEqual({ children: [], counted: 6 });
    expect(shownOf(tree, { form: 'full', items: 'all' }).children).toHaveLength(3);
    expect(list.visible).toBeNull();
    expect(shownOf(list)).toEqual({ children: list.children, counted: 0 });
  });

  test('[snapshot.brief] wrappers without a name and texts that repeat a name are left out, and nothing else', () => {
    const root = node('Window', {
      name: 'Form',
      children: [
        node('Pane', {
          children: [
            node('ToolBar', { children: [node('Button', { id: 'Item 1' }), node('Button', { name: 'Bold' })] }),
            node('Text', { name: 'E-mail:' }),
            node('Edit', { name: 'E-mail' }),
            node('Text', { name: 'Total: 3' }),
          ],
        }),
        node('Group', { name: 'Payment', children: [node('RadioButton', { name: 'Card' })] }),
        node('List', { children: [node('ListItem', { name: 'A', children: [node('Text', { name: 'A' })] })] }),
        node('Text', { name: 'Card' }),
      ],
    });
    const shown = (form: 'full' | 'brief'): string[] =>
      snapshotNodes(root, { form, items: 'counted' }).map(
        ({ node: { controlType, name, automationId }, depth }) => `${depth} ${controlType} ${name}${automationId}`,
      );
    expect(shown('brief')).toEqual([
      '0 Window Form',
      '1 Button Item 1',
      '1 Button Bold',
      '1 Edit E-mail',
      '1 Text Total: 3',
      '1 Group Payment',
      '2 RadioButton Card',
      '1 List ',
      '2 ListItem A',
      '1 Text Card',
    ]);
    expect(shown('full')).toHaveLength(13);
  });

  test('rectangles are clipped to the visible part of their ancestors', () => {
    const button = node('Button', { rect: [90, 10, 40, 20] });
    const outside = node('Button', { rect: [200, 10, 40, 20] });
    const item = node('TreeItem', { rect: [10, 50, 80, 16], children: [node('TreeItem', { rect: [20, 66, 70, 16] })] });
    const root = node('Window', { rect: [0, 0, 100, 100], children: [button, outside, item] });
    root.clip = { x: 4, y: 4, width: 92, height: 92 };
    clipToAncestors(root);
    expect(button.visible).toEqual({ x: 90, y: 10, width: 6, height: 20 });
    expect(clickPoint(button)).toEqual({ x: 93, y: 20 });
    expect([outside.visible, outside.states.has('offscreen'), clickPoint(outside)]).toEqual([null, true, null]);
    expect(item.children[0]!.visible).toEqual({ x: 20, y: 66, width: 70, height: 16 });
  });

  test('elements of UI Automation outside the client area are in view: title bar, menu bar, scroll bars; windows inside are not', () => {
    const part = (
      controlType: ControlType,
      rect: [number, number, number, number],
      children: TreeNode[] = [],
    ): TreeNode => {
      const made = node(controlType, { rect, children });
      return { ...made, source: 'uia', locator: { kind: 'uia', hwnd: 1, runtimeId: [made.hwnd] } };
    };
    const close = part('Button', [80, 2, 16, 16]);
    const bar = part('ScrollBar', [90, 20, 10, 76]);
    const inside = node('Edit', { rect: [10, 90, 80, 20] });
    const behind = node('Button', { rect: [10, 0, 20, 18] });
    const pane = part('Pane', [0, 20, 100, 80], [inside]);
    const automation = part(
      'Window',
      [0, 0, 100, 100],
      [part('TitleBar', [0, 0, 100, 20], [close]), bar, pane, behind],
    );
    const window = node('Window', { rect: [0, 0, 100, 100] });
    window.clip = { x: 4, y: 20, width: 86, height: 76 };
    const root = mergeAutomation(automation, window);
    clipToAncestors(root);
    expect([close, bar].map(({ visible, states }) => [visible, states.has('offscreen')])).toEqual([
      [close.rect, false],
      [bar.rect, false],
    ]);
    expect(inside.visible).toEqual({ x: 10, y: 90, width: 80, height: 6 });
    expect(behind.visible).toBeNull();
  });

  test('a window of its own shows where it is, and what is inside it in its own client area', () => {
    const button = node('Button', { rect: [150, 150, 40, 20] });
    const outside = node('Button', { rect: [150, 110, 40, 8] });
    const dialog = node('Window', { rect: [140, 110, 100, 100], children: [button, outside] });
    [dialog.popup, dialog.clip] = [dialog.rect, { x: 144, y: 130, width: 92, height: 76 }];
    const root = node('Window', { rect: [0, 0, 100, 100], children: [dialog] });
    root.clip = { x: 4, y: 20, width: 92, height: 76 };
    clipToAncestors(root);
    expect([dialog.visible, button.visible, outside.visible]).toEqual([dialog.rect, button.rect, null]);
  });

  test('earlier siblings lie above later ones; group boxes let clicks through', () => {
    const above = node('Button', { rect: [10, 10, 20, 20] });
    const below = node('Button', { rect: [10, 10, 20, 20] });
    const group = { ...node('Group', { rect: [0, 0, 100, 100] }), letsClicksThrough: true };
    const framed = node('CheckBox', { rect: [50, 50, 20, 20] });
    const root = node('Window', { rect: [0, 0, 100, 100], children: [group, above, below, framed] });
    clipToAncestors(root);
    markCovered(root);
    expect(nodeAt(root, { x: 15, y: 15 })).toBe(above);
    expect(nodeAt(root, { x: 60, y: 60 })).toBe(framed);
    expect(nodeAt(root, { x: 2, y: 2 })).toBe(group);
    expect(nodeAt(root, { x: 150, y: 2 })).toBeNull();
    expect([above, below, framed].map(({ isCovered }) => isCovered)).toEqual([false, true, false]);
  });
});

describe('merging', () => {
  test('windows add elements that UI Automation does not show, and a password field has no value from any source', () => {
    const item = { ...node('ListItem', { name: 'One' }), source: 'message' as const };
    item.locator = { kind: 'item', hwnd: 2, item: 'list-item', index: 0, handle: 0 };
    const password = node('Edit', { id: '205', states: ['password'] });
    const list = node('List', { id: '230', children: [item] });
    const hidden = node('Button', { name: 'Only a window' });
    const window = node('Window', { name: 'W', children: [list, password, hidden] });
    const uia = (of: TreeNode, type: Parameters<typeof node>[0], seed: Parameters<typeof node>[1]): TreeNode => ({
      ...node(type, seed),
      identity: of.identity,
      locator: of.locator,
      hwnd: of.hwnd,
      source: 'uia',
    });
    const automation = uia(window, 'Window', {
      children: [uia(list, 'List', { name: 'Entries' }), uia(password, 'Edit', { name: 'Password', value: 'secret' })],
    });
    const merged = mergeAutomation(automation, window);
    expect([...walk(merged)].map((one) => `${one.controlType} ${one.name} ${one.automationId}`)).toEqual(
      ['Window  ', 'List Entries 230', 'ListItem One ', 'Edit Password 205', 'Button Only a window '].map(
        (line, index) => (index === 0 ? `Window ${merged.name} ` : line),
      ),
    );
    expect(merged.children[1]).toMatchObject({ value: null });
    expect(merged.children[1]!.states.has('password')).toBe(true);
  });
});
