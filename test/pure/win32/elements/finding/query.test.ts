/** Which elements a query means: names first, then everything else. */
import { describe, expect, test } from 'vitest';
import { comparable, withoutAccelerator } from '../../../../../src/contract/element/element-words.ts';
import { UiaHostError } from '../../../../../src/contract/errors.ts';
import { controlTypesOf, rankedMatches, rankName } from '../../../../../src/win32/elements/finding/query.ts';
import { node } from '../../tree-builder.ts';

const findMatches = (...given: Parameters<typeof rankedMatches>): ReturnType<typeof rankedMatches>['found'] =>
  rankedMatches(...given).found;

const names = (found: ReadonlyArray<{ name: string }>): string[] => found.map((one) => one.name);

describe('names', () => {
  test('accelerator marks and a trailing … or : do not count', () => {
    expect(withoutAccelerator('&Save')).toBe('Save');
    expect(withoutAccelerator('Save &As…\tF12')).toBe('Save As…');
    expect(withoutAccelerator('Fish && chips')).toBe('Fish & chips');
    expect(withoutAccelerator('保存(&S)...')).toBe('保存...');
    for (const text of ['Open…', '&Open...', 'Open:', 'Open :', '  Open ', 'Open…\tCtrl+O', 'O&pen：'])
      expect(comparable(text)).toBe('Open');
  });

  test('[query.ranking] exact > ignoring case > prefix > substring', () => {
    expect(rankName('Save', ['&Save'])).toBe('exact');
    expect(rankName('save', ['Save…'])).toBe('ignoring-case');
    expect(rankName('Sav', ['Save as'])).toBe('prefix');
    expect(rankName('as', ['Save as'])).toBe('substring');
    expect(rankName('nothing', ['Save as', ''])).toBeNull();
    expect(rankName(':', ['a', ':'])).toBe('exact');
    expect(rankName('ß', ['STRASSE'])).toBeNull();
  });

  test('[query.ranking] only the best rank is answered', () => {
    const root = node('Window', {
      name: 'Editor',
      children: [
        node('Button', { name: 'Save all' }),
        node('Button', { name: 'SAVE' }),
        node('Button', { name: '&Save…' }),
      ],
    });
    expect(names(findMatches(root, { name: 'Save' }, 'click'))).toEqual(['&Save…']);
    expect(names(findMatches(root, { name: 'sAVE' }, 'click'))).toEqual(['SAVE', '&Save…']);
    expect(names(findMatches(root, { name: 'save a' }, 'click'))).toEqual(['Save all']);
  });

  test('[query.ranking] the given name itself counts before a name that differs in a mark', () => {
    const [field, column] = [node('ComboBox', { name: 'Kind:' }), node('HeaderItem', { name: 'Kind' })];
    const root = node('Window', { children: [field, column] });
    expect(findMatches(root, { name: 'Kind:' }, 'select')).toEqual([field]);
    expect(findMatches(root, { name: 'Kind' }, 'click')).toEqual([column]);
  });

  test('two in the best rank are both answered', () => {
    const root = node('Window', {
      children: [
        node('Button', { name: 'Duplicate' }),
        node('Group', { children: [node('Button', { name: 'Duplicate' })] }),
      ],
    });
    expect(findMatches(root, { name: 'Duplicate' }, 'click')).toHaveLength(2);
  });
});

describe('further criteria', () => {
  const label = node('Text', { name: 'Full name:' });
  const field = node('Edit', { name: 'Full name:', label: 'Full name:', id: '201' });
  const inner = node('Text', { name: 'Go' });
  const root = node('Window', {
    name: 'Go',
    children: [
      label,
      field,
      node('Button', { name: 'Go', id: '7', children: [inner] }),
      node('CheckBox', { name: 'Agree', id: '201x' }),
    ],
  });

  test('[query.label] a text field is found by its label, and the label itself is not a second target', () => {
    for (const purpose of ['type', 'click', 'look'] as const)
      expect(findMatches(root, { name: 'Full name' }, purpose)).toEqual([field]);
    expect(findMatches(root, { name: 'Full name', role: 'Text' }, 'click')).toEqual([label]);
  });

  test('the parts of a combo box are not a second target', () => {
    const part = node('Edit', { name: 'Country' });
    const combo = node('ComboBox', { name: 'Country', children: [part] });
    expect(findMatches(node('Window', { children: [combo] }), { name: 'Country' }, 'type')).toEqual([combo]);
    expect(findMatches(node('Window', { children: [combo] }), { name: 'Country', role: 'Edit' }, 'type')).toEqual([
      part,
    ]);
  });

  test('a button wins over the text inside it and over the window', () => {
    expect(findMatches(root, { name: 'Go' }, 'click').map((one) => one.controlType)).toEqual(['Button']);
  });

  test('the id is exact', () => {
    expect(findMatches(root, { automationId: '201' }, 'click')).toEqual([field]);
    expect(findMatches(root, { automationId: '20' }, 'click')).toEqual([]);
  });

  test('all given parts must fit', () => {
    expect(findMatches(root, { name: 'Full name', automationId: '7' }, 'click')).toEqual([]);
    expect(findMatches(root, { name: 'Full name', role: 'textbox' }, 'click')).toEqual([field]);
  });

  test('a group’s name leads to the only field in it, where text or an item is meant', () => {
    const group = node('Group', { name: 'Destination Folder', rect: [0, 0, 400, 60] });
    const folder = node('Edit', { rect: [10, 20, 300, 22] });
    const browse = node('Button', { name: 'Browse…', rect: [320, 20, 70, 22] });
    const range = node('Group', { name: 'Range', rect: [0, 70, 400, 60] });
    const [from, to] = [node('Edit', { rect: [10, 90, 60, 22] }), node('Edit', { rect: [80, 90, 60, 22] })];
    const empty = node('Group', { name: 'About', rect: [0, 140, 400, 60] });
    const inside = node('ComboBox', { name: 'Kind', rect: [10, 220, 90, 22] });
    const nested = node('Group', { name: 'Paper', rect: [0, 200, 400, 60], children: [inside] });
    const window = node('Window', { children: [group, folder, browse, range, from, to, empty, nested] });
    expect(findMatches(window, { name: 'Destination Folder' }, 'type')).toEqual([folder]);
    expect(findMatches(window, { name: 'destination folder' }, 'type')).toEqual([folder]);
    expect(findMatches(window, { name: 'Range' }, 'type')).toEqual([from, to]);
    expect(findMatches(window, { name: 'About' }, 'type')).toEqual([empty]);
    expect(findMatches(window, { name: 'Paper' }, 'select')).toEqual([inside]);
    for (const purpose of ['click', 'look'] as const)
      expect(findMatches(window, { name: 'Destination Folder' }, purpose)).toEqual([group]);
  });

  test('[query.role-button] the role button means what can be pressed, and a button first', () => {
    for (const type of [
      'CheckBox',
      'RadioButton',
      'TabItem',
      'MenuItem',
      'ListItem',
      'TreeItem',
      'DataItem',
    ] as const) {
      const pressed = node(type, { name: 'Save', id: 'save' });
      const window = node('Window', { children: [pressed, node('Text', { name: 'Save' })] });
      expect(findMatches(window, { name: 'Save', role: 'button' }, 'click')).toEqual([pressed]);
      expect(findMatches(window, { role: 'button', automationId: 'save' }, 'click')).toEqual([pressed]);
      const button = node('Button', { name: 'Save draft' });
      const both = node('Window', { children: [pressed, button] });
      expect(findMatches(both, { name: 'Save', role: 'button' }, 'click')).toEqual([button]);
      expect(findMatches(both, { name: 'Save', role: 'Button' }, 'click')).toEqual([button]);
    }
  });

  test('[query.role] the role tab is a tab, and the whole where a choice is made', () => {
    const item = node('TabItem', { name: 'General' });
    const tab = node('Tab', { name: 'General', children: [item] });
    const window = node('Window', { children: [tab] });
    expect(findMatches(window, { name: 'General', role: 'tab' }, 'click')).toEqual([item]);
    expect(findMatches(window, { role: 'tab' }, 'select')).toEqual([tab]);
    expect(findMatches(window, { name: 'General', role: 'Tab' }, 'click')).toEqual([tab]);
  });

  test('[query.role] control types and the roles of the proposal tool, in one table', () => {
    expect(controlTypesOf('button').slice(0, 2)).toEqual(['Button', 'SplitButton']);
    expect(controlTypesOf('radio')).toEqual(['RadioButton']);
    expect(controlTypesOf('ControlType.CheckBox')).toEqual(['CheckBox']);
    expect(controlTypesOf('Button')).toEqual(['Button']);
    expect(controlTypesOf('link')).toEqual(['Hyperlink']);
    expect(controlTypesOf('textbox')).toContain('Document');
    expect(controlTypesOf('TREEITEM')).toEqual(['TreeItem']);
    expect(() => controlTypesOf('__proto__')).toThrow(UiaHostError);
    expect(() => controlTypesOf('butto')).toThrow(
      expect.objectContaining({ code: 'invalid_argument', suggestions: expect.arrayContaining(['Button']) }),
    );
  });
});
