/** Tk, through Python's tkinter: a note in the background. */
import { expect, it } from 'vitest';
import { pressesForReal, typesLines, useNote } from './notes.ts';
import { inside } from './toolkit.ts';

it('takes text of several lines; clicks and Alt are refused with what works', async () => {
  await useNote(inside('tk', 'pythonw.exe'), 'Tk note', [inside('tk', 'note.py')], async (scene, state) => {
    await typesLines(scene, state);
    await scene.client.refused('unsupported', 'virtual-keyboard', { action: 'combo', text: 'alt+o' });
    await pressesForReal(scene, { x: 200, y: 90 }, state);
    expect((await state(() => true)).bold).toBe(false);
  });
});
