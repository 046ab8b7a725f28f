/** Go programs on huh and bubbletea in a console, answered by the product's own actions. */
import { expect, it } from 'vitest';
import { windowsPath } from '../support/desktop.ts';
import { Scene } from '../support/scene.ts';
import { answerForm, ConsoleGuest, expectPlain } from './console-guest.ts';
import { inside } from './toolkit.ts';

const program = (): string => windowsPath(inside('forms', 'forms-target.exe'));

it('huh: confirm, select, several boxes and a text are read and answered', async () => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using guest = await ConsoleGuest.open(scene, program(), ['huh']);
  await answerForm(guest, 'Deploy to production?');
});

it('bubbletea: a list on the whole screen is read and answered', async () => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using guest = await ConsoleGuest.open(scene, program(), ['bubbletea']);
  expectPlain(await guest.showing('> Aachen'));
  const done = await guest.respond({ responseType: 'select', arrowCount: 2 });
  expectPlain(done.outcome);
  expect(await guest.answer('select')).toBe('東京');
});
