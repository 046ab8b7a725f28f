/** The clipboard’s contents are saved and put back around a paste. */
import { expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { readClipboardText } from '../../../../src/win32/input/clipboard-data.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/focus/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/keyboard.ts';
import { Elements } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';

const RICH_EDIT = 213;
const rendered = (owner: Fixture): unknown[] =>
  owner
    .journal()
    .filter(({ event }) => event === 'rendered')
    .map((entry) => entry['format']);

/** Pastes into a rich edit while a program that renders on demand owns the clipboard. */
async function pasteBeside(owner: Fixture, text: string): Promise<{ held: string | undefined; details: unknown }> {
  await using controls = await Fixture.start('controls');
  const elements = await Elements.bind(controls.hwnd);
  const focus = new FocusMemory();
  focus.remember(controls.hwnd, user32.GetDlgItem(controls.hwnd, RICH_EDIT));
  const keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus });
  const { outcome } = await keyboard.typeText(
    elements.record,
    text,
    { viaClipboard: true, delivery: 'background' },
    newCall({ deadlineMs: 25_000 }),
  );
  expect(outcome.effect).toBe('confirmed');
  expect(owner.journal().some(({ event }) => event === 'taken_away')).toBe(true);
  return { held: (await elements.nodes()).find(({ id }) => id === String(RICH_EDIT))?.value, details: outcome.details };
}

it('[clipboard.saved] [clipboard.left-out] what an owner would have to make first of an embedded or linked document is left out, and the rest put back', async () => {
  await using owner = await Fixture.start('clipboard');
  const { held, details } = await pasteBeside(owner, 'pasted');
  expect(held).toContain('pasted');
  expect(rendered(owner).toSorted()).toEqual(['HTML Format', 'Rich Text Format']);
  expect(details).toMatchObject({
    clipboardRestored: true,
    clipboardLeftOut: expect.arrayContaining([
      'Embed Source',
      'Native',
      'Link Source',
      'OwnerLink',
      'ObjectLink',
      'DataObject',
    ]),
  });
  expect(await readClipboardText(newCall())).toBe('was there before');
});

it('[clipboard.slow-owner] an owner that takes long is asked for no more than the one that took long', async () => {
  await using owner = await Fixture.start('clipboard', ['--slow-ms', '1500']);
  const { details } = await pasteBeside(owner, 'pasted too');
  expect(rendered(owner)).toHaveLength(1);
  expect(details).toMatchObject({ clipboardRestored: true, clipboardLeftOut: expect.arrayContaining(['Native']) });
  expect(await readClipboardText(newCall())).toBe('was there before');
});
