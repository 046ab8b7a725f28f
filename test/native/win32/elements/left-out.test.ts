/** Child windows that UI Automation leaves out of its tree: asked by their handles, or marked. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { descendantsOf } from '../../../../src/win32/windows/window-info.ts';
import { parseTree, type TreeNode } from '../../../support/snapshot-tree.ts';
import { Elements } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const com = new UiaCom();
let window: Fixture;
let left: number;
let elements: Elements;

beforeAll(async () => {
  window = await Fixture.start('dialogs', ['--editor', '--width', '900', '--height', '600']);
  [left = 0] = descendantsOf(window.hwnd);
  user32.MoveWindow(left, 0, 0, 560, 540, true);
});
afterAll(() => window[Symbol.asyncDispose]());
beforeEach(async () => {
  com.reset();
  com.configure({ graft: left });
  elements = await Elements.bind(window.hwnd, { automation: com.factory });
});
afterEach(() => {
  elements.port[Symbol.dispose]();
  com.reset();
});

const ids = (nodes: readonly TreeNode[]): string[] => nodes.map(({ id }) => id ?? '');

test('a child window that its parent’s provider does not name is read from its handle, and acted on', async () => {
  const full = await elements.nodes();
  expect(ids(full)).toEqual(expect.arrayContaining(['btnOk', 'txtName']));
  com.configure({ leftOut: left });
  expect(ids(await elements.nodes())).toEqual(expect.arrayContaining(ids(full)));
  expect((await elements.click({ automationId: 'btnOk' })).outcome).toMatchObject({ delivery: 'uia-invoke' });
  expect(com.log()).toEqual(['invoke btnOk']);
});

test('a child window that fails is marked, and the snapshot is partial', async () => {
  com.configure({ leftOut: left, broken: 'staticRoot' });
  const data = await elements.snapshot();
  expect(data.partial).toBe(true);
  const cut = parseTree(data.accessibilityText).filter(({ isCut }) => isCut);
  expect(cut).toHaveLength(1);
  expect(cut[0]).toMatchObject({ width: 560, height: 540 });
});

test('password fields in it are found for pictures', async () => {
  const fields = async (): Promise<unknown> => {
    const { rects, known } = await elements.port.passwordRects(
      window.hwnd,
      { askMs: 20_000, walkMs: 20_000 },
      newCall(),
    );
    return { known, rects };
  };
  const full = await fields();
  expect(full).toMatchObject({ known: 'all', rects: [{}] });
  com.configure({ leftOut: left });
  expect(await fields()).toEqual(full);
});
