/** How messages name a window: by what Windows keeps, without waiting for its program. */
import { GWLP_ID, GW_CHILD, WS_CHILD } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { controlTypeOf } from '../../windows/classes.ts';
import { kindOfWindow, windowText, windowStyle } from '../../windows/window-info.ts';
import { withoutAccelerator } from '../../../contract/element/element-words.ts';
import { quoted } from '../../../contract/json/quoted.ts';

const LENGTH = 80;

/** `Button “Back”`; `Edit id=1152` if it has no text. */
export function windowName(hwnd: number): string {
  if (!user32.IsWindow(hwnd)) return 'a window that is gone';
  const style = windowStyle(hwnd);
  const isTop = (style & WS_CHILD) === 0;
  const role = isTop ? 'Window' : controlTypeOf(kindOfWindow(hwnd), style, user32.GetWindow(hwnd, GW_CHILD) !== 0);
  // Text typed into a field is not its name.
  const name = role === 'Edit' || role === 'Document' ? '' : withoutAccelerator(windowText(hwnd)).slice(0, LENGTH);
  const id = isTop ? 0 : user32.GetWindowLongPtrW(hwnd, GWLP_ID) & 0xffff;
  return name === '' ? `${role}${id === 0 || id === 0xffff ? '' : ` id=${id}`}` : `${role} ${quoted(name)}`;
}
