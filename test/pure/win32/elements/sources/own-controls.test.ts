/** Which controls their own messages describe, and what is kept of what UI Automation shows of them. */
import { expect, test } from 'vitest';
import { mergeAutomation } from '../../../../../src/win32/elements/reading/merge.ts';
import { isProxyOf } from '../../../../../src/win32/elements/sources/automation-node.ts';
import { makeNode, walk, type NodeSeed, type TreeNode } from '../../../../../src/win32/elements/tree/tree.ts';

const FRAME =
  'Nonclient:Microsoft: Non-Client Proxy (unmanaged:uiautomationcore.dll); Hwnd(parent link):Microsoft: HWND Proxy (unmanaged:uiautomationcore.dll)]';

test.each([
  [
    `[pid:4,providerId:0x2 Main:Nested [pid:8,providerId:0x2 Main(parent link):Microsoft: MSAA Proxy (unmanaged:uiautomationcore.dll)]; ${FRAME}`,
    true,
  ],
  [
    `[pid:4,providerId:0x2 Main:Nested [pid:8,providerId:0x2 Annotation(parent link):Microsoft: Annotation Proxy (unmanaged:uiautomationcore.dll); Main:Microsoft: MSAA Proxy (unmanaged:uiautomationcore.dll)]; ${FRAME}`,
    true,
  ],
  [
    `[pid:4,providerId:0x2 Main(parent link):Microsoft: ListView Proxy (unmanaged:uiautomationcore.dll); ${FRAME}`,
    true,
  ],
  [`[pid:4,providerId:0x2 ${FRAME}`, true],
  [
    `[pid:4,providerId:0x2 Main:Nested [pid:8,providerId:0x2 Main(parent link):Unidentified Provider (managed:System.Windows.Forms.ListBox+ListBoxAccessibleObject, System.Windows.Forms)]; ${FRAME}`,
    false,
  ],
  [`[pid:4,providerId:0x2 Main:Microsoft: RichEdit (unmanaged:msftedit.dll); ${FRAME}`, false],
  ['', null],
  [undefined, null],
])('[snapshot.own-messages] who speaks for a window: %s', (description, isProxy) => {
  expect(isProxyOf(description)).toBe(isProxy);
});

const rect = { x: 0, y: 0, width: 10, height: 10 };
const shownWindow = (hwnd: number, seed: Partial<NodeSeed>): TreeNode =>
  makeNode({
    identity: `hwnd:${hwnd}`,
    locator: { kind: 'window', hwnd },
    controlType: 'Pane',
    rect,
    source: 'uia',
    hwnd,
    ...seed,
  });
const plainWindow = (hwnd: number, seed: Partial<NodeSeed>): TreeNode =>
  shownWindow(hwnd, { source: 'window', ...seed });

test('[snapshot.own-messages] its id, a name of its program’s own and the windows inside it are kept; what a proxy guesses is not', () => {
  const inside = (): TreeNode =>
    makeNode({
      identity: 'rid:7.1',
      locator: { kind: 'uia', hwnd: 4, runtimeId: [7, 1] },
      controlType: 'Button',
      name: 'Inside',
      rect,
      source: 'uia',
      hwnd: 4,
    });
  const automation = shownWindow(1, {
    children: [
      shownWindow(2, { controlType: 'Text', name: 'Country:' }),
      shownWindow(3, {
        controlType: 'Tab',
        name: 'Country:',
        automationId: 'tabMain',
        children: [shownWindow(4, { name: 'Page', children: [inside()] })],
      }),
      shownWindow(5, { controlType: 'Edit', name: 'Amount in euros' }),
    ],
  });
  const window = plainWindow(1, {
    children: [
      plainWindow(2, { controlType: 'Text', name: 'Country:' }),
      plainWindow(3, { controlType: 'Tab', children: [plainWindow(4, {})] }),
      plainWindow(5, { controlType: 'Edit' }),
    ],
  });
  const merged = mergeAutomation(
    automation,
    window,
    new Map([
      [3, { found: [''], isServed: false }],
      [5, { found: ['Country:'], isServed: false }],
    ]),
  );
  const of = (hwnd: number): TreeNode =>
    walk(merged).find(({ locator }) => locator.kind === 'window' && locator.hwnd === hwnd)!;
  expect(of(3)).toMatchObject({ source: 'window', name: '', automationId: 'tabMain' });
  expect(of(5)).toMatchObject({ source: 'window', name: 'Amount in euros' });
  expect(of(4)).toMatchObject({ source: 'uia', name: 'Page' });
  expect(walk(merged).filter(({ name }) => name === 'Inside')).toHaveLength(1);
  expect(merged.children.map(({ hwnd }) => hwnd)).toEqual([2, 3, 5]);
});

test.each([
  { isServed: true, names: ['Volume', 'Speakers: 25%', 'Network'] },
  // What the system's own proxy says is a guess, or what the messages say better.
  { isServed: false, names: ['Tool', 'Sound', 'Network'] },
])('[snapshot.own-messages] a name that its program gave wins: %o', ({ isServed, names }) => {
  const part = (at: number, name: string, locator: TreeNode['locator']): TreeNode =>
    shownWindow(2, { identity: `${locator.kind} ${at}`, locator, name, rect: { ...rect, x: at * 10 } });
  const item = (at: number, name: string): TreeNode =>
    part(at, name, { kind: 'item', hwnd: 2, item: 'tool-button', index: at, handle: at });
  const shownPart = (at: number, name: string): TreeNode =>
    part(at, name, { kind: 'uia', hwnd: 2, runtimeId: [42, 2, at] });
  const automation = shownWindow(1, {
    children: [shownWindow(2, { name: 'Volume', children: [shownPart(0, 'Speakers: 25%'), shownPart(1, 'Network')] })],
  });
  const own = plainWindow(2, { name: 'Tool', children: [item(0, 'Sound'), item(1, '')] });
  const window = plainWindow(1, { children: [plainWindow(3, { controlType: 'Text', name: 'Volume' }), own] });
  mergeAutomation(automation, window, new Map([[2, { found: ['Volume:'], isServed }]]));
  expect([own, ...own.children].map(({ name }) => name)).toEqual(names);
});

test('[unread.marked] what its program draws is marked where a proxy shows the control, and not where its program speaks', () => {
  const drawn = [
    { hwnd: 2, isProxied: true, className: 'Button', name: 'Robot', unread: 'state', is: 'state' },
    { hwnd: 3, isProxied: null, className: 'Button', name: 'Robot', unread: 'state', is: 'state' },
    { hwnd: 4, isProxied: false, className: 'Button', name: 'Robot', unread: 'state', is: null },
    { hwnd: 5, isProxied: true, className: 'Static', name: '', unread: 'text', is: 'text' },
    { hwnd: 6, isProxied: true, className: 'Static', name: 'Ready', unread: 'text', is: null },
  ] as const;
  const [automation, window] = [shownWindow(1, {}), plainWindow(1, {})];
  for (const { hwnd, isProxied, className, name, unread } of drawn) {
    automation.children.push(shownWindow(hwnd, { className, name, isProxied }));
    window.children.push(plainWindow(hwnd, { className, unread }));
  }
  const merged = mergeAutomation(automation, window);
  expect(merged.children.map(({ hwnd, unread }) => [hwnd, unread])).toEqual(drawn.map(({ hwnd, is }) => [hwnd, is]));
});
