/** A Rust program whose provider is AccessKit's, through a running host. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { windowsPath } from '../support/desktop.ts';
import { Journal } from '../support/journal.ts';
import { Scene } from '../support/scene.ts';
import { inside, open, patiently } from './toolkit.ts';

/**
 * Wine 10 refuses AccessKit's provider: it asks the root for a RuntimeId, which Windows takes from the window
 * (docs/windows-truth.md). The window has no elements there, so its button is clicked by its place.
 */
it('a button is clicked by name where the system shows the provider, and by its place elsewhere', async () => {
  await using scene = await Scene.open();
  const { client } = scene;
  await client.policy({ level: 'full', coordinateProposals: true });
  const journal = new Journal(join(scene.folder(), 'accesskit.jsonl'));
  await using opened = await open(scene, inside('accesskit', 'uiahost-accesskit-target.exe'), 'AccessKit order form', [
    windowsPath(journal.file),
  ]);
  await client.bind({ hwnd: opened.window.hwnd });
  const { nodes } = await client.look(patiently({}));
  expect(nodes[0]).toMatchObject({ controlType: 'Window', name: 'AccessKit order form' });
  if (nodes.length > 1) {
    await client.act('click-element', patiently({ name: 'Place order', role: 'Button' }));
  } else {
    await client.act('virtual-mouse', patiently({ action: 'click', x: 120, y: 40, space: 'client' }));
  }
  await journal.waitFor({ event: 'Place order' });
  expect(journal.events({ event: 'Cancel order' })).toEqual([]);
});
