/** Closing a window as its close button does, and the result. */
import { ERROR_ACCESS_DENIED, GW_ENABLEDPOPUP, WM_CLOSE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext } from '../../desktop/call.ts';
import { waitUntil } from './waiting.ts';
import { topWindowsOf, windowText } from './window-info.ts';
import { windowProcess } from './handle.ts';

export type CloseResult =
  | { readonly kind: 'gone' }
  /** A window that opened in response, such as “save changes?”. */
  | { readonly kind: 'dialog'; readonly hwnd: number; readonly title: string }
  /** Still exists but is no longer visible: many programs go to the notification area instead. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'open' };

/**
 * Posts WM_CLOSE, as the close button does, and waits for the result. A dialog that was open before is reported as well
 * if it keeps the window disabled.
 * Source: learn.microsoft.com/windows/win32/winmsg/wm-close
 */
export async function closeWindow(hwnd: number, withinMs: number, call: CallContext): Promise<CloseResult> {
  const pid = windowProcess(hwnd);
  const before = new Set(topWindowsOf(pid));
  if (!user32.PostMessageW(hwnd, WM_CLOSE, 0, 0)) {
    if (kernel32.GetLastError() === ERROR_ACCESS_DENIED) {
      throw new UiaHostError(
        'target_elevated',
        'Windows refused the message: the window runs with more rights than the host.',
      );
    }
    if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  }
  const seen = await waitUntil<CloseResult>(
    () => {
      if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
      // A closing window is disabled or hidden for a moment, so only a new window of its process counts here.
      for (const other of topWindowsOf(pid)) {
        if (other !== hwnd && !before.has(other) && user32.IsWindowEnabled(other))
          return { kind: 'dialog', hwnd: other, title: windowText(other) };
      }
      return null;
    },
    { withinMs, everyMs: 15, call, delivery: 'delivered' },
  );
  if (seen !== null) return seen;
  const popup = user32.GetWindow(hwnd, GW_ENABLEDPOPUP);
  if (popup !== 0 && popup !== hwnd && user32.IsWindowVisible(popup))
    return { kind: 'dialog', hwnd: popup, title: windowText(popup) };
  if (!user32.IsWindow(hwnd)) return { kind: 'gone' };
  return { kind: user32.IsWindowVisible(hwnd) ? 'open' : 'hidden' };
}
