/** The system’s file dialog: typing a name, choosing, and confirming. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { ElementOptions } from '../../../../src/win32/ports/element.ts';
import { topWindowsOf } from '../../../../src/win32/windows/window-info.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { Elements, journaled, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const WM_COMMAND = 0x0111;
const OPEN = 102;
const SAVE_AS = 104;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-files-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The dialog that a menu command opens, bound. */
async function dialogOf(fixture: Fixture, command: number, options: ElementOptions = {}): Promise<Elements> {
  const before = new Set(topWindowsOf(fixture.pid));
  user32.PostMessageW(fixture.hwnd, WM_COMMAND, command, 0);
  const dialog = await until(() => topWindowsOf(fixture.pid).find((hwnd) => !before.has(hwnd)), 'the dialog');
  const elements = await Elements.bind(dialog, options);
  await until(async () => (await elements.nodes()).some(({ name }) => name.startsWith('File name')), 'its fields');
  return elements;
}

describe('the system’s dialog for files', () => {
  it('takes the name of a file to open, shows it, and opens the file', async () => {
    await using fixture = await Fixture.start('editor');
    const file = path.join(folder, 'one.txt');
    writeFileSync(file, 'hello\r\n');
    const dialog = await dialogOf(fixture, OPEN);
    const typed = await dialog.type({ name: 'File name' }, file);
    expect(typed).toMatchObject({ value: true, outcome: { effect: 'confirmed', readBack: 'verified' } });
    expect(only(await dialog.nodes(), { controlType: 'ComboBox', value: file })).toBeDefined();
    await dialog.click({ name: 'Open', role: 'Button' });
    expect(await journaled(fixture, 'opened')).toMatchObject({ path: file, bytes: 7 });
  });

  it('takes the name of a file to save, in place of the proposed name', async () => {
    await using fixture = await Fixture.start('editor', ['--lines', '2']);
    const file = path.join(folder, 'two.txt');
    const dialog = await dialogOf(fixture, SAVE_AS);
    expect(only(await dialog.nodes(), { controlType: 'ComboBox', value: 'untitled.txt' })).toBeDefined();
    expect(await dialog.type({ name: 'File name' }, file)).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed' },
    });
    await dialog.click({ name: 'Save', role: 'Button' });
    expect(await journaled(fixture, 'saved')).toMatchObject({ path: file });
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('line 0\r\nline 1\r\n');
  });

  it('keys go to the file name after an attempt on a control that takes no text, and “Files of type” stays', async () => {
    await using fixture = await Fixture.start('editor');
    const file = path.join(folder, 'three.txt');
    writeFileSync(file, 'three\r\n');
    const focus = new FocusMemory();
    const dialog = await dialogOf(fixture, OPEN, { focus });
    const kept = only(await dialog.nodes(), { controlType: 'ComboBox', id: '1136' }).value;
    await refusal(dialog.type({ automationId: '1136' }, 'Source'), 'target_readonly');
    await refusal(dialog.type({ role: 'List' }, 'Source'), 'unsupported');
    const keyboard = createKeyboardPort(dialog.services, { held: new HeldInputs(), focus });
    const typed = await keyboard.typeText(
      dialog.record,
      file,
      { viaClipboard: false, delivery: 'background' },
      newCall(),
    );
    expect(typed.outcome).toMatchObject({ effect: 'confirmed' });
    const nodes = await dialog.nodes();
    expect(only(nodes, { controlType: 'ComboBox', id: '1136' }).value).toBe(kept);
    expect(only(nodes, { controlType: 'ComboBox', id: '1148' }).value).toBe(file);
  });
});
