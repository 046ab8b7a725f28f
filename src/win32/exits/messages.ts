/**
 * Messages that change something in another program: to a control, and what a control reports to its parent. The table
 * is closed, as the one of reading messages is (`windows/reading-messages.ts`), and says which exits each of them can be.
 */
import {
  BM_SETCHECK,
  CB_SETCURSEL,
  CB_SHOWDROPDOWN,
  EM_REPLACESEL,
  EM_SCROLLCARET,
  EM_SETSEL,
  LB_SETCURSEL,
  LB_SETSEL,
  LB_SETTOPINDEX,
  LVM_EDITLABELW,
  LVM_ENSUREVISIBLE,
  LVM_SETITEMSTATE,
  SBM_SETPOS,
  SMTO_ABORTIFHUNG,
  SMTO_ERRORONEXIT,
  TBM_SETPOS,
  TB_CHECKBUTTON,
  TCM_SETCURFOCUS,
  TVM_ENSUREVISIBLE,
  TVM_EXPAND,
  TVM_SELECTITEM,
  UDM_SETPOS32,
  WM_CLOSE,
  WM_COMMAND,
  WM_CONTEXTMENU,
  WM_COPY,
  WM_CUT,
  WM_HSCROLL,
  WM_KEYDOWN,
  WM_MDIACTIVATE,
  WM_NEXTDLGCTL,
  WM_PASTE,
  WM_SETTEXT,
  WM_UNDO,
  WM_VSCROLL,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Pointer } from '../../../native-bindings/library.ts';
import { wakeLoop, type Asker } from '../windows/ask.ts';
import { threadOf } from '../windows/window-info.ts';
import { leave, type Leaving } from './leaving.ts';

/** What prepares or follows an exit and has no lasting effect of its own. */
const ALONG: readonly Leaving[] = ['along'];
const CHOOSES: readonly Leaving[] = ['choose', 'press', 'keys'];
const SETS: readonly Leaving[] = ['text', 'choose'];

const MESSAGES: ReadonlyMap<number, readonly Leaving[]> = new Map<number, readonly Leaving[]>([
  ...[EM_SETSEL, EM_SCROLLCARET, LB_SETTOPINDEX, LVM_ENSUREVISIBLE, TVM_ENSUREVISIBLE, WM_MDIACTIVATE].map(
    (message) => [message, ALONG] as const,
  ),
  ...[BM_SETCHECK, CB_SETCURSEL, CB_SHOWDROPDOWN, LB_SETCURSEL, LB_SETSEL, LVM_SETITEMSTATE, TB_CHECKBUTTON].map(
    (message) => [message, CHOOSES] as const,
  ),
  ...[TCM_SETCURFOCUS, TVM_EXPAND, TVM_SELECTITEM, WM_COMMAND].map((message) => [message, CHOOSES] as const),
  ...[EM_REPLACESEL, WM_SETTEXT, LVM_EDITLABELW, WM_KEYDOWN].map((message) => [message, ['text', 'keys']] as const),
  ...[TBM_SETPOS, UDM_SETPOS32, SBM_SETPOS].map((message) => [message, SETS] as const),
  // A slider reports its position by the message of a scroll bar.
  ...[WM_HSCROLL, WM_VSCROLL].map((message) => [message, [...SETS, 'along']] as const),
  ...[WM_COPY, WM_CUT, WM_UNDO].map((message) => [message, ['keys']] as const),
  [WM_PASTE, ['keys', 'text']],
  [WM_NEXTDLGCTL, ['focus']],
  [WM_CONTEXTMENU, ['press']],
  [WM_CLOSE, ['window']],
]);

/** Do not wait for a thread that Windows considers hung; fail if the window is destroyed meanwhile. */
const NEVER_WAITING = SMTO_ABORTIFHUNG | SMTO_ERRORONEXIT;
const resultOut = Buffer.alloc(8);

function leaveBy(message: number): void {
  const exits = MESSAGES.get(message);
  if (exits === undefined) throw new RangeError(`0x${message.toString(16)} is not a message that may change anything.`);
  leave(exits);
}

/** One message with a time limit; null if there was no answer. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw */
export function changeWithin(
  hwnd: number,
  message: number,
  wParam: number | bigint,
  lParam: number | Pointer,
  milliseconds: number,
): number | null {
  leaveBy(message);
  const limit = Math.max(1, milliseconds);
  const sent = user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, NEVER_WAITING, limit, resultOut);
  return sent === 0 ? null : Number(resultOut.readBigInt64LE());
}

/** The same in a round of messages; null also if the thread does not answer. */
export const change = (
  asker: Asker,
  hwnd: number,
  message: number,
  wParam: number | bigint = 0,
  lParam: number | Pointer = 0,
): number | null => asker.inTurn(hwnd, (withinMs) => changeWithin(hwnd, message, wParam, lParam, withinMs));

/**
 * A message whose handler may open a dialog and return only when that is closed. False if Windows does not accept it.
 */
export function notify(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  leaveBy(message);
  const { thread } = threadOf(hwnd);
  const isSent = user32.SendNotifyMessageW(hwnd, message, wParam, lParam);
  if (isSent) wakeLoop(hwnd, thread);
  return isSent;
}

/** A message that is not waited for. False if Windows does not accept it. */
export function postChange(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  leaveBy(message);
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

// Edit controls and custom text controls: the selection that typed text replaces.

/** Selects a part of a text; -1 as the end is the end of the text. Null where the control does not answer. */
export const selectText = (asker: Asker, hwnd: number, start: number, end: number): number | null =>
  change(asker, hwnd, EM_SETSEL, start, end);

/** Puts text in the place of the selection, undoable. Source: learn.microsoft.com/windows/win32/controls/em-replacesel */
export function replaceSelectedText(asker: Asker, hwnd: number, text: string): number | null {
  return change(asker, hwnd, EM_REPLACESEL, 1, Buffer.from(`${text}\0`, 'utf16le'));
}
