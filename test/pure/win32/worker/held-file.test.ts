/** The file of held keys, which a new worker releases. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHeldFile, createMovedFile } from '../../../../src/win32/worker/held-file.ts';
import { NOTEPAD } from '../../host/stand-in-desktop.ts';
import { scratch } from '../../store/scratch.ts';

const shift = { owner: 'tok_1/default', input: 'shift', hwnd: null };

test('held keys are on disk while they are held, and an unreadable file counts as empty', () => {
  const path = join(scratch(), 'held-input.json');
  const file = createHeldFile(path);
  expect(file.left()).toEqual([]);
  file.keep([shift, { ...shift, input: 'a', hwnd: '7' }]);
  expect(createHeldFile(path).left()).toEqual([shift, { ...shift, input: 'a', hwnd: '7' }]);
  file.keep([]);
  expect(existsSync(path)).toBe(false);
  file.keep([]);
  for (const [text, left] of [
    ['{', []],
    ['{}', []],
    ['[1,null,{"owner":1}]', []],
    [JSON.stringify([{ owner: 1 }, shift]), [shift]],
  ] as const) {
    writeFileSync(path, text);
    expect(file.left(), text).toEqual(left);
  }
});

test('keys from before the machine was started count as released', () => {
  const path = join(scratch(), 'held-input.json');
  createHeldFile(path).keep([shift]);
  utimesSync(path, new Date(0), new Date(0));
  expect(createHeldFile(path).left()).toEqual([]);
});

test('a disk that cannot be written delays no call', () => {
  const file = createHeldFile(join(scratch(), 'missing', 'held-input.json'));
  expect(() => file.keep([shift])).not.toThrow();
  expect(file.left()).toEqual([]);
});

test('a window that is off the desktop is on disk without its title; a record that names no window is nothing', () => {
  const path = join(scratch(), 'moved-windows.json');
  const moved = {
    owner: 'tok_1/default',
    record: { ...NOTEPAD, title: 'Dear diary' },
    from: { x: -5, y: 2, width: 3, height: 4 },
  };
  createMovedFile(path).keep([moved]);
  expect(readFileSync(path, 'utf8')).not.toContain('diary');
  expect(createMovedFile(path).left()).toEqual([{ ...moved, record: { ...moved.record, title: '' } }]);
  writeFileSync(
    path,
    JSON.stringify([null, { owner: 'a' }, { ...moved, from: { x: 1 } }, { ...moved, record: { hwnd: '1' } }]),
  );
  expect(createMovedFile(path).left()).toEqual([]);
  createMovedFile(path).keep([]);
  expect(existsSync(path)).toBe(false);
});
