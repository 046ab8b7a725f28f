/** The clipboard’s contents are saved and put back around a paste. */
import { expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import {
  readClipboardText,
  restoreClipboard,
  saveClipboard,
  writeClipboardText,
} from '../../../../src/win32/input/paste.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { controlId } from '../../../support/controls.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { phrasesOf } from '../../../support/words.ts';

const WS_OVERLAPPEDWINDOW = 0x00cf_0000;
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
  focus.remember(controls.hwnd, user32.GetDlgItem(controls.hwnd, RICH_EDIT), 'test/default');
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

it('formats that an owner would have to render from an embedded or linked document are left out, the rest is restored', async () => {
  await using owner = await Fixture.start('clipboard');
  const { held, details } = await pasteBeside(owner, 'pasted');
  expect(held).toContain('pasted');
  expect(rendered(owner).toSorted()).toEqual(['HTML Format', 'Rich Text Format']);
  expect(details).toMatchObject({
    clipboardRestored: true,
    clipboardLeftOut: expect.arrayContaining(phrasesOf`
      Embed Source | Native | Link Source | OwnerLink | ObjectLink | DataObject
    `),
  });
  expect(await readClipboardText(newCall())).toBe('was there before');
});

it('a paste waits until a program that opens the clipboard after each change has let it go', async () => {
  await using owner = await Fixture.start('clipboard', ['--holds-ms', '100']);
  const { held } = await pasteBeside(owner, 'pasted');
  expect(held).toContain('pasted');
});

it('a slow clipboard owner is asked for nothing more after the format that took long', async () => {
  await using owner = await Fixture.start('clipboard', ['--slow-ms', '1500']);
  const { details } = await pasteBeside(owner, 'pasted too');
  expect(rendered(owner)).toHaveLength(1);
  expect(details).toMatchObject({ clipboardRestored: true, clipboardLeftOut: expect.arrayContaining(['Native']) });
  expect(await readClipboardText(newCall())).toBe('was there before');
});

it('text that another program put there before the paste is not pasted', async () => {
  await using owner = await Fixture.start('clipboard');
  const before = user32.GetClipboardSequenceNumber();
  const other = setInterval(() => {
    if (user32.GetClipboardSequenceNumber() === before) return;
    clearInterval(other);
    void writeClipboardText('of another program', false, newCall());
  }, 1);
  expect((await refusal(pasteBeside(owner, 'pasted'), 'state_conflict')).delivery).toBe('not_delivered');
  expect(await readClipboardText(newCall())).toBe('of another program');
});

it('content that another program has put there meanwhile is not overwritten', async () => {
  await writeClipboardText('saved', false, newCall());
  const saved = await saveClipboard(newCall());
  await writeClipboardText('ours', true, newCall());
  const sequence = user32.GetClipboardSequenceNumber();
  await writeClipboardText('of another program', false, newCall());
  expect(await restoreClipboard(saved, sequence, newCall())).toBe(false);
  expect(await readClipboardText(newCall())).toBe('of another program');
});

it('keeps pasted text out of clipboard history and cloud, but not text for the person', async () => {
  const marks = (): boolean[] =>
    ['ExcludeClipboardContentFromMonitorProcessing', 'CanIncludeInClipboardHistory', 'CanUploadToCloudClipboard'].map(
      (name) => user32.IsClipboardFormatAvailable(user32.RegisterClipboardFormatW(name)),
    );
  await writeClipboardText('pasted', true, newCall());
  expect(marks()).toEqual([true, true, true]);
  await writeClipboardText('written', false, newCall());
  expect(marks()).toEqual([false, false, false]);
});

it('a clipboard that another window has open is waited for, at most a second', async () => {
  await writeClipboardText('read in the end', false, newCall());
  const other = user32.CreateWindowExW(0, 'STATIC', '', WS_OVERLAPPEDWINDOW, 0, 0, 9, 9, 0, 0, 0, null);
  try {
    expect(user32.OpenClipboard(other)).toBe(true);
    const read = readClipboardText(newCall());
    setTimeout(() => user32.CloseClipboard(), 60);
    expect(await read).toBe('read in the end');
    expect(user32.OpenClipboard(other)).toBe(true);
    await refusal(readClipboardText(newCall({ deadlineMs: 100 })), 'state_conflict');
    user32.CloseClipboard();
  } finally {
    user32.DestroyWindow(other);
  }
});

it.each([
  ['ctrl+x', '', 'one'],
  ['ctrl+c', 'one', 'one'],
  ['ctrl+v', 'old', 'old'],
])('%s in an edit goes without a key, by the edit’s own message', async (chord, field, clipboard) => {
  await using controls = await Fixture.start('controls');
  const elements = await Elements.bind(controls.hwnd);
  const focus = new FocusMemory();
  const edit = user32.GetDlgItem(controls.hwnd, controlId('EDIT_NAME'));
  focus.remember(controls.hwnd, edit, 'test/default');
  const keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus });
  const keys = (...chords: string[]) => keyboard.chords(elements.record, chords, 1, 'background', newCall());
  const text = async (): Promise<string | undefined> =>
    (await elements.nodes()).find(({ id }) => id === String(controlId('EDIT_NAME')))?.value;
  await elements.type({ automationId: String(controlId('EDIT_NAME')) }, 'one');
  await writeClipboardText('old', false, newCall());
  await keys('ctrl+a');
  const { outcome } = await keys(chord);
  expect(outcome.delivery).toBe('message');
  expect([(await text()) ?? '', await readClipboardText(newCall())]).toEqual([field, clipboard]);
  expect(controls.journal().filter(({ event }) => event === 'key')).toEqual([]);
  if (chord === 'ctrl+c') return;
  await keys('ctrl+z');
  expect(await text()).toBe('one');
});
