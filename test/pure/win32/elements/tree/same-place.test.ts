/** A point counts as the same only where what was judged is still there. */
import { describe, expect, it } from 'vitest';
import { changedAt, isSameElement } from '../../../../../src/win32/elements/finding/element-target.ts';
import type { JudgedElement } from '../../../../../src/win32/elements/finding/element-target.ts';
import type { TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { node } from '../../tree-builder.ts';

const judgedOf = ({ identity, controlType, name, automationId }: TreeNode): JudgedElement => ({
  identity,
  controlType,
  name,
  automationId,
});
const AT = { x: 20, y: 10 };

describe('[point.same] a point is bound to the element judged there', () => {
  const button = node('Button', { name: 'Next', rect: [10, 5, 80, 20] });
  const window = (...children: TreeNode[]): TreeNode =>
    node('Window', { name: 'Form', rect: [0, 0, 300, 200], children });

  it('the same element with the same words', () => {
    expect(changedAt(AT, judgedOf(button), () => ({ root: window(button), partial: false }))).toBeNull();
  });

  it.each([
    ['another name', { ...button, name: 'Delete account' }],
    ['another element in its place', node('Button', { name: 'Next', rect: [10, 5, 80, 20] })],
    ['another type', { ...button, controlType: 'Hyperlink' as const }],
    ['another id', { ...button, automationId: 'btnDelete' }],
  ])('%s is another target', (_what, now) => {
    expect(changedAt(AT, judgedOf(button), () => ({ root: window(now), partial: false }))).toContain(now.name);
  });

  it('a cover that appeared since counts, even if the part that was read first does not show it', () => {
    const over = node('Button', { name: 'Delete account', rect: [0, 0, 200, 100] });
    expect(
      changedAt(AT, judgedOf(button), (scope) => ({
        root: scope === 'part' ? window(over) : window(over, button),
        partial: false,
      })),
    ).toContain('Delete account');
  });

  it('a text that lets clicks through is found in the whole window', () => {
    const text = { ...node('Text', { name: 'Hint', rect: [10, 5, 80, 20] }), letsClicksThrough: true };
    expect(
      changedAt(AT, judgedOf(text), (scope) => ({ root: scope === 'part' ? window() : window(text), partial: false })),
    ).toBeNull();
  });

  it('gone, newly there, and not answering are changes', () => {
    const empty = { ...window(), visible: null };
    expect(changedAt(AT, judgedOf(button), () => ({ root: empty, partial: false }))).toBe('no identifiable element');
    expect(changedAt(AT, null, () => ({ root: window(button), partial: false }))).toContain('Next');
    expect(changedAt(AT, null, () => ({ root: empty, partial: false }))).toBeNull();
    expect(changedAt(AT, judgedOf(button), () => ({ root: empty, partial: true }))).toContain('did not answer');
  });

  it('a window keeps being the same under another title', () => {
    const root = window();
    expect(isSameElement(judgedOf(root), { ...root, name: 'Form *' })).toBe(true);
  });
});
