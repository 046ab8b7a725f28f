/** Swing: a note without its elements, in the background; and an order, by Java's Access Bridge. */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sharedDesktop } from '../support/desktop.ts';
import { pressesForReal, typesLines, useNote, type NoteState } from './notes.ts';
import { inside, patiently } from './toolkit.ts';
import { phrasesOf } from '../support/words.ts';

/** Alt+F types no letter. Under Wine it opens no menu either, from the real keyboard neither (docs/wine.md). */
it('takes text of several lines, and Alt without its letter; clicks are refused with what works', async () => {
  const args = ['-cp', inside('swing'), 'Note'];
  await useNote<NoteState>(inside('swing', 'jre/bin/javaw.exe'), 'Swing note', args, async (scene, state) => {
    await typesLines(scene, state);
    const { text } = await state(() => true);
    await scene.client.act('virtual-keyboard', patiently({ action: 'combo', text: 'alt+f' }));
    expect((await state(() => true)).text).toBe(text);
    await scene.client.act('virtual-keyboard', patiently({ action: 'combo', text: 'escape' }));
    await scene.client.look();
    await pressesForReal(scene, { x: 245, y: 75 }, state);
  });
});

/** Where an installed Java puts it: from the program's own folder, which the user can write, it is not loaded. */
const install = (): void => {
  const dll = 'windowsaccessbridge-64.dll';
  copyFileSync(inside('swing', 'jre/bin', dll), path.join(sharedDesktop().prefix, 'drive_c/windows/system32', dll));
};

/** As `jabswitch -enable` sets it for a user. */
const WITH_BRIDGE = '-Djavax.accessibility.assistive_technologies=com.sun.java.accessibility.AccessBridge';

interface Order extends NoteState {
  readonly customer: string;
  readonly notes: string;
  readonly number: string;
  readonly express: boolean;
  readonly card: boolean;
  readonly colour: string;
  readonly row: number;
  readonly size: number;
  readonly page: number;
  readonly asked: number;
}

it('a form is read and filled in the background, and what may open a dialog is pressed by real input', async () => {
  install();
  const args = [WITH_BRIDGE, '-cp', inside('swing'), 'Order'];
  await useNote<Order>(inside('swing', 'jre/bin/javaw.exe'), 'Swing order', args, async (scene, state) => {
    const { client } = scene;
    const seen = await client.look();
    expect(seen.nodes.map(({ controlType, name }) => `${controlType} ${name}`)).toEqual(
      expect.arrayContaining(phrasesOf`
        Edit Customer | Edit Number | Edit Notes | CheckBox Express | RadioButton Card | ListItem Medium |
        TabItem Delivery | DataItem Bolts | TreeItem sports | Button Ask
      `),
    );
    expect(seen.nodes.find(({ name }) => name === 'Colour')).toMatchObject({ controlType: 'ComboBox', value: 'Green' });
    expect(JSON.stringify(seen)).not.toContain('geheim');
    const where = await scene.witness.where();
    const lines = 'Ring twice\nä 狐';
    const steps = [
      ['type-into-element', { name: 'Customer', text: 'Ada Müller' }],
      ['type-into-element', { name: 'Notes', text: lines }],
      ['click-element', { name: 'Express' }],
      ['click-element', { name: 'Card' }],
      ['click-element', { name: 'Medium' }],
      ['select-element', { name: 'Colour', item: 'Blue' }],
      ['click-element', { name: 'Bolts' }],
      ['click-element', { name: 'Delivery' }],
    ] as const;
    for (const [action, input] of steps) {
      const { outcome } = await client.act(action, patiently(input));
      expect(outcome, JSON.stringify(input)).toMatchObject({ effect: 'confirmed', delivery: 'msaa' });
    }
    const done = {
      customer: 'Ada Müller',
      notes: lines,
      express: true,
      card: true,
      colour: 'Blue',
      row: 1,
      size: 1,
      page: 1,
    };
    expect(await state((now) => now.page === 1)).toMatchObject(done);
    expect(await scene.witness.where()).toMatchObject({ x: where.x, y: where.y, foreground: where.foreground });

    await client.refused('target_readonly', 'type-into-element', { name: 'Number', text: '1' });
    await client.refused('target_disabled', 'click-element', { name: 'Off' });
    const refused = await client.refused('unsupported', 'click-element', { name: 'Ask' });
    expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('foreground') });
    expect(await state(() => true)).toMatchObject({ ...done, number: '4711', asked: 0 });

    await client.act('manage-window', { action: 'focus' });
    await client.act('click-element', patiently({ name: 'Ask', delivery: 'foreground' }));
    expect((await state((now) => now.asked > 0)).asked).toBe(1);
    const dialog = await scene.window(({ title }) => title === 'Message');
    await client.bind({ hwnd: dialog.hwnd });
    const { nodes } = await client.look();
    expect(nodes.map(({ controlType, name }) => `${controlType} ${name}`)).toEqual(
      expect.arrayContaining(['Text Really?', 'Button OK']),
    );
  });
});
