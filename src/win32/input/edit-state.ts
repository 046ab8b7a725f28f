import { addressOf } from '../../../native-bindings/library.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { Asker } from '../uia/ask.ts';
import { classNameOf } from '../uia/window-info.ts';
import type { KeyTarget } from './text-target.ts';

const EM_GETSEL = 0x00b0;
const ES_PASSWORD = 0x0020;
const GWL_STYLE = -16;
/** Longer texts are not compared: reading them would take longer than typing. */
const MOST_COMPARED = 200_000;

/** Text and selection of an edit control, in UTF-16 units; null for other windows, for passwords and where nobody answers. */
export interface EditState {
  readonly text: string;
  /** Places in `text`, however the control counts. */
  readonly start: number;
  readonly end: number;
}

export function isPasswordEdit(hwnd: number): boolean {
  return (user32.GetWindowLongPtrW(hwnd, GWL_STYLE) & ES_PASSWORD) !== 0;
}

/** Rich edits of version 1 count as edits do; frameworks keep the class's name within their own. */
const FIRST_RICH_EDIT = /(?:^|[.:])richedit(?:\.|$)/i;

/** Source: learn.microsoft.com/windows/win32/controls/about-rich-edit-controls: since version 2 a paragraph ends with one CR, which WM_GETTEXT tells as CRLF. */
const countsLineEndAsOne = ({ kind, hwnd }: KeyTarget): boolean => kind === 'rich-edit' && !FIRST_RICH_EDIT.test(classNameOf(hwnd));

/** A position that counts each line's end as one character, as a place in the text that has CRLF there. */
export function placeInText(text: string, position: number): number {
  let place = 0;
  for (let counted = 0; counted < position && place < text.length; counted += 1) place += text.startsWith('\r\n', place) ? 2 : 1;
  return place;
}

/** Source: learn.microsoft.com/windows/win32/controls/em-getsel */
export function readEditState(target: KeyTarget, budgetMs: number): EditState | null {
  if ((target.kind !== 'edit' && target.kind !== 'rich-edit') || isPasswordEdit(target.hwnd)) return null;
  const asker = new Asker(budgetMs);
  const text = asker.text(target.hwnd);
  if (text === null || text.length > MOST_COMPARED) return null;
  const selection = Buffer.alloc(8);
  if (asker.ask(target.hwnd, EM_GETSEL, addressOf(selection), addressOf(selection) + 4n) === null) return null;
  const [start, end] = [selection.readUInt32LE(0), selection.readUInt32LE(4)];
  return countsLineEndAsOne(target) ? { text, start: placeInText(text, start), end: placeInText(text, end) } : { text, start, end };
}

/** What the control should hold after `typed` replaced the selection: edit controls keep line ends as CRLF. */
export function expectedAfter(before: EditState, typed: string): string {
  const lines = typed.replaceAll(/\r\n|\r|\n/g, '\r\n');
  return before.text.slice(0, before.start) + lines + before.text.slice(before.end);
}

/** Same text but for the control's own line ends. */
export function sameLines(a: string, b: string): boolean {
  return a.replaceAll(/\r\n|\r/g, '\n') === b.replaceAll(/\r\n|\r/g, '\n');
}
