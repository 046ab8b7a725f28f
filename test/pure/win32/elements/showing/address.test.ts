/** The address of a browser window, and the document an element is in. */
import { describe, expect, test } from 'vitest';
import { barAgrees, browserAddress, documentOf } from '../../../../../src/win32/elements/showing/context.ts';
import type { TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';
import { node } from '../../tree-builder.ts';

/** A browser window as UI Automation shows it. */
function browser(document: string | null, bar: string | null, inside: TreeNode[] = []): TreeNode {
  const page = { ...node('Document', { name: 'Shop', value: document, children: inside }), source: 'uia' as const };
  return node('Window', {
    name: 'Shop - Browser',
    children: [
      node('ToolBar', { children: bar === null ? [] : [node('Edit', { name: 'Address', value: bar })] }),
      page,
    ],
  });
}

describe('the address of a browser window', () => {
  test('is the document’s value where the address bar says the same', () => {
    expect(browserAddress(browser('https://example.test/cart?id=1', 'https://example.test/cart?id=1'))).toBe(
      'https://example.test/cart?id=1',
    );
    expect(browserAddress(browser('https://www.example.test/', 'example.test'))).toBe('https://www.example.test/');
    expect(browserAddress(browser('https://example.test/a%20b', 'example.test/a%20b/'))).toBe(
      'https://example.test/a%20b',
    );
  });

  test('is unknown where the two disagree, either is missing, or neither is an address', () => {
    expect(browserAddress(browser('https://example.test/', 'https://evil.test/'))).toBeNull();
    expect(browserAddress(browser('https://example.test/', 'http://example.test/'))).toBeNull();
    expect(browserAddress(browser('https://example.test/', null))).toBeNull();
    expect(browserAddress(browser(null, 'https://example.test/'))).toBeNull();
    expect(browserAddress(browser('my letter', 'example.test'))).toBeNull();
    expect(browserAddress(node('Window', { children: [node('Edit', { value: 'https://example.test/' })] }))).toBeNull();
  });

  test('fields inside the page are not an address bar, and frames are not the page', () => {
    const frame = { ...node('Document', { value: 'https://ads.test/' }), source: 'uia' as const };
    expect(
      browserAddress(
        browser('https://example.test/', 'example.test', [frame, node('Edit', { value: 'https://evil.test/' })]),
      ),
    ).toBe('https://example.test/');
    expect(
      browserAddress(browser('https://example.test/', null, [node('Edit', { value: 'https://example.test/' })])),
    ).toBeNull();
  });

  test('a bar that shows user names or blanks does not agree', () => {
    const url = new URL('https://example.test/');
    for (const bar of [
      '',
      'example.test login',
      'user@example.test',
      'example.test.evil.test',
      'https://example.test:8443/',
      'search words',
    ])
      expect(barAgrees(url, bar), bar).toBe(false);
    expect(barAgrees(new URL('https://example.test/%E0%A4%A'), 'example.test/%E0%A4%A')).toBe(false);
  });
});

describe('the document that an element is in', () => {
  const PAGE = 'https://bank.test/login';
  const document = (value: string | null, children: TreeNode[]): TreeNode => ({
    ...node('Document', { value, children }),
    source: 'uia' as const,
  });
  const of = (inside: TreeNode[], field: TreeNode, bar = 'bank.test/login'): ReturnType<typeof documentOf> => {
    const root = browser(PAGE, bar, inside);
    return documentOf(root, field, browserAddress(root));
  };
  const field = (): TreeNode => node('Edit', { name: 'Password', states: ['password'] });

  test('is the page, also inside an element that only calls itself a document', () => {
    const plain = field();
    expect(of([plain], plain)).toEqual({ kind: 'page', address: PAGE });
    for (const value of [null, '', 'a note: hello']) {
      const inDialog = field();
      expect(of([document(value, [inDialog])], inDialog)).toEqual({ kind: 'page', address: PAGE });
    }
  });

  test('is the innermost frame by its own address, which may be unknown', () => {
    const framed = field();
    expect(of([document('https://pay.test/card', [node('Group', { children: [framed] })])], framed)).toEqual({
      kind: 'frame',
      address: 'https://pay.test/card',
    });
    const deep = field();
    expect(of([document('https://pay.test/', [document(PAGE, [deep])])], deep)).toEqual({
      kind: 'frame',
      address: PAGE,
    });
    for (const value of ['about:srcdoc', 'about:blank', 'data:text/html,x', 'blob:https://bank.test/1']) {
      const opaque = field();
      expect(of([document(value, [opaque])], opaque), value).toEqual({ kind: 'frame', address: null });
    }
  });

  test('is unknown where the page is, and none for the browser’s own controls', () => {
    const framed = field();
    expect(of([document('https://pay.test/', [framed])], framed, 'evil.test')).toEqual({
      kind: 'frame',
      address: null,
    });
    const plain = field();
    expect(of([plain], plain, 'evil.test')).toEqual({ kind: 'page', address: null });
    const root = browser(PAGE, 'bank.test/login');
    expect(documentOf(root, root.children[0]!.children[0]!, PAGE)).toEqual({ kind: 'none', address: null });
    expect(documentOf(root, null, PAGE)).toEqual({ kind: 'none', address: null });
  });
});
