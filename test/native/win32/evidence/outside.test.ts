/** What is outside the bound window's program, or was only hidden before, proves no action. */
import { expect, onTestFinished, test } from 'vitest';
import * as m from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { readControlState, stateChanges } from '../../../../src/win32/evidence/chord-effects.ts';
import { differences, look, lookAgain } from '../../../../src/win32/evidence/chord-effects.ts';
import { Watch } from '../../../../src/win32/evidence/watch.ts';
import type { ElementTarget } from '../../../../src/win32/elements/finding/element-target.ts';
import type { KeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { Deadline } from '../../../../src/win32/windows/waiting.ts';
import { threadOf } from '../../../../src/win32/windows/window-info.ts';
import { newCall } from '../support/programs.ts';

const [SHOWN, HIDDEN] = [(m.WS_POPUP | m.WS_VISIBLE) >>> 0, m.WS_POPUP >>> 0];
const CHILD = (m.WS_CHILD | m.WS_VISIBLE) >>> 0;

function make(className: string, title: string, style: number, parent = 0): number {
  const hwnd = user32.CreateWindowExW(0, className, title, style, 300, 300, 80, 60, parent, 0, 0, null);
  if (parent === 0) onTestFinished(() => void user32.DestroyWindow(hwnd));
  return hwnd;
}

/** A window with a button, as the target of keys and as an element. */
function bound(): { readonly key: KeyTarget; readonly root: number; readonly element: ElementTarget } {
  const root = make('STATIC', 'Bound', SHOWN);
  const hwnd = make('BUTTON', 'Press', CHILD, root);
  const key: KeyTarget = { hwnd, thread: threadOf(hwnd).thread, kind: 'button', foundBy: 'window itself' };
  const node = { hwnd, locator: { kind: 'window', hwnd } };
  const call = newCall();
  const element = { root, node, located: { node }, call, deadline: new Deadline(call) } as unknown as ElementTarget;
  return { key, root, element };
}

test('a window of another program that moves is not scrolling', () => {
  const { key } = bound();
  const front = make('STATIC', 'In front', SHOWN);
  const move = (x: number): boolean => user32.SetWindowPos(front, m.HWND_TOPMOST, x, 20, 80, 60, m.SWP_NOACTIVATE);
  move(600);
  const before = readControlState(key, 500);
  move(0);
  expect(stateChanges(before, readControlState(key, 500))).toEqual([]);
});

test.each([
  ['a hidden window without title and contents', () => make('STATIC', '', HIDDEN), false],
  ['a tooltip', () => make('tooltips_class32', 'Saves the file', HIDDEN), false],
  ['a hidden window with a title', () => make('STATIC', 'Find', HIDDEN), true],
  [
    'a hidden window with contents',
    () => user32.GetAncestor(make('BUTTON', 'OK', CHILD, make('STATIC', '', HIDDEN)), m.GA_PARENT),
    true,
  ],
] as const)('%s that is shown', (_what, hidden, counts) => {
  const shown = hidden();
  const { key, root, element } = bound();
  const before = look(key, root, { isWhole: false });
  const watch = new Watch(element, { kind: 'focus', read: () => undefined });
  user32.ShowWindow(shown, m.SW_SHOWNOACTIVATE);
  const opened = [differences(before, lookAgain(before, key)), watch.lookOutside()?.evidence ?? []];
  expect(opened.map((evidence) => evidence.map(({ kind }) => kind))).toEqual(
    counts ? [['window-opened'], ['window-opened']] : [[], []],
  );
  const open = look(key, root, { isWhole: false });
  user32.ShowWindow(shown, 0);
  expect(differences(open, lookAgain(open, key)).map(({ kind }) => kind)).toEqual(counts ? ['window-closed'] : []);
});
