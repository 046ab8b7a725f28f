/** The icon in the notification area, by a real shell: it is there, and its menu chooses. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { shell32 } from '../../../../native-bindings/win32/shell32.ts';
import { NOTIFYICONDATAW } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import {
  NIM_MODIFY,
  VK_DOWN,
  VK_ESCAPE,
  VK_RETURN,
  WM_APP,
  WM_CONTEXTMENU,
  WM_KEYDOWN,
} from '../../../../native-bindings/win32/constants.ts';
import type { HostState } from '../../../../src/contract/process/host-state.ts';
import type { FromOverlayThread, ToOverlayThread } from '../../../../src/win32/overlay/protocol.ts';
import { classNameOf, topLevelWindows, windowProcess } from '../../../../src/win32/windows/window-info.ts';
import { until } from '../../../support/until.ts';

const MENU = '#32768';

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

/** Opens the menu as the shell does, and presses keys in it. */
async function press(icon: Icon, keys: readonly number[]): Promise<void> {
  user32.PostMessageW(icon.hwnd, WM_APP + 1, (60 << 16) | 40, WM_CONTEXTMENU);
  await until(() => own(MENU), 'the menu');
  for (const key of keys) user32.PostMessageW(icon.hwnd, WM_KEYDOWN, key, 0);
  await until(() => own(MENU) === undefined, 'the end of the menu');
}

test('[icon.states] [icon.menu] is there in each state, and its menu opens the page, pauses and stops', async () => {
  await using icon = await start();
  expect(icon.isThere()).toBe(false);
  for (const state of ['idle', 'acting', 'waiting'] as const) {
    icon.show(state);
    await until(() => icon.isThere(), `the icon: ${state}`);
  }
  for (const [downs, choice] of [
    [1, 'page'],
    [2, 'pause'],
    [3, 'stop'],
  ] as const) {
    await press(icon, [...Array.from({ length: downs }, () => VK_DOWN), VK_RETURN]);
    await until(() => icon.said.at(-1)?.kind === 'icon-chosen' || undefined, choice);
    expect(icon.said.at(-1)).toEqual({ kind: 'icon-chosen', choice });
  }
  const before = icon.said.length;
  await press(icon, [VK_ESCAPE]);
  expect(icon.said).toHaveLength(before);
  // Where all is stopped, there is nothing to pause or stop.
  icon.show('stopped');
  await until(() => icon.isThere(), 'the icon: stopped');
  await press(icon, [VK_DOWN, VK_DOWN, VK_DOWN, VK_RETURN, VK_ESCAPE]);
  expect(icon.said.slice(before).filter((each) => each.kind === 'icon-chosen' && each.choice !== 'page')).toEqual([]);
  icon.show(null);
  await until(() => !icon.isThere(), 'the end of the icon');
  expect(icon.said.filter(({ kind }) => kind === 'log')).toEqual([]);
});
