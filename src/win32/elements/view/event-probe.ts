/**
 * Whether this system reports what happens to windows. Found out with two windows of our own, since systems differ in
 * what they send and no version number says so.
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_LOCATIONCHANGE,
  EVENT_OBJECT_SHOW,
  EVENT_OBJECT_STATECHANGE,
  SWP_NOACTIVATE,
  SWP_NOZORDER,
  SW_HIDE,
  SW_SHOWNOACTIVATE,
  WS_CHILD,
  WS_EX_NOACTIVATE,
  WS_EX_TOOLWINDOW,
  WS_POPUP,
  WS_VISIBLE,
} from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { WindowEvents } from './window-events.ts';

/** Outside every monitor, so that the windows are never seen. */
const AWAY = -32_000;

const make = (parent: number, style: number): number =>
  user32.CreateWindowExW(
    parent === 0 ? WS_EX_NOACTIVATE | WS_EX_TOOLWINDOW : 0,
    'Static',
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

function probe(): boolean {
  using events = new WindowEvents(process.pid);
  if (!events.isListening) return false;
  // Created visible, it would take the foreground on some systems.
  const top = make(0, WS_POPUP);
  if (top === 0) return false;
  try {
    user32.ShowWindow(top, SW_SHOWNOACTIVATE);
    const child = make(top, WS_CHILD | WS_VISIBLE);
    const reports = (expected: readonly number[], change: () => void): boolean => {
      events.take();
      change();
      const seen = events.take() ?? [];
      return expected.every((event) => seen.some((one) => one.event === event && one.hwnd === child));
    };
    return (
      child !== 0 &&
      (events.take() ?? []).some(({ event, hwnd }) => event === EVENT_OBJECT_CREATE && hwnd === child) &&
      reports([EVENT_OBJECT_LOCATIONCHANGE], () => {
        user32.SetWindowPos(child, 0, 1, 1, 2, 2, SWP_NOACTIVATE | SWP_NOZORDER);
      }) &&
      reports([EVENT_OBJECT_STATECHANGE], () => {
        user32.EnableWindow(child, false);
      }) &&
      reports([EVENT_OBJECT_HIDE], () => {
        user32.ShowWindow(child, SW_HIDE);
      }) &&
      reports([EVENT_OBJECT_SHOW], () => {
        user32.ShowWindow(child, SW_SHOWNOACTIVATE);
      })
    );
  } finally {
    user32.DestroyWindow(top);
  }
}

let known: boolean | undefined;

/** Whether creation, showing, hiding, moving and enabling of child windows are reported. Asked once in a process. */
export function reportsWindows(): boolean {
  return (known ??= probe());
}
