import { describe, expect, test } from 'vitest';
import { labelFields } from '../../src/win32/uia/labels.ts';
import { node } from './tree-builder.ts';

type Place = [number, number, number, number];
const text = (name: string, rect: Place) => node('Text', { name, rect });
const edit = (rect: Place) => node('Edit', { rect });

describe('[query.label] labels by geometry', () => {
  test('to the left, above and to the right', () => {
    const left = edit([100, 10, 150, 22]);
    const below = edit([10, 80, 240, 60]);
    const before = edit([10, 150, 60, 22]);
    const root = node('Window', { children: [text('Full &name:', [10, 12, 80, 18]), left, text('Notes:', [10, 60, 80, 16]), below, before, text('boxes of apples', [76, 152, 120, 18])] });
    labelFields(root, 1);
    expect([left, below, before].map((field) => field.label)).toEqual(['Full name:', 'Notes:', 'boxes of apples']);
    expect(left.name).toBe('Full name:');
  });

  test('a form of two columns: the nearest text on the same line, not the one before in the tab order', () => {
    const first = edit([90, 10, 100, 22]);
    const second = edit([290, 10, 100, 22]);
    const root = node('Window', { children: [text('From', [10, 12, 70, 18]), text('To', [210, 12, 70, 18]), first, second] });
    labelFields(root, 1);
    expect([first.label, second.label]).toEqual(['From', 'To']);
  });

  test('a text names one field, and only what has no name', () => {
    const near = edit([60, 10, 50, 22]);
    const far = edit([114, 10, 50, 22]);
    const named = node('CheckBox', { name: 'Agree', rect: [60, 40, 90, 20] });
    const root = node('Window', { children: [text('Size:', [10, 12, 45, 18]), near, far, text('Terms', [10, 42, 45, 18]), named] });
    labelFields(root, 1);
    expect([near.label, far.label, named.label]).toEqual(['Size:', null, null]);
  });

  test('a text behind another control belongs to that one', () => {
    const far = edit([200, 10, 80, 22]);
    const root = node('Window', { children: [text('Caption', [10, 12, 60, 18]), node('Button', { name: 'Go', rect: [80, 10, 100, 22] }), far] });
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
