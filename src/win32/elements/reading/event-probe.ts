/**
 * What this system reports of windows and of standard controls. Found out with windows of our own, since systems differ
 * in what they send and no version number says so.
 */
import {
  BM_SETCHECK,
  BM_SETSTYLE,
  BST_CHECKED,
  BS_AUTO3STATE,
  BS_AUTOCHECKBOX,
  BS_AUTORADIOBUTTON,
  BS_CHECKBOX,
  BS_DEFPUSHBUTTON,
  BS_PUSHBUTTON,
  BS_RADIOBUTTON,
  EM_REPLACESEL,
  EM_SETSEL,
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_LOCATIONCHANGE,
  EVENT_OBJECT_SHOW,
  EVENT_OBJECT_STATECHANGE,
  SWP_NOACTIVATE,
  SWP_NOZORDER,
  SW_HIDE,
  SW_SHOWNOACTIVATE,
  WM_CHAR,
  WM_SETTEXT,
  WS_CHILD,
  WS_EX_NOACTIVATE,
  WS_EX_TOOLWINDOW,
  WS_POPUP,
  WS_VISIBLE,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { sendWithin } from '../../windows/ask.ts';
import { WindowEvents } from './window-events.ts';

/** Outside every monitor, so that the windows are never seen. */
const AWAY = -32_000;
/** A message to a window of this thread is answered at once. */
const OWN_MS = 1000;

const make = (parent: number, style: number, className = 'Static'): number =>
  user32.CreateWindowExW(
    parent === 0 ? WS_EX_NOACTIVATE | WS_EX_TOOLWINDOW : 0,
    className,
    '',
    style,
    parent === 0 ? AWAY : 0,
    parent === 0 ? AWAY : 0,
    1,
    1,
    parent,
    0,
    0,
    null,
  );

const send = (hwnd: number, message: number, wParam = 0, text: string | number = 0): void => {
  const lParam = typeof text === 'number' ? text : Buffer.from(`${text}\0`, 'utf16le');
  sendWithin(hwnd, message, wParam, lParam, OWN_MS);
};

/** What a standard control shows, as far as a system may report it. */
export type Content = 'static-text' | 'button-text' | 'button-style' | 'check' | 'edit-value';

/** One control and a way to change what it shows; the system has to report every one of them. */
interface Trial {
  readonly className: string;
  readonly style: number;
  readonly change: (hwnd: number) => void;
}

const rename = (hwnd: number): void => {
  send(hwnd, WM_SETTEXT, 0, 'renamed');
};
const tick = (hwnd: number): void => {
  send(hwnd, BM_SETCHECK, BST_CHECKED);
};
const typed = (change: (hwnd: number) => void): Trial => ({ className: 'Edit', style: 0, change });

const TRIALS: Readonly<Record<Content, readonly Trial[]>> = {
  'static-text': [{ className: 'Static', style: 0, change: rename }],
  'button-text': [BS_PUSHBUTTON, BS_AUTOCHECKBOX].map((style) => ({ className: 'Button', style, change: rename })),
  'button-style': [
    {
      className: 'Button',
      style: BS_PUSHBUTTON,
      change: (hwnd) => {
        send(hwnd, BM_SETSTYLE, BS_DEFPUSHBUTTON);
      },
    },
  ],
  check: [BS_CHECKBOX, BS_AUTOCHECKBOX, BS_AUTO3STATE, BS_RADIOBUTTON, BS_AUTORADIOBUTTON].map((style) => ({
    className: 'Button',
    style,
    change: tick,
  })),
  'edit-value': [
    typed(rename),
    typed((hwnd) => {
      send(hwnd, WM_CHAR, 0x78);
    }),
    typed((hwnd) => {
      send(hwnd, EM_SETSEL, 0, -1);
      send(hwnd, EM_REPLACESEL, 1, 'replaced');
    }),
  ],
};

interface Found {
  readonly windows: boolean;
  readonly content: ReadonlySet<Content>;
}

const NOTHING: Found = { windows: false, content: new Set() };

function probe(): Found {
  using events = new WindowEvents(process.pid);
  if (!events.isListening) return NOTHING;
  // Created visible, it would take the foreground on some systems.
  const top = make(0, WS_POPUP);
  if (top === 0) return NOTHING;
  try {
    user32.ShowWindow(top, SW_SHOWNOACTIVATE);
    const windows = reportsPlaces(events, top);
    return { windows, content: windows ? reportedContent(events, top) : new Set() };
  } finally {
    user32.DestroyWindow(top);
  }
}

function reportsPlaces(events: WindowEvents, top: number): boolean {
  const child = make(top, WS_CHILD | WS_VISIBLE);
  const reports = (expected: number, change: () => void): boolean => {
    events.take();
    change();
    return (events.take()?.events ?? []).some(({ event, hwnd }) => event === expected && hwnd === child);
  };
  return (
    child !== 0 &&
    (events.take()?.events ?? []).some(({ event, hwnd }) => event === EVENT_OBJECT_CREATE && hwnd === child) &&
    reports(EVENT_OBJECT_LOCATIONCHANGE, () => {
      user32.SetWindowPos(child, 0, 1, 1, 2, 2, SWP_NOACTIVATE | SWP_NOZORDER);
    }) &&
    reports(EVENT_OBJECT_STATECHANGE, () => {
      user32.EnableWindow(child, false);
    }) &&
    reports(EVENT_OBJECT_HIDE, () => {
      user32.ShowWindow(child, SW_HIDE);
    }) &&
    reports(EVENT_OBJECT_SHOW, () => {
      user32.ShowWindow(child, SW_SHOWNOACTIVATE);
    })
  );
}

function reportedContent(events: WindowEvents, top: number): Set<Content> {
  const reports = ({ className, style, change }: Trial): boolean => {
    const control = make(top, WS_CHILD | WS_VISIBLE | style, className);
    if (control === 0) return false;
    events.take();
    change(control);
    const isReported = events.take()?.content.has(control) === true;
    user32.DestroyWindow(control);
    return isReported;
  };
  return new Set((Object.keys(TRIALS) as Content[]).filter((content) => TRIALS[content].every(reports)));
}

let known: Found | undefined;

/** Whether creation, showing, hiding, moving and enabling of child windows are reported. Asked once in a process. */
export function reportsWindows(): boolean {
  return (known ??= probe()).windows;
}

/** Whether it is reported that standard controls show something else. */
export function reportsContent(content: Content): boolean {
  return (known ??= probe()).content.has(content);
}
