/** Qt's own programs through a running host: their UI Automation provider is read across processes. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Scene } from '../support/scene.ts';
import type { TreeNode } from '../support/snapshot-tree.ts';
import { until } from '../support/until.ts';
import { inside, open, patiently } from './toolkit.ts';
import { phrasesOf } from '../support/words.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
});
afterEach(() => scene[Symbol.asyncDispose]());

const pairs = (nodes: readonly TreeNode[]): string[] => nodes.map(({ controlType, name }) => `${controlType} ${name}`);
/** A program that has just opened its window may not have built what is in it. */
const wholeTree = (): Promise<{ nodes: TreeNode[]; partial: boolean }> =>
  until(
    () => scene.client.look(patiently({ maxTokens: 40_000 })),
    ({ nodes }) => nodes.length > 5,
    200_000,
  );

it('Designer: a form is chosen in a tree and created by a button, in the background', async () => {
  await using opened = await open(scene, inside('qt', 'PySide6/designer.exe'), 'New Form - Qt Widgets Designer');
  await scene.client.bind({ hwnd: opened.window.hwnd });
  const { nodes, partial } = await wholeTree();
  expect(partial).toBe(false);
  expect(pairs(nodes)).toEqual(
    expect.arrayContaining(phrasesOf`
      Window New Form - Qt Widgets Designer | TreeItem Dialog with Buttons Bottom | TreeItem Widget |
      CheckBox Show this Dialog on Startup | Button Create | Button Close
    `),
  );
  // Qt names each part by the path of its object names, the same for both buttons: a snapshot leaves such ids out.
  expect(nodes.find(({ name }) => name === 'Create')?.id).toBeUndefined();

  const before = await scene.witness.where();
  await scene.client.act('click-element', patiently({ name: 'Widget', role: 'TreeItem' }));
  const created = await scene.client.act('click-element', patiently({ name: 'Create', role: 'Button' }));
  expect(created.outcome).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'window' }] });
  expect((await scene.witness.windows()).map(({ title }) => title)).not.toContain('New Form - Qt Widgets Designer');
  expect(await scene.witness.where()).toMatchObject({ x: before.x, y: before.y });
  // the form is a plain widget, as chosen, and not the dialog that is chosen at the start
  await scene.client.bind({ title: 'Qt Widgets Designer' });
  const main = await wholeTree();
  expect(main.nodes.some(({ name }) => name.includes('untitled'))).toBe(true);
});

it('Linguist: menus, tool bars, docked panes and disabled buttons are read with their states', async () => {
  await using opened = await open(scene, inside('qt', 'PySide6/linguist.exe'), 'Qt Linguist');
  await scene.client.bind({ hwnd: opened.window.hwnd });
  const { nodes, partial } = await wholeTree();
  expect(partial).toBe(false);
  expect(pairs(nodes)).toEqual(
    expect.arrayContaining(phrasesOf`
      MenuItem File | MenuItem Help | Pane Strings | ToolBar File | Button Open | Button Save All
    `),
  );
  expect(nodes.find(({ controlType, name }) => controlType === 'Button' && name === 'Save All')?.states).toContain(
    'disabled',
  );
  const { ref } = nodes.find(({ controlType, name }) => controlType === 'Button' && name === 'Save All')!;
  await scene.client.refused('target_disabled', 'click-element', patiently({ ref }));
});

it('Assistant: text typed into a field reaches it', async () => {
  await using opened = await open(scene, inside('qt', 'PySide6/assistant.exe'), 'Qt Assistant');
  await scene.client.bind({ hwnd: opened.window.hwnd });
  const fieldIn = ({ nodes }: { nodes: readonly TreeNode[] }): TreeNode | undefined =>
    nodes.find(({ controlType, name }) => controlType === 'Edit' && name === 'Look for:');
  // its field is behind the tab of the contents at first
  expect(fieldIn(await wholeTree())?.states).toContain('offscreen');
  await scene.client.act('click-element', patiently({ name: 'Index', role: 'TabItem' }));
  const shown = await until(
    () => scene.client.look(patiently({ maxTokens: 40_000 })),
    (tree) => fieldIn(tree)?.states.includes('offscreen') === false,
    200_000,
  );
  // Without patterns, which Wine does not pass on, the refusal says what works instead: a click and keys.
  const { ref } = fieldIn(shown)!;
  const refused = await scene.client.refused(
    'unsupported',
    'type-into-element',
    patiently({ ref, text: 'qwidget grün' }),
  );
  expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('virtual-keyboard') });
  await scene.client.act('click-element', patiently({ ref }));
  const typed = await scene.client.act('virtual-keyboard', patiently({ action: 'type', text: 'qwidget grün' }));
  // Wine's UI Automation offers no values of other programs: what is not seen is not called confirmed
  expect(['confirmed', 'unverified']).toContain(typed.outcome.effect);
});
