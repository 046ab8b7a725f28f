/** Commands and notifications of a control, sent to its parent's program without waiting for their end. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf } from '../windows/ask.ts';

const WM_NULL = 0x0000;

/**
 * Lets a program's message loop come round once more. A sent message is handled while the loop waits for the next posted
 * one: a loop that looks afterwards whether its dialog is to end (a property sheet's, many of programs' own) would wait on.
 * The thread gets one too, since what waits for a window goes with it. Neither has any other effect.
 * Source: learn.microsoft.com/windows/win32/winmsg/wm-null
 */
export function wakeLoop(hwnd: number, thread: number = threadOf(hwnd).thread): void {
  if (thread === 0) return;
  user32.PostMessageW(hwnd, WM_NULL, 0, 0);
  user32.PostThreadMessageW(thread, WM_NULL, 0, 0);
}

/** A message whose handler may open a dialog and return only when that is closed. False where Windows does not take it. */
export function notify(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  const { thread } = threadOf(hwnd);
  const isSent = user32.SendNotifyMessageW(hwnd, message, wParam, lParam);
  if (isSent) wakeLoop(hwnd, thread);
  return isSent;
}
