/** Prompt libraries in Windows' Node, asked in a console and answered by the product's own actions. */
import { expect, it } from 'vitest';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { windowsPath } from '../support/desktop.ts';
import { Scene } from '../support/scene.ts';
import { answerForm, ConsoleGuest, expectPlain } from './console-guest.ts';
import { inside } from './toolkit.ts';

const node = (): string => windowsPath(windowsNode(process.env['UIAHOST_TEST_TREE'] ?? ''));

it.each([
  ['inquirer', 'Deploy to production? (y/N)'],
  ['clack', 'Yes / > No'],
  ['prompts', '(y/N)'],
  ['enquirer', '(y/N)'],
  ['ink', '> Yes'],
])('%s: confirm, select, several boxes and a text are read and answered', async (library, asks) => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using guest = await ConsoleGuest.open(scene, node(), [windowsPath(inside('prompts', 'ask.mjs')), library]);
  await answerForm(guest, asks);
});

it('ink: no in a menu is its own choice, not what Enter would take', async () => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using guest = await ConsoleGuest.open(scene, node(), [windowsPath(inside('prompts', 'ask.mjs')), 'ink']);
  await guest.showing('> Yes');
  const done = await guest.respond({ responseType: 'no' });
  expectPlain(done.outcome);
  expect(done.outcome.attempts[0]?.reason).toContain('“No”');
  expect(await guest.answer('confirm')).toBe(false);
});

it('enquirer: which boxes are ticked, shown by colour alone, is listed by read-terminal', async () => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using guest = await ConsoleGuest.open(scene, node(), [windowsPath(inside('prompts', 'ask.mjs')), 'enquirer']);
  await guest.showing('(y/N)');
  await guest.respond({ responseType: 'yes' });
  await guest.showing('Zürich');
  await guest.respond({ responseType: 'select', arrowCount: 1 });
  await guest.showing('豆腐');
  /** The style of the sign before each. */
  const ticks = async (): Promise<Array<string | undefined>> => {
    const { screen, styles = [] } = await guest.read({ styles: true });
    const rows = screen.split('\n');
    return ['Käse', 'Pilze', '豆腐'].map((name) => {
      const at = rows.findIndex((row) => row.trimEnd().endsWith(name));
      return styles.find(({ row, text }) => row === at && /^[√✔]/.test(text))?.style;
    });
  };
  const [unticked] = await ticks();
  for (const key of ['space', 'down', 'down', 'space']) await guest.press(key);
  const [cheese, mushrooms, tofu] = await ticks();
  expect([cheese, tofu]).toEqual(['green', 'green']);
  expect(mushrooms).toBe(unticked);
  expect(unticked).not.toBe('green');
});
