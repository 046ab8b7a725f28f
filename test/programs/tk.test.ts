/** Tk, through Python's tkinter: a note in the background. */
import { expect, it } from 'vitest';
import { pressesForReal, typesLines, useNote } from './notes.ts';
import { inside } from './toolkit.ts';

it('takes text of several lines; clicks and Alt are refused with what works', async () => {
  await useNote(inside('tk', 'pythonw.exe'), 'Tk note', [inside('tk', 'note.py')], async (scene, state) => {
    await typesLines(scene, state);
    await scene.fixture('sentinel', { args: ['--x', '700', '--y', '420', '--activate'] });
    await scene.client.refused('unsupported', 'virtual-keyboard', { action: 'combo', text: 'alt+o' });
    await scene.client.act('snapshot');
    await pressesForReal(scene, { x: 200, y: 90 }, state);
    expect((await state(() => true)).bold).toBe(false);
    // Tk keeps the system's focus in another window than the part that was clicked, which its keys go to.
    await scene.client.act('click', { x: 200, y: 250, delivery: 'foreground' });
    await scene.client.act('virtual-keyboard', { action: 'combo', text: 'alt+o c' });
    expect((await state(({ text }) => text === '')).text).toBe('');
  });
});
