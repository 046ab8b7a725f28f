/** Which parts of a tree count as a page that is not built yet. */
import { describe, expect, test } from 'vitest';
import { hasChromiumFile } from '../../../../../src/win32/apps/programs.ts';
import type { Capability, TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { wakingParts } from '../../../../../src/win32/elements/sources/waking.ts';
import { node, type Seed } from '../../tree-builder.ts';

const shown = (type: Parameters<typeof node>[0], seed: Seed = {}, more: Partial<TreeNode> = {}): TreeNode =>
  Object.assign(node(type, seed), { source: 'uia' }, more);
const page = (seed: Seed = {}, capabilities: Capability[] = ['text', 'value']): TreeNode =>
  shown('Document', { states: ['readonly'], ...seed }, { capabilities: new Set(capabilities) });
const windowOf = (...children: TreeNode[]): TreeNode => shown('Window', { children });
const waking = (root: TreeNode, isTextControl = false): TreeNode[] => wakingParts(root, () => isTextControl);

describe('providers that build their tree late', () => {
  test('a document with an address and a text but no children is not built yet', () => {
    const blank = page({ value: 'https://example.test/' });
    expect(waking(windowOf(blank))).toEqual([blank]);
    expect(waking(windowOf(page({ value: '' }, [])))).toHaveLength(1);
  });

  test('a document with children or content is not empty, nor are an editor, an unread value, and a frame in a page', () => {
    expect(waking(windowOf(page({ value: 'https://example.test/', children: [node('Button')] })))).toEqual([]);
    expect(waking(windowOf(page({ value: 'Dear reader, …' })))).toEqual([]);
    expect(waking(windowOf(page({ value: '', states: [] })))).toEqual([]);
    expect(waking(windowOf(page({ value: '' })), true)).toEqual([]);
    expect(waking(windowOf(page()))).toEqual([]);
    expect(waking(windowOf(page({ children: [page({ value: '' })] })))).toEqual([]);
  });

  test('a browser’s window without any document', () => {
    const render = shown('Pane', {}, { className: 'Chrome_RenderWidgetHostHWND' });
    expect(waking(windowOf(render))).toEqual([render]);
    expect(waking(windowOf(shown('Pane', {}, { className: 'Chrome_RenderWidgetHostHWND', visible: null })))).toEqual(
      [],
    );
    const browser = shown('Window', {}, { className: 'Chrome_WidgetWin_1' });
    expect(waking(browser)).toEqual([browser]);
    expect(waking(shown('Window', {}, { className: 'Notepad' }))).toEqual([]);
    const built = page({ value: 'https://example.test/', children: [node('Button')] });
    expect(waking(windowOf(render, built))).toEqual([]);
  });
});

test('[app.accessibility] programs made with Chromium are known by the files that it brings', () => {
  expect(hasChromiumFile(['Code.exe', 'ICUDTL.DAT'])).toBe(true);
  expect(hasChromiumFile(['chrome.exe', 'chrome.dll'])).toBe(true);
  expect(hasChromiumFile(['notepad.exe', 'readme.txt'])).toBe(false);
});
