/** End to end: acting on elements with more than a left click, seen by the program's own journal. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { controlId } from '../support/controls.ts';
import type { Fixture } from '../support/fixture.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let controls: Fixture;
let client: Client;

beforeAll(async () => {
  scene = await Scene.open();
  client = scene.client;
  controls = await scene.fixture('controls');
  await client.bind({ hwnd: controls.hwnd });
});
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(() => controls.journal.mark());

const id = (key: string) => ({ automationId: String(controlId(key)) });

it('click-element with a button and a count', async () => {
  const right = await client.act('click-element', { ...id('CUSTOM'), button: 'right' });
  await controls.journal.waitFor({ event: 'context_menu' }, 3000);
  expect(right).toMatchObject({ value: true, outcome: { effect: 'confirmed' } });
  await client.act('virtual-keyboard', { action: 'combo', text: 'escape' });
  controls.journal.mark();
  await client.act('click-element', { name: 'Row 3', role: 'ListItem', count: 2 });
  await controls.journal.waitFor({ event: 'notify', id: controlId('LIST_REPORT'), codeName: 'NM_DBLCLK' }, 3000);
});

it('[element.focus] focus-element, and the keys that follow', async () => {
  const { outcome } = await client.act('focus-element', id('EDIT_RIGHT'));
  expect(outcome).toMatchObject({ effect: 'confirmed', evidence: [{ kind: 'focus', before: false, after: true }] });
  await client.act('virtual-keyboard', { action: 'type', text: '9' });
  expect((await controls.dump()).get(controlId('EDIT_RIGHT'))?.text).toContain('9');
});

it('hover-element', async () => {
  const { value, outcome } = await client.act('hover-element', id('CUSTOM'));
  await controls.journal.waitFor({ event: 'mouse', id: controlId('CUSTOM'), kind: 'move' }, 3000);
  expect({ value, ...outcome }).toMatchObject({ value: true, delivery: 'posted', cursorMoved: false });
});

it('[element.drag] drag-element', async () => {
  await client.act('drag-element', { name: 'Push me', toName: 'Default action' });
  const down = await controls.journal.waitFor({ event: 'mouse', id: controlId('PUSH'), kind: 'down' }, 3000);
  const up = await controls.journal.waitFor({ event: 'mouse', id: controlId('PUSH'), kind: 'up' }, 3000);
  expect([down['screenX'], down['screenY']]).not.toEqual([up['screenX'], up['screenY']]);
  await client.refused('target_disabled', 'drag-element', { name: 'Push me', toName: 'Disabled' });
  await client.refused('target_not_found', 'drag-element', { name: 'Push me', toName: 'No such element' });
  await client.refused('invalid_argument', 'drag-element', { name: 'Push me' });
});

it('scroll-element with dy', async () => {
  const { outcome } = await client.act('scroll-element', { ...id('LISTBOX'), dy: 2 });
  expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted' });
  await controls.journal.waitFor({ event: 'wheel', id: controlId('LISTBOX') }, 3000);
  await client.refused('invalid_argument', 'scroll-element', { dy: 2 });
});
