/** Any message to a fixture's window, as the fixture's own program would send it. */
import type { Pointer } from '../../../../native-bindings/library.ts';
import { SMTO_ABORTIFHUNG } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';

/** Null if there was no answer in time. */
export function sendWithin(
  hwnd: number,
  message: number,
  wParam: number,
  lParam: number | Pointer,
  milliseconds: number,
): number | null {
  const out = Buffer.alloc(8);
  const sent = user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, SMTO_ABORTIFHUNG, milliseconds, out);
  return sent === 0 ? null : Number(out.readBigInt64LE());
}
