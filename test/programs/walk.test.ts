/** A Go program on Win32 controls (walk) through a running host. */
import { expect, it } from 'vitest';
import { Scene } from '../support/scene.ts';
import { inside, open } from './toolkit.ts';

it('a form is filled and sent in the background, each step confirmed', async () => {
  await using scene = await Scene.open();
  const { client } = scene;
  await client.policy({ level: 'full' });
  await using opened = await open(scene, inside('walk', 'walk-target.exe'), 'walk guest form');
  await client.bind({ hwnd: opened.window.hwnd });

  const { nodes } = await client.look();
  // its fields are named by the labels before them
  expect(nodes.map(({ controlType, name }) => `${controlType} ${name}`)).toEqual(
    expect.arrayContaining(['Button Greet', 'CheckBox Read aloud']),
  );
  const before = await scene.witness.where();
  const steps = [
    ['type-into-element', { name: 'Guest:', role: 'Edit', text: 'Ada Müller' }],
    ['select-element', { name: 'Language:', item: 'German' }],
    ['click-element', { name: 'Read aloud' }],
    ['click-element', { name: 'Greet' }],
  ] as const;
  for (const [action, input] of steps)
    expect((await client.act(action, input)).outcome, JSON.stringify(input)).toMatchObject({ effect: 'confirmed' });
  expect(await scene.witness.where()).toMatchObject({ x: before.x, y: before.y, foreground: before.foreground });
  const after = await client.look();
  expect(after.nodes.map(({ value }) => value)).toContain('Ada Müller in German, aloud');
  await client.refused('target_disabled', 'click-element', { name: 'Not available' });
});
