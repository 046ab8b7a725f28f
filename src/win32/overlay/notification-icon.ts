/**
 * The icon in the notification area: what agents do now, and a menu that can only look, pause and stop. It has a thread of
 * its own, since an open menu keeps its thread, and cards must not wait for it.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';
import { NOTIFYICONDATAW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { wordsFor } from '../../contract/gate/card-words.ts';
import type { HostState } from '../../contract/gate/session-status.ts';
import { describeFault } from '../../contract/process/fault.ts';
import { becomePerMonitorAware } from '../windows/rects.ts';
import { MessagePump } from './message-pump.ts';
import { OwnWindow } from './own-window.ts';
import type { FromOverlayThread, IconChoice, ToOverlayThread } from './protocol.ts';
import { cursorPosition } from '../windows/witness.ts';

// The pictures of the notification icon: a form and a colour for each state, so that neither is needed alone.

/** Red, green and blue; read well on light and dark task bars. */
const COLOURS: Readonly<Record<HostState, readonly [number, number, number]>> = {
  idle: [0x8a, 0x94, 0xa6],
  acting: [0x2e, 0xa0, 0x43],
  waiting: [0xe0, 0x8a, 0x00],
  stopped: [0xd1, 0x24, 0x2f],
};

/** Whether a point of the unit square is part of the form: a ring, a disc, a triangle, a square. */
const FORMS: Readonly<Record<HostState, (x: number, y: number) => boolean>> = {
  idle: (x, y) => Math.abs(Math.hypot(x - 0.5, y - 0.5) - 0.34) < 0.1,
  acting: (x, y) => Math.hypot(x - 0.5, y - 0.5) < 0.44,
  waiting: (x, y) => y > 0.06 && y < 0.92 && Math.abs(x - 0.5) < (y - 0.06) * 0.56,
  stopped: (x, y) => Math.abs(x - 0.5) < 0.38 && Math.abs(y - 0.5) < 0.38,
};

/** Points in a pixel's side that are looked at, for smooth edges. */
const SAMPLES = 4;

/** Four bytes a pixel (blue, green, red, opacity), rows from the top. */
export function iconPixels(state: HostState, size: number): Buffer {
  const [red, green, blue] = COLOURS[state];
  const isInside = FORMS[state];
  const pixels = Buffer.alloc(size * size * 4);
  for (let at = 0; at < size * size; at += 1) {
    let hits = 0;
    for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
      const x = ((at % size) + ((sample % SAMPLES) + 0.5) / SAMPLES) / size;
      const y = (Math.floor(at / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size;
      if (isInside(x, y)) hits += 1;
    }
    pixels.set([blue, green, red, Math.round((hits / SAMPLES ** 2) * 255)], at * 4);
  }
  return pixels;
}

const ID = 1;
/** What the shell sends the window about the icon; the low word of lParam is the event. */
const FROM_ICON = m.WM_APP + 1;
/** Time between attempts to add the icon while there is no task bar. */
const RETRY_MS = 5000;
/** How often an open menu, whose loop is Windows' own, lets the thread read its mail. */
const MAIL_MS = 100;
/** In the order of the menu; its commands are their places, from 1. */
const CHOICES: readonly IconChoice[] = ['page', 'pause', 'stop'];

interface IconOptions {
  onChoice(choice: IconChoice): void;
  /** Called again and again while the menu is open. */
  whileOpen(): void;
  onFault(error: unknown): void;
}

/** The icon, once `show` was called with a state. A new task bar (its process was started again) gets it again. */
class NotificationIcon implements Disposable {
  readonly #options: IconOptions;
  readonly #words = wordsFor(kernel32.GetUserDefaultUILanguage()).icon;
  readonly #window: OwnWindow;
  readonly #taskBarCreated = user32.RegisterWindowMessageW('TaskbarCreated');
  #state: HostState | null = null;
  #picture = 0;
  #isAdded = false;
  #isOpen = false;

  constructor(options: IconOptions) {
    this.#options = options;
    this.#window = new OwnWindow({
      name: 'icon',
      title: 'uiahost',
      style: m.WS_POPUP,
      extendedStyle: m.WS_EX_TOOLWINDOW | m.WS_EX_NOACTIVATE,
      rect: { x: 0, y: 0, width: 0, height: 0 },
      onMessage: (_hwnd, message, wParam, lParam) => this.#onMessage(message, wParam, lParam),
      onFault: (error) => options.onFault(error),
    });
  }

  show(state: HostState | null): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === null) this.#remove();
    else this.#put();
  }

  /** Tries again where there was no task bar. */
  retry(): void {
    if (this.#state !== null && !this.#isAdded) this.#put();
  }

  /** Closes the menu, without a choice. */
  closeMenu(): void {
    if (this.#isOpen) user32.EndMenu();
  }

  [Symbol.dispose](): void {
    this.#remove();
    this.#window[Symbol.dispose]();
  }

  #onMessage(message: number, wParam: number, lParam: number): number | undefined {
    if (message === this.#taskBarCreated) {
      this.#isAdded = false;
      this.retry();
      return 0;
    }
    // Windows' own answer destroys the window.
    if (message === m.WM_CLOSE) return 0;
    if (message === m.WM_TIMER) {
      if (this.#isOpen) this.#options.whileOpen();
      return 0;
    }
    if (message !== FROM_ICON) return undefined;
    const event = lParam & 0xffff;
    if (event === m.WM_CONTEXTMENU || event === m.NIN_SELECT || event === m.NIN_KEYSELECT)
      this.#openMenu((wParam << 16) >> 16, wParam >> 16);
    return 0;
  }

  #put(): void {
    const { hwnd } = this.#window;
    const old = this.#picture;
    this.#picture = this.#draw();
    const data = NOTIFYICONDATAW.alloc({
      cbSize: NOTIFYICONDATAW.size,
      hWnd: hwnd,
      uID: ID,
      uFlags: m.NIF_MESSAGE | m.NIF_ICON | m.NIF_TIP | m.NIF_SHOWTIP,
      uCallbackMessage: FROM_ICON,
      hIcon: this.#picture,
      szTip: `uiahost: ${this.#words[this.#state ?? 'idle']}`,
      uVersion: m.NOTIFYICON_VERSION_4,
    });
    const isAdded = shell32.Shell_NotifyIconW(this.#isAdded ? m.NIM_MODIFY : m.NIM_ADD, data);
    if (isAdded && !this.#isAdded) shell32.Shell_NotifyIconW(m.NIM_SETVERSION, data);
    this.#isAdded = isAdded;
    if (old !== 0) user32.DestroyIcon(old);
  }

  #remove(): void {
    if (this.#isAdded) {
      const data = NOTIFYICONDATAW.alloc({ cbSize: NOTIFYICONDATAW.size, hWnd: this.#window.hwnd, uID: ID });
      shell32.Shell_NotifyIconW(m.NIM_DELETE, data);
    }
    this.#isAdded = false;
    if (this.#picture !== 0) user32.DestroyIcon(this.#picture);
    this.#picture = 0;
  }

  #draw(): number {
    const size = user32.GetSystemMetrics(m.SM_CXSMICON);
    // The opacity is in the colours; a mask of zeros hides nothing.
    const mask = Buffer.alloc(Math.ceil(size / 16) * 2 * size);
    const colours = iconPixels(this.#state ?? 'idle', size);
    return user32.CreateIcon(kernel32.GetModuleHandleW(null), size, size, 1, 32, mask, colours);
  }

  /**
   * A program can choose here as a person can: so nothing here gives agents more than they have. Source for the foreground
   * and WM_NULL: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-trackpopupmenu#remarks
   */
  #openMenu(x: number, y: number): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { hwnd } = this.#window;
    const menu = user32.CreatePopupMenu();
    const timer = user32.SetTimer(hwnd, ID, MAIL_MS, null);
    const isStopped = this.#state === 'stopped';
    try {
      for (const [index, choice] of CHOICES.entries()) {
        const isUseless = isStopped && choice !== 'page';
        user32.AppendMenuW(menu, m.MF_STRING | (isUseless ? m.MF_GRAYED : 0), index + 1, this.#words[choice]);
      }
      user32.SetForegroundWindow(hwnd);
      const at = (x === 0 && y === 0 ? cursorPosition() : null) ?? { x, y };
      const flags = m.TPM_RETURNCMD | m.TPM_NONOTIFY | m.TPM_RIGHTBUTTON;
      const chosen = CHOICES[user32.TrackPopupMenu(menu, flags, at.x, at.y, 0, hwnd, null) - 1];
      user32.PostMessageW(hwnd, m.WM_NULL, 0, 0);
      if (chosen !== undefined) this.#options.onChoice(chosen);
    } finally {
      this.#isOpen = false;
      user32.KillTimer(hwnd, timer);
      user32.DestroyMenu(menu);
    }
  }
}

/** Runs the icon's thread, as `runOverlayThread` runs that of the cards. Ends with the message `exit`. */
export function runIconThread(port: MessagePort): void {
  const tell = (message: FromOverlayThread): void => port.postMessage(message);
  const fault = (error: unknown): void => tell({ kind: 'log', level: 'warn', message: describeFault(error) });
  becomePerMonitorAware();
  using pump = new MessagePump(fault);
  using icon = new NotificationIcon({
    onChoice: (choice) => tell({ kind: 'icon-chosen', choice }),
    whileOpen: () => readMail(),
    onFault: fault,
  });
  pump.every(RETRY_MS, () => icon.retry());
  function readMail(): void {
    for (let mail = receiveMessageOnPort(port); mail !== undefined; mail = receiveMessageOnPort(port)) {
      const message = mail.message as ToOverlayThread;
      if (message.kind === 'icon') icon.show(message.state);
      else if (message.kind === 'exit') {
        pump.end();
        icon.closeMenu();
      }
    }
  }
  tell({ kind: 'wake-handle', handle: pump.wakeHandle });
  pump.run(readMail, () => {});
}
