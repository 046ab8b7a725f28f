/** Whether a window's thread processes messages. */
import { SMTO_ABORTIFHUNG, WM_NULL } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

/**
 * Whether the window's thread processes messages, tested on another thread so that this one does not wait. False after `withinMs`.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw
 */
export async function answers(hwnd: number, withinMs: number): Promise<boolean> {
  const result = Buffer.alloc(8);
  return (
    (await user32.SendMessageTimeoutW.async(
      hwnd,
      WM_NULL,
      0,
      0,
      SMTO_ABORTIFHUNG, // returns at once if Windows already considers the thread hung
      Math.max(1, Math.round(withinMs)),
      result,
    )) !== 0
  );
}
