/** Commands in the menus of live windows. Menus of this process can be read on every system; Wine reads no others. */
import { expect, it } from 'vitest';
import { bindLibrary, fn } from '../../../../native-bindings/library.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { commandState } from '../../../../src/win32/input/accelerators.ts';
import { chosenEntry, closedPath, requireJudgedItem } from '../../../../src/win32/acting/intended-item.ts';
import { pathParts, type PathPart } from '../../../../src/contract/element/element-words.ts';
import { menuCommand } from '../../../../src/win32/elements/finding/menu-path.ts';
import { Fixture } from '../support/programs.ts';
import { wordsOf } from '../../../support/words.ts';

const menus = bindLibrary('user32.dll', {
  CreateMenu: fn('handle', []),
  CreatePopupMenu: fn('handle', []),
  AppendMenuW: fn('bool', ['handle menu', 'uint32 flags', 'uintptr item', 'str16 text']),
  SetMenu: fn('bool', ['hwnd window', 'handle menu']),
});
const [MF_GRAYED, MF_POPUP] = [0x1, 0x10];
const WS_OVERLAPPEDWINDOW = 0x00cf_0000;

function windowForMenu(): number {
  const place = [10, 10, 300, 200] as const;
  const window = user32.CreateWindowExW(0, 'STATIC', 'With a menu', WS_OVERLAPPEDWINDOW, ...place, 0, 0, 0, null);
  expect(window).not.toBe(0);
  return window;
}

it('an entry is enabled, disabled by itself or with the menu that it is in, or not there', () => {
  const window = windowForMenu();
  try {
    const [bar, file, off] = [menus.CreateMenu(), menus.CreatePopupMenu(), menus.CreatePopupMenu()];
    menus.AppendMenuW(file, 0, 100, '&Save\tCtrl+S');
    menus.AppendMenuW(file, MF_GRAYED, 101, '&Print\tCtrl+P');
    menus.AppendMenuW(off, 0, 102, 'Inside');
    menus.AppendMenuW(bar, MF_POPUP, file, '&File');
    menus.AppendMenuW(bar, MF_POPUP | MF_GRAYED, off, '&Off');
    menus.SetMenu(window, bar);
    expect([100, 101, 102, 200].map((command) => commandState(window, command))).toEqual(wordsOf`
      enabled disabled disabled absent
    `);
  } finally {
    user32.DestroyWindow(window);
  }
});

const pathOf = (...names: string[]): PathPart[] => pathParts(names.join(' > '));

it('[gate.chosen] a closed menu shows every entry on the way; the command that is found when it opens is compared with it', () => {
  const window = windowForMenu();
  try {
    const [bar, file, more] = [menus.CreateMenu(), menus.CreatePopupMenu(), menus.CreatePopupMenu()];
    menus.AppendMenuW(file, 0, 100, '&Save…\tCtrl+S');
    menus.AppendMenuW(more, 0, 101, '&Delete.all');
    menus.AppendMenuW(file, MF_POPUP, more, '&More');
    menus.AppendMenuW(bar, MF_POPUP, file, '&File');
    menus.SetMenu(window, bar);
    const names = (path: string[]): unknown =>
      closedPath(window, pathOf(...path))?.map(({ controlType, name }) => `${controlType} ${name}`) ?? null;
    expect(names(['file', 'save'])).toEqual(['MenuItem File', 'MenuItem Save…']);
    expect(names(['File', 'More', 'Delete.all'])).toEqual(['MenuItem File', 'MenuItem More', 'MenuItem Delete.all']);
    // A part of a name, and what is not there before the menu opens.
    for (const path of [
      ['Fi', 'Save'],
      ['File', 'Sa'],
      ['File', 'More', 'Del'],
      ['File', 'Print'],
    ])
      expect(names(path), path.join('>')).toBeNull();
    const judged = closedPath(window, pathOf('File', 'Save'))!;
    const { command, way } = menuCommand(window, pathOf('File', 'Save…'));
    expect(command).toBe(100);
    expect(() => {
      requireJudgedItem('the menu', { name: 'File > Save', judged }, way.map(chosenEntry));
    }).not.toThrow();
    const swapped = menuCommand(window, pathOf('File', 'More', 'Delete.all')).way.map(chosenEntry);
    expect(() => {
      requireJudgedItem('the menu', { name: 'File > More > x', judged: [...judged, judged[0]!] }, swapped);
    }).toThrow(/changed after it was judged/);
  } finally {
    user32.DestroyWindow(window);
  }
});

it('a window without a menu bar has no command; a menu that cannot be read is a separate case', async () => {
  await using plain = await Fixture.start('dialogs');
  expect(commandState(plain.hwnd, 100)).toBe('absent');
  await using controls = await Fixture.start('controls');
  // Where menus of other programs can be read, it says that there is no such command.
  const isReadable = user32.GetMenuItemCount(user32.GetMenu(controls.hwnd)) > 0;
  expect(commandState(controls.hwnd, 0xfff0)).toBe(isReadable ? 'absent' : 'unknown');
});
