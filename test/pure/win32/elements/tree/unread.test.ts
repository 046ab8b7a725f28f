/** What is marked as unknown in a snapshot. */
import { expect, test } from 'vitest';
import { unreadOf } from '../../../../../src/win32/elements/tree/unread.ts';
import { node } from '../../tree-builder.ts';

test('[unread.marked] a window of the program’s own class with nothing inside, also where its program gave it a name', () => {
  const drawn = { rect: [0, 0, 300, 30] as [number, number, number, number] };
  expect(unreadOf(node('Custom', drawn))).toBe('content');
  expect(unreadOf(node('Custom', { ...drawn, name: 'AuiTabCtrl' }))).toBe('content');
  expect(unreadOf(node('Custom', { ...drawn, value: 'shown' }))).toBeNull();
  expect(unreadOf(node('Custom', { ...drawn, children: [node('Text')] }))).toBeNull();
  expect(unreadOf(node('Custom', { rect: [0, 0, 300, 6] }))).toBeNull();
});
