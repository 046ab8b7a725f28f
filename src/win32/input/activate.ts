/** Brings a window to the foreground when the caller asks for it. */
import { GA_ROOTOWNER, SW_RESTORE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { CallContext } from '../../desktop/call.ts';
import { requestForeground, requestShow } from '../exits/windows.ts';
import { noteInjected } from '../windows/person.ts';
import { waitUntil } from '../windows/waiting.ts';

/** Whether the window, or a dialog it owns, is in the foreground. */
function hasForeground(hwnd: number): boolean {
  const foreground = user32.GetForegroundWindow();
  return foreground !== 0 && (foreground === hwnd || user32.GetAncestor(foreground, GA_ROOTOWNER) === hwnd);
}

/**
 * Asks for the foreground once and checks whether it was granted. Windows refuses it to programs that did not receive
 * the last input; nothing is done to get round that. A minimised window is restored, since it would not be visible
 * otherwise.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow (remarks)
 */
export async function takeForeground(hwnd: number, withinMs: number, call: CallContext): Promise<boolean> {
  if (user32.IsIconic(hwnd)) requestShow(hwnd, SW_RESTORE);
  else if (hasForeground(hwnd)) {
    // it may lie below a window that came up without it
    if (user32.GetForegroundWindow() === hwnd) requestForeground(hwnd);
    return true;
  }
  requestForeground(hwnd);
  const obtained = await waitUntil(() => (hasForeground(hwnd) && !user32.IsIconic(hwnd) ? true : null), {
    withinMs,
    everyMs: 10,
    call,
    delivery: 'unknown',
  });
  // A window that appears under the pointer may count as input; that was us, not a person.
  noteInjected();
  return obtained !== null;
}
