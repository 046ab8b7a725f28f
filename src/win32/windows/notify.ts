/** Sends commands and notifications of a control to its parent without waiting for them to finish. */
import { WM_NULL } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf } from './handle.ts';

/**
 * Makes a program's message loop run once more. A sent message is handled while the loop waits for the next posted one:
 * a loop that checks only afterwards whether its dialog must close (property sheets, many custom dialogs) would keep
 * waiting. The thread gets a message too, since one posted to a window is lost with that window. Neither has any other
 * effect. Source: learn.microsoft.com/windows/win32/winmsg/wm-null
 */
export function wakeLoop(hwnd: number, thread: number = threadOf(hwnd).thread): void {
  if (thread === 0) return;
  user32.PostMessageW(hwnd, WM_NULL, 0, 0);
  user32.PostThreadMessageW(thread, WM_NULL, 0, 0);
}

/**
 * A message whose handler may open a dialog and return only when that is closed. False if Windows does not accept it.
 */
export function notify(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  const { thread } = threadOf(hwnd);
  const isSent = user32.SendNotifyMessageW(hwnd, message, wParam, lParam);
  if (isSent) wakeLoop(hwnd, thread);
  return isSent;
}
