/** What happened to windows since a time: in order, each once, and nothing where that is not known. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  SW_HIDE,
  SW_SHOW,
  SWP_NOACTIVATE,
  SWP_NOSIZE,
  SWP_NOZORDER,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { threadOf } from '../../../../src/win32/windows/window-info.ts';
import { windowJournal } from '../../../../src/win32/windows/window-journal.ts';
import { Fixture } from '../support/programs.ts';

let fixture: Fixture;
let child = 0;
beforeAll(async () => {
  fixture = await Fixture.start('controls', ['--many', '20']);
  child = user32.GetDlgItem(fixture.hwnd, 1000);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const kindsSince = (number: number): string[] =>
  windowJournal
    .since(number)!
    .changes.filter(({ hwnd }) => hwnd === child)
    .map(({ kind }) => kind);

test('a window that disappears, appears or moves is reported since any earlier number', () => {
  const first = windowJournal.now(threadOf(child).process)!;
  expect(kindsSince(first)).toEqual([]);
  user32.ShowWindow(child, SW_HIDE);
  const second = windowJournal.now()!;
  expect(kindsSince(first)).toContain('structure');
  expect(kindsSince(second)).toEqual([]);
  user32.ShowWindow(child, SW_SHOW);
  user32.SetWindowPos(child, 0, 40, 40, 0, 0, SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
  expect(kindsSince(second).toSorted()).toEqual(['place', 'structure']);
  expect(kindsSince(first).toSorted()).toEqual(['place', 'structure']);
});

test('what happened before it listened is not known', () => expect(windowJournal.since(-1)).toBeNull());
