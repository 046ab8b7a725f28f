/** Which windows say that no source shows their content, and what they recommend. */
import { describe, expect, it } from 'vitest';
import { wayWithoutContent } from '../../../../../src/win32/elements/tree/unread.ts';
import { node } from '../../tree-builder.ts';

type Node = ReturnType<typeof node>;

const frame = (className: string, children: Node[] = []): Node => {
  const title = node('TitleBar', { children: [node('Button', { name: 'Close' })] });
  return Object.assign(node('Window', { name: 'Orders', children: [title, ...children] }), { className });
};

describe('[snapshot.no-content] a window whose content no source shows', () => {
  it.each([
    ['SunAwtFrame', /Java Access Bridge/],
    ['Chrome_WidgetWin_1', /--force-renderer-accessibility/],
    ['ConsoleWindowClass', /read-terminal/],
    ['UnityWndClass', /screenshot with points/],
  ])('with the class %s recommends what helps there', (className, way) => {
    expect(wayWithoutContent(frame(className))).toMatch(way);
    expect(wayWithoutContent(frame(className, [node('Pane', { name: 'canvas', children: [node('Pane')] })]))).toMatch(
      way,
    );
  });

  it('is not one with an element, a text or a value', () => {
    for (const child of [
      node('Button', { name: 'OK' }),
      node('Pane', { children: [node('Group', { children: [node('Text', { name: 'Total' })] })] }),
      node('Document', { name: 'an editor that is empty', value: '' }),
    ])
      expect(wayWithoutContent(frame('SunAwtFrame', [child]))).toBeNull();
  });
});
