/** What a call to the desktop concerns and what it shares with others. */
import { expect, test } from 'vitest';
import {
  isFactOfWindow,
  isRealInput,
  isRelease,
  needsFirst,
  programOf,
  sharedThings,
  TERMINALS,
  windowOf,
} from '../../../../src/win32/worker/call-kinds.ts';
import { NOTEPAD } from '../../host/stand-in-desktop.ts';

test('terminals are one program', () => {
  const console = programOf({ ...NOTEPAD, className: 'ConsoleWindowClass' });
  expect(console).toBe(TERMINALS);
  expect(programOf({ ...NOTEPAD, pid: 7, className: 'CASCADIA_HOSTING_WINDOW_CLASS' })).toBe(console);
});

test('a process that has another one’s number is another program', () => {
  expect(programOf({ ...NOTEPAD, processCreated: '2' })).not.toBe(programOf(NOTEPAD));
});

test('a call concerns the window of its first argument; a query names none', () => {
  expect(windowOf([NOTEPAD, 'e12'])).toBe(NOTEPAD);
  expect(windowOf([{ record: NOTEPAD }, {}])).toBe(NOTEPAD);
  expect(windowOf([null, 'text'])).toBeNull();
  expect(windowOf([{ hwnd: '4242' }])).toBeNull();
  expect(windowOf([])).toBeNull();
});

test('real input and the clipboard are used in turn; text that reads like a delivery is text', () => {
  const background = { viaClipboard: false, delivery: 'background' };
  expect(sharedThings('keyboard', 'typeText', [NOTEPAD, 'foreground', background])).toEqual([]);
  expect(sharedThings('keyboard', 'typeText', [null, 'x', background])).toEqual(['input']);
  expect(sharedThings('keyboard', 'typeText', [NOTEPAD, 'x', { viaClipboard: true, delivery: 'foreground' }])).toEqual([
    'clipboard',
    'input',
  ]);
  expect(sharedThings('clipboard', 'read', [])).toEqual(['clipboard']);
  expect(sharedThings('element', 'click', [NOTEPAD, 'e1', { delivery: 'foreground' }])).toEqual(['input']);
  expect(sharedThings('element', 'typeInto', [NOTEPAD, 'e1', 'x', { delivery: 'foreground' }])).toEqual(['input']);
  expect(sharedThings('pointer', 'drag', [NOTEPAD, null, { x: 1, y: 1 }, 'foreground'])).toEqual(['input']);
  expect(sharedThings('window', 'activate', [NOTEPAD, null])).toEqual(['input']);
  expect(sharedThings('element', 'snapshot', [NOTEPAD, {}])).toEqual([]);
});

test('letting go of keys and buttons waits for nothing', () => {
  expect(isRelease('pointer', 'button', [NOTEPAD, 'up', null, 'foreground'])).toBe(true);
  expect(isRelease('pointer', 'button', [NOTEPAD, 'down', null, 'foreground'])).toBe(false);
  expect(isRealInput('keyboard', 'release', [NOTEPAD, ['ctrl'], 'foreground'])).toBe(true);
  expect(sharedThings('keyboard', 'release', [NOTEPAD, ['ctrl'], 'foreground'])).toEqual([]);
});

test('what the first worker knows is asked of it', () => {
  expect(needsFirst('terminal', 'open')).toBe(true);
  expect(needsFirst('keyboard', 'chords')).toBe(true);
  expect(needsFirst('binding', 'find')).toBe(false);
  expect(needsFirst('window', 'listVisible')).toBe(false);
});

test('[worker.hung-alone] facts of a window that its program is not asked for are asked of any worker', () => {
  expect(isFactOfWindow('binding', 'describe')).toBe(true);
  expect(isFactOfWindow('binding', 'verify')).toBe(false);
  expect(isFactOfWindow('element', 'context')).toBe(false);
});
