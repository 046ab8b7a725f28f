/** What a dialog changes in the window that it belongs to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { threadOf, windowText, topWindowsOf } from '../../../../src/win32/windows/window-info.ts';
import { Program } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { Session } from '../support/session.ts';

const EM_GETSEL = 0x00b0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-find-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

it('a search dialog is confirmed by the selection that it makes; finding nothing more confirms nothing', async () => {
  const file = path.join(folder, 'names.txt');
  writeFileSync(file, 'Ann and Bob');
  await using notepad = new Program('notepad.exe', [file]);
  const windows = (): number[] => topWindowsOf(notepad.pid);
  const main = await until(() => windows().find((hwnd) => windowText(hwnd).includes('names.txt')), 'Notepad');
  using session = await Session.bind(main);
  await session.keys('ctrl+f');
  const box = await until(() => windows().find((hwnd) => windowText(hwnd) === 'Find'), 'the dialog');
  const dialog = await session.elements.bound(box);
  await dialog.type({ role: 'Edit' }, 'Bob');
  const found = (await dialog.click({ name: 'Find Next' })).outcome;
  expect(found).toMatchObject({
    effect: 'confirmed',
    evidence: [{ kind: 'selection', after: [8, 11], element: expect.stringContaining('Edit') }],
  });
  const edit = user32.FindWindowExW(main, 0, 'Edit', null);
  expect(Number(user32.SendMessageW(edit, EM_GETSEL, 0, 0))).toBe(11 * 0x1_0000 + 8);
  expect(threadOf(box).process).toBe(notepad.pid);
});
