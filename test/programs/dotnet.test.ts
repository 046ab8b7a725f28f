/** Real WinForms and WPF programs (.NET Core 3.1, Microsoft's own binaries) through a running host. */
import { expect, it } from 'vitest';
import { startProgram } from '../support/programs.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { RECEIVERS } from '../../src/contract/ways/receivers.ts';
import { judge } from './probe.ts';
import { inside, open, patiently } from './toolkit.ts';

const start = (scene: Scene, name: string, title: string): ReturnType<typeof open> =>
  open(scene, inside('dotnet', 'dotnet.exe'), title, ['exec', `Z:${inside('dotnet', `${name}.dll`)}`]);

it('a WinForms form is filled and checked in the background, each step confirmed and told', async () => {
  await using scene = await Scene.open();
  const { client } = scene;
  await client.policy({ level: 'full' });
  await using opened = await start(scene, 'forms', 'WinForms order');
  await client.bind({ hwnd: opened.window.hwnd });
  const before = await scene.witness.where();
  const steps = [
    ['type-into-element', { name: 'Customer:', text: 'Ada Müller' }],
    ['type-into-element', { name: 'Notes:', text: 'one\ntwo' }],
    ['select-element', { name: 'Product:', item: 'Coffee' }],
    ['type-into-element', { name: 'Size:', text: 'Large' }],
    ['type-into-element', { name: 'Quantity:', role: 'Edit', text: '12' }],
    ['click-element', { name: 'Express' }],
    ['click-element', { name: 'By invoice' }],
    ['type-into-element', { name: 'Discount:', text: '6' }],
    ['select-element', { name: 'Colour:', item: 'Green' }],
    ['click-element', { name: '2026-0002' }],
    ['select-element', { role: 'Tree', item: 'Austria > Vienna' }],
    ['select-element', { role: 'Tab', item: 'Delivery' }],
    ['click-element', { name: 'Check order' }],
  ] as const;
  for (const [action, input] of steps) {
    const { outcome } = await client.act(action, patiently(input));
    expect(outcome, JSON.stringify([input, outcome])).toMatchObject({ effect: 'confirmed' });
  }
  const values = (await client.look()).nodes.map(({ value }) => value ?? '');
  expect(values.find((value) => value.includes('customer='))).toBe(
    'colour=Green; customer=Ada Müller; discount=6; express=True; invoice=True; notes=one/two; order=2026-0002; page=Delivery; place=Austria\\Vienna; product=Coffee; quantity=12; size=Large',
  );
  expect(await scene.witness.where()).toMatchObject({ x: before.x, y: before.y, foreground: before.foreground });
  await client.refused('target_disabled', 'click-element', { name: 'Not available' });

  // By points too, with another window in front.
  await using covering = startProgram('notepad.exe');
  await scene.window(({ className }) => className === 'Notepad', 30_000);
  for (const name of ['Express', 'Check order']) {
    const { x, y } = (await client.look()).nodes.find((node) => node.name === name)!;
    await client.act('virtual-mouse', patiently({ action: 'click', x: x + 10, y: y + 10 }));
  }
  expect((await client.look()).nodes.map(({ value }) => value ?? '').join('\n')).toContain('express=False');
  await covering.kill();
});

it('in a WPF window each step is right, or refused with the way', async () => {
  await using scene = await Scene.open();
  const { client } = scene;
  await client.policy({ level: 'full' });
  await using opened = await start(scene, 'wpf', 'WPF order');
  const { hwnd } = opened.window;
  await client.bind({ hwnd });
  const told = async (): Promise<string> => (await scene.window((each) => each.hwnd === hwnd)).title;
  const steps = [
    ['type-into-element', { role: 'Edit', automationId: 'customer', text: 'Ada Müller' }, 'customer=Ada Müller'],
    ['click-element', { name: 'Express' }, 'express=True'],
    ['select-element', { role: 'List', automationId: 'colours', item: 'Green' }, 'colour=Green'],
    ['select-element', { role: 'ComboBox', automationId: 'product', item: 'Coffee' }, 'product=Coffee'],
    ['click-element', { name: 'Check order' }, 'checked=True'],
  ] as const;
  for (const [action, input, expected] of steps) {
    const before = await told();
    const { status, body } = await client.send(action, patiently(input));
    const what = `${action} ${JSON.stringify(input)} answered ${status}: ${JSON.stringify(body).slice(0, 1500)}`;
    if (status === 200) await until(async () => (await told()).includes(expected), `${expected} after ${what}`, 5000);
    else {
      // nothing was done, and the answer says what can be
      expect(body, what).toMatchObject({ delivery: 'not_delivered', hint: expect.stringMatching(/\w/) as unknown });
      expect(await told(), what).toBe(before);
    }
    process.stdout.write(`${status === 200 ? 'right' : 'refused'}: ${what.slice(0, 300)}\n`);
  }
});

for (const toolkit of ['winforms', 'wpf'] as const)
  it(`[receivers.table] is what ${RECEIVERS[toolkit].name} takes in the background`, () =>
    judge(toolkit, [inside('dotnet', 'dotnet.exe'), ['exec', `Z:${inside('dotnet', 'receivers.dll')}`, toolkit]]));
