/** Swing: a note in the background. */
import { it } from 'vitest';
import { pressesForReal, typesLines, useNote, type NoteState } from './notes.ts';
import { inside, patiently } from './toolkit.ts';

interface Swing extends NoteState {
  /** The menu has been open. */
  readonly opened: boolean;
}

it('takes text of several lines and Alt; clicks are refused with what works', async () => {
  const args = ['-cp', inside('swing'), 'Note'];
  await useNote<Swing>(inside('swing', 'jre/bin/javaw.exe'), 'Swing note', args, async (scene, state) => {
    await typesLines(scene, state);
    const { text } = await state(() => true);
    await scene.client.act('virtual-keyboard', patiently({ action: 'combo', text: 'alt+f' }));
    await state((now) => now.opened && now.text === text);
    await scene.client.act('virtual-keyboard', patiently({ action: 'combo', text: 'escape' }));
    await pressesForReal(scene, { x: 245, y: 75 }, state);
  });
});
