/** Accelerators in the resources of real programs. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acceleratorsOf, commandsOf } from '../../../../src/win32/input/accelerators.ts';

const editor = join(process.env['UIAHOST_FIXTURES'] ?? '', 'editor.exe');
/** ID_SAVE and ID_SAVE_AS of test/fixtures/editor/editor.h. */
const [SAVE, SAVE_AS] = [103, 104];
const S = 0x53;

it('Windows reads the tables of a program that is not running', () => {
  const accelerators = acceleratorsOf(editor);
  const withShift = (shift: boolean): number[] => commandsOf(accelerators, { ctrl: true, alt: false, shift, vk: S });
  expect([withShift(false), withShift(true)]).toEqual([[SAVE], [SAVE_AS]]);
});

it('a program is read again after it changed; what is not a program has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'accelerators-'));
  const file = join(folder, 'changing.exe');
  try {
    expect(acceleratorsOf(file)).toEqual([]);
    writeFileSync(file, 'not a program');
    expect(acceleratorsOf(file)).toEqual([]);
    copyFileSync(editor, file);
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    expect(acceleratorsOf(file)).toEqual(acceleratorsOf(editor));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
