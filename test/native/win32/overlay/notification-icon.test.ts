/** The icon in the notification area, by a real shell: it is there, and its menu chooses. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { shell32 } from '../../../../native-bindings/win32/shell32.ts';
import { NOTIFYICONDATAW } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import {
  MF_BYPOSITION,
  MF_GRAYED,
  NIM_DELETE,
  NIM_MODIFY,
  VK_DOWN,
  VK_ESCAPE,
  VK_RETURN,
  WM_APP,
  WM_CLOSE,
  WM_COMMAND,
  WM_CONTEXTMENU,
  WM_KEYDOWN,
  WM_NULL,
  WM_QUIT,
} from '../../../../native-bindings/win32/constants.ts';
import type { HostState } from '../../../../src/contract/gate/session-status.ts';
import type { FromOverlayThread, ToOverlayThread } from '../../../../src/win32/overlay/protocol.ts';
import { classNameOf, topLevelWindows, windowProcess } from '../../../../src/win32/windows/window-info.ts';
import { until } from '../../../support/until.ts';

const MENU = '#32768';
const MN_GETHMENU = 0x01e1;
const MF_HILITE = 0x80;
const WM_SYSCOMMAND = 0x0112;
const WM_MENUCOMMAND = 0x0126;
const HWND_BROADCAST = 0xffff;
const SMTO_NORMAL = 0;

interface Icon extends AsyncDisposable {
  readonly said: FromOverlayThread[];
  readonly hwnd: number;
  show(state: HostState | null): void;
  /** Whether the shell knows it. */
  isThere(): boolean;
}

const own = (prefix: string): number | undefined =>
  topLevelWindows().find((hwnd) => windowProcess(hwnd) === process.pid && classNameOf(hwnd).startsWith(prefix));

let ended: Promise<unknown> = Promise.resolve();
afterEach(() => ended);

async function start(): Promise<Icon> {
  const thread = new Worker(new URL('./icon-thread.mjs', import.meta.url));
  const said: FromOverlayThread[] = [];
  let wake = 0;
  thread.on('message', (message: FromOverlayThread) => {
    if (message.kind === 'wake-handle') wake = message.handle;
    else said.push(message);
  });
  ended = new Promise((resolve) => thread.once('exit', resolve));
  const post = (message: ToOverlayThread): void => {
    thread.postMessage(message);
    kernel32.SetEvent(wake);
  };
  await until(() => wake !== 0, 'the thread');
  const hwnd = await until(() => own(`uiahost-icon-${process.pid}-`), 'the window of the icon');
  return {
    said,
    hwnd,
    show: (state) => post({ kind: 'icon', state }),
    isThere: () =>
      shell32.Shell_NotifyIconW(
        NIM_MODIFY,
        NOTIFYICONDATAW.alloc({ cbSize: NOTIFYICONDATAW.size, hWnd: hwnd, uID: 1 }),
      ),
    async [Symbol.asyncDispose]() {
      post({ kind: 'exit' });
      await ended;
    },
  };
}

/** Opens the menu as the shell does, at its icon. Its items, and whether each can be chosen. */
async function open(
  icon: Icon,
): Promise<{ readonly menu: number; readonly items: ReadonlyArray<readonly [string, boolean]> }> {
  user32.PostMessageW(icon.hwnd, WM_APP + 1, (60 << 16) | 40, WM_CONTEXTMENU);
  const window = await until(() => {
    const found = own(MENU);
    return found !== undefined && user32.IsWindowVisible(found) && found;
  }, 'the menu');
  const menu = Number(user32.SendMessageW(window, MN_GETHMENU, 0, 0));
  const text = Buffer.alloc(256);
  const items = Array.from({ length: user32.GetMenuItemCount(menu) }, (_, at) => {
    const length = user32.GetMenuStringW(menu, at, text, 128, MF_BYPOSITION);
    return [
      text.toString('utf16le', 0, length * 2),
      (user32.GetMenuState(menu, at, MF_BYPOSITION) & MF_GRAYED) === 0,
    ] as const;
  });
  return { menu, items };
}

const isClosed = () => until(() => own(MENU) === undefined, 'the end of the menu');

/** Goes down to an item and presses Enter on it. */
async function choose(icon: Icon, at: number): Promise<void> {
  const { menu } = await open(icon);
  await until(() => {
    if ((user32.GetMenuState(menu, at, MF_BYPOSITION) & MF_HILITE) !== 0) return true;
    user32.PostMessageW(icon.hwnd, WM_KEYDOWN, VK_DOWN, 0);
    return false;
  }, 'the item');
  user32.PostMessageW(icon.hwnd, WM_KEYDOWN, VK_RETURN, 0);
  await isClosed();
}

const chosen = (icon: Icon) => icon.said.flatMap((each) => (each.kind === 'icon-chosen' ? [each.choice] : []));

test('[icon.menu] is there in each state, and its menu opens the page, pauses and stops', async () => {
  await using icon = await start();
  expect(icon.isThere()).toBe(false);
  for (const state of ['idle', 'acting', 'waiting'] as const) {
    icon.show(state);
    await until(() => icon.isThere(), `the icon: ${state}`);
  }
  const { items } = await open(icon);
  expect(items).toEqual([
    ['Open the page', true],
    ['Pause all agents', true],
    ['Stop everything', true],
  ]);
  user32.PostMessageW(icon.hwnd, WM_KEYDOWN, VK_ESCAPE, 0);
  await isClosed();
  expect(chosen(icon)).toEqual([]);
  for (const at of [0, 1, 2]) {
    await choose(icon, at);
    await until(() => chosen(icon).length > at, 'the choice');
  }
  expect(chosen(icon)).toEqual(['page', 'pause', 'stop']);

  // Where all is stopped, there is nothing to pause or stop.
  icon.show('stopped');
  await until(
    async () => {
      const now = await open(icon);
      user32.PostMessageW(icon.hwnd, WM_KEYDOWN, VK_ESCAPE, 0);
      await isClosed();
      return now.items.map(([, canBeChosen]) => canBeChosen);
    },
    (able) => able.join() === 'true,false,false',
  );

  icon.show(null);
  await until(() => !icon.isThere(), 'the end of the icon');
  expect(icon.said.filter(({ kind }) => kind === 'log')).toEqual([]);
});

test('comes back when the task bar starts again, and goes with its host', async () => {
  const icon = await start();
  icon.show('acting');
  await until(() => icon.isThere(), 'the icon');
  // A task bar that starts again knows no icons, and tells every window.
  const data = NOTIFYICONDATAW.alloc({ cbSize: NOTIFYICONDATAW.size, hWnd: icon.hwnd, uID: 1 });
  expect(shell32.Shell_NotifyIconW(NIM_DELETE, data)).toBe(true);
  expect(icon.isThere()).toBe(false);
  user32.PostMessageW(HWND_BROADCAST, user32.RegisterWindowMessageW('TaskbarCreated'), 0, 0);
  await until(() => icon.isThere(), 'the icon again');
  await icon[Symbol.asyncDispose]();
  expect(icon.isThere()).toBe(false);
  expect(user32.IsWindow(icon.hwnd)).toBe(false);
});

test('goes with its host while its menu is open', async () => {
  const icon = await start();
  icon.show('idle');
  await until(() => icon.isThere(), 'the icon');
  await open(icon);
  icon.show('stopped');
  await icon[Symbol.asyncDispose]();
  expect(own(MENU)).toBeUndefined();
  expect(icon.isThere()).toBe(false);
  expect(chosen(icon)).toEqual([]);
});

test('[icon.menu] nothing that a program posts to its window chooses without the menu', async () => {
  await using icon = await start();
  icon.show('idle');
  await until(() => icon.isThere(), 'the icon');
  for (const message of [WM_COMMAND, WM_SYSCOMMAND, WM_MENUCOMMAND, WM_CLOSE, WM_QUIT, WM_APP, WM_APP + 1, WM_APP + 2])
    for (const value of [1, 2, 3]) user32.PostMessageW(icon.hwnd, message, value, value);
  // Handled after them.
  user32.SendMessageTimeoutW(icon.hwnd, WM_NULL, 0, 0, SMTO_NORMAL, 5000, null);
  await choose(icon, 0);
  await until(() => chosen(icon).length > 0, 'the choice');
  expect(chosen(icon)).toEqual(['page']);
  expect(icon.isThere()).toBe(true);
});
