/** Names of elements from the text next to them. */
import { describe, expect, test } from 'vitest';
import { labelFields, shownName, isValueText, TextWatch } from '../../../../../src/win32/elements/tree/labels.ts';
import { rankedMatches } from '../../../../../src/win32/elements/finding/query.ts';
import { node } from '../../tree-builder.ts';
import { phrasesOf } from '../../../../support/words.ts';

const findMatches = (...given: Parameters<typeof rankedMatches>): ReturnType<typeof rankedMatches>['found'] =>
  rankedMatches(...given).found;

type Place = [number, number, number, number];
const text = (name: string, rect: Place) => node('Text', { name, rect });
const edit = (rect: Place) => node('Edit', { rect });

describe('[query.label] labels by geometry', () => {
  test('to the left, above and to the right', () => {
    const left = edit([100, 10, 150, 22]);
    const below = edit([10, 80, 240, 60]);
    const before = edit([10, 150, 60, 22]);
    const root = node('Window', {
      children: [
        text('Full &name:', [10, 12, 80, 18]),
        left,
        text('Notes:', [10, 60, 80, 16]),
        below,
        before,
        text('boxes of apples', [76, 152, 120, 18]),
      ],
    });
    labelFields(root, 1);
    expect([left, below, before].map((field) => field.label)).toEqual(['Full name:', 'Notes:', 'boxes of apples']);
    expect(left.name).toBe('Full name:');
  });

  test('a form of two columns: the nearest text on the same line, not the previous text in tab order', () => {
    const first = edit([90, 10, 100, 22]);
    const second = edit([290, 10, 100, 22]);
    const root = node('Window', {
      children: [text('From', [10, 12, 70, 18]), text('To', [210, 12, 70, 18]), first, second],
    });
    labelFields(root, 1);
    expect([first.label, second.label]).toEqual(['From', 'To']);
  });

  test('a text alone in a pane labels like a bare text; a pane with more in it does not', () => {
    const wrapped = edit([100, 10, 150, 22]);
    const beside = edit([100, 50, 150, 22]);
    const pane = (children: ReturnType<typeof node>[], rect: Place) => node('Pane', { children, rect });
    const root = node('Window', {
      children: [
        pane([text('Customer:', [10, 12, 80, 18])], [10, 12, 80, 18]),
        wrapped,
        pane([text('Total:', [10, 52, 40, 18]), text('12', [55, 52, 30, 18])], [10, 52, 80, 18]),
        beside,
      ],
    });
    labelFields(root, 1);
    expect([wrapped.label, beside.label]).toEqual(['Customer:', null]);
  });

  test('a field that fills its pane, with its arrows, is labelled as the pane; one of two in a pane is not', () => {
    const [number, one, two] = [edit([102, 12, 120, 20]), edit([102, 52, 60, 20]), edit([166, 52, 50, 20])];
    const arrows = node('Pane', { rect: [224, 12, 16, 20] });
    const pane = (children: ReturnType<typeof node>[], rect: Place) => node('Pane', { children, rect });
    const root = node('Window', {
      children: [
        text('Quantity:', [10, 12, 80, 18]),
        pane([number, arrows], [100, 10, 142, 24]),
        text('Range:', [10, 52, 80, 18]),
        pane([one, two], [100, 50, 142, 24]),
      ],
    });
    labelFields(root, 1);
    expect([number.label, one.label, two.label]).toEqual(['Quantity:', null, null]);
  });

  test('a unit behind its field labels no field below it; a text between two fields labels the second', () => {
    const [weight, from, to, width, height] = [
      edit([105, 10, 60, 22]),
      edit([105, 38, 60, 22]),
      edit([175, 38, 60, 22]),
      edit([105, 80, 40, 22]),
      edit([180, 80, 40, 22]),
    ];
    const root = node('Window', {
      children: [
        text('Weight:', [10, 12, 90, 18]),
        weight,
        text('kg', [170, 12, 30, 18]),
        text('From – to:', [10, 40, 90, 18]),
        from,
        to,
        text('Size:', [10, 82, 90, 18]),
        width,
        text('by', [150, 82, 25, 18]),
        height,
      ],
    });
    labelFields(root, 1);
    const fields = [weight, from, to, width, height];
    expect(fields.map(({ label }) => label)).toEqual(['Weight:', 'From – to:', null, 'Size:', 'by']);
  });

  test('a label of the second column, right behind a field of the first, labels what is below it', () => {
    const [name, town] = [edit([105, 10, 60, 22]), edit([170, 32, 100, 22])];
    const root = node('Window', {
      children: [text('Name:', [10, 12, 90, 18]), name, text('Town', [170, 12, 60, 18]), town],
    });
    labelFields(root, 1);
    expect([name.label, town.label]).toEqual(['Name:', 'Town']);
  });

  test('a text names one field, and only a field without a name', () => {
    const near = edit([60, 10, 50, 22]);
    const far = edit([114, 10, 50, 22]);
    const named = node('CheckBox', { name: 'Agree', rect: [60, 40, 90, 20] });
    const root = node('Window', {
      children: [text('Size:', [10, 12, 45, 18]), near, far, text('Terms', [10, 42, 45, 18]), named],
    });
    labelFields(root, 1);
    expect([near.label, far.label, named.label]).toEqual(['Size:', null, null]);
  });

  test('a text behind another control belongs to it', () => {
    const far = edit([200, 10, 80, 22]);
    const root = node('Window', {
      children: [text('Caption', [10, 12, 60, 18]), node('Button', { name: 'Go', rect: [80, 10, 100, 22] }), far],
    });
    labelFields(root, 1);
    expect(far.label).toBeNull();
  });

  test('distances grow with the DPI of the window', () => {
    const field = edit([400, 20, 300, 44]);
    const root = node('Window', { children: [text('Name:', [40, 24, 80, 36]), field] });
    labelFields(root, 1);
    expect(field.label).toBeNull();
    labelFields(root, 2);
    expect(field.label).toBe('Name:');
  });
});

describe('a text that reports a state names nothing', () => {
  test.each(phrasesOf`
    clicks=25 | Clicks: 0 | Size: 12 KB | Speed: 1,5 MB/s | Time left: 0:12 | 12:30 | 65 % | 3 of 9 files |
    24 hours left | x = -3
  `)('by its form: %s', (name) => {
    expect(isValueText(name)).toBe(true);
    const field = edit([100, 10, 150, 22]);
    labelFields(node('Window', { children: [text(name, [10, 12, 80, 18]), field] }), 1);
    expect([field.label, field.name]).toEqual([null, '']);
  });

  test.each(phrasesOf`
    Full name: | Line 2: | Address 2 | Player 1 | 2nd address: | A=B | % | € | Size (px) | x: | Port 80 or 443 |
    10 best names: | UTF-8
  `)('still a name: %s', (name) => expect(isValueText(name)).toBe(false));

  test('by being seen to change: a number at once, words when they keep changing', () => {
    const watch = new TextWatch();
    const says = (identity: string, ...texts: string[]): boolean[] => texts.map((each) => watch.isLive(identity, each));
    expect(says('counter', 'Round 1', 'Round 1', 'Round 2', 'Round 2')).toEqual([false, false, true, true]);
    expect(says('message', 'Ready', 'Working', 'Saved', 'Saved')).toEqual([false, false, true, true]);
    expect(says('relabelled', 'Name', 'Address', 'Address')).toEqual([false, false, false]);
    expect(says('pages', 'Name:', 'Address:', 'Name:', 'Town:')).toEqual([false, false, false, false]);
  });
});

describe('a control without any label shows the text next to it', () => {
  const button = (rect: Place) => node('Button', { rect });

  test('a field, a text or the group around it; never a text that keeps changing', () => {
    const path = edit([100, 10, 150, 22]);
    const browse = button([254, 10, 30, 22]);
    const second = edit([90, 62, 60, 22]);
    const third = edit([154, 62, 60, 22]);
    const counted = button([100, 212, 30, 22]);
    const grouped = button([320, 30, 30, 22]);
    const far = button([600, 300, 30, 22]);
    const root = node('Window', {
      children: [
        text('Folder:', [10, 12, 80, 18]),
        path,
        browse,
        text('From', [10, 64, 70, 18]),
        second,
        third,
        text('Round 3 of 9: 4', [10, 214, 80, 18]),
        counted,
        node('Group', { name: 'Options', rect: [300, 10, 200, 80] }),
        grouped,
        far,
      ],
    });
    labelFields(root, 1);
    expect([browse, third, counted, grouped, far].map((each) => each.beside)).toEqual([
      'Folder:',
      'From',
      null,
      'Options',
      null,
    ]);
    expect([path, second].map((each) => each.beside)).toEqual([null, null]);
    expect([shownName(browse), shownName(path), shownName(far)]).toEqual(['(beside “Folder:”)', 'Folder:', '']);
    expect(browse.name).toBe('');
  });

  test('given as a whole it leads back, and its words are not a name', () => {
    const browse = button([254, 10, 30, 22]);
    const root = node('Window', { children: [text('Folder:', [10, 12, 80, 18]), edit([100, 10, 150, 22]), browse] });
    labelFields(root, 1);
    expect(findMatches(root, { name: '(beside “Folder:”)' }, 'click')).toEqual([browse]);
    expect(findMatches(root, { name: 'Folder', role: 'Button' }, 'click')).toEqual([]);
    expect(findMatches(root, { name: '(beside' }, 'click')).toEqual([]);
  });
});
