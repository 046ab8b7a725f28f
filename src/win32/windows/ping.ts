import { user32 } from '../../../native-bindings/win32/user32.ts';

const WM_NULL = 0;
/** Returns at once where Windows already considers the thread hung. */
const SMTO_ABORTIFHUNG = 0x0002;

/**
 * Whether the window's thread takes messages, asked on another thread so that nothing here waits. False after `withinMs`.
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
      SMTO_ABORTIFHUNG,
      Math.max(1, Math.round(withinMs)),
      result,
    )) !== 0
  );
}
