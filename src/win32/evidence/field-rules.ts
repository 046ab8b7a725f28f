/** What a system's own edit control takes, as far as its style and messages tell: named where a text does not fit. */
import { EM_GETLIMITTEXT, ES_MULTILINE, ES_NUMBER } from '../../../native-bindings/win32/constants.ts';
import type { Asker } from '../windows/ask.ts';
import { kindOfWindow, windowStyle } from '../windows/window-info.ts';

/** The rule of its style that a text breaks; null if it breaks none. */
export function brokenStyle(hwnd: number, text: string): string | null {
  const style = windowStyle(hwnd);
  if ((style & ES_MULTILINE) === 0 && /[\r\n]/.test(text)) return 'one line, and the text has line breaks';
  return (style & ES_NUMBER) !== 0 && kindOfWindow(hwnd) === 'edit' && /\D/.test(text) ? 'digits only' : null;
}

/** The most characters that it takes, where `length` are more; null otherwise, and for a rich edit. */
export function brokenLimit(hwnd: number, length: number, asker: Asker): string | null {
  const limit = kindOfWindow(hwnd) === 'edit' ? (asker.ask(hwnd, EM_GETLIMITTEXT) ?? 0) : 0;
  return limit > 0 && length > limit ? `at most ${limit} characters` : null;
}
