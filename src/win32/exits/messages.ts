/**
 * Messages that change something in another program: to a control, and what a control reports to its parent. The table
 * is closed, as the one of reading messages is (`windows/reading-messages.ts`), and says which exits each of them can be.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Pointer } from '../../../native-bindings/library.ts';
import { askWithin, wakeLoop, type Asker } from '../windows/ask.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { controlId, focusOf, isDrawnButton, kindOfWindow, parentOf, rootOf, threadOf } from '../windows/window-info.ts';
import { charactersOf, type Sent } from './fits.ts';
import { leave, type Leaving } from './leaving.ts';

/** What prepares or follows an exit and has no lasting effect of its own. */
const ALONG: readonly Leaving[] = ['along'];
const CHOOSES: readonly Leaving[] = ['choose', 'press'];
const SETS: readonly Leaving[] = ['text', 'keys', 'choose'];

const MESSAGES: ReadonlyMap<number, readonly Leaving[]> = new Map<number, readonly Leaving[]>([
  ...[
    m.EM_SETSEL,
    m.EM_SCROLLCARET,
    m.LB_SETTOPINDEX,
    m.LVM_ENSUREVISIBLE,
    m.TVM_ENSUREVISIBLE,
    m.TVM_EXPAND,
    m.WM_MDIACTIVATE,
    m.WM_SETFOCUS,
    m.WM_KILLFOCUS,
  ].map((message) => [message, ALONG] as const),
  ...[
    m.BM_SETCHECK,
    m.CB_SETCURSEL,
    m.CB_SHOWDROPDOWN,
    m.LB_SETCURSEL,
    m.LB_SETSEL,
    m.LVM_SETITEMSTATE,
    m.TB_CHECKBUTTON,
  ].map((message) => [message, CHOOSES] as const),
  ...[m.TCM_SETCURFOCUS, m.TVM_SELECTITEM, m.WM_COMMAND].map((message) => [message, CHOOSES] as const),
  ...[m.EM_REPLACESEL, m.WM_SETTEXT, m.LVM_EDITLABELW].map((message) => [message, ['text', 'keys']] as const),
  ...[m.TBM_SETPOS, m.UDM_SETPOS32, m.SBM_SETPOS].map((message) => [message, SETS] as const),
  // A slider reports its position by the message of a scroll bar.
  ...[m.WM_HSCROLL, m.WM_VSCROLL].map((message) => [message, [...SETS, 'along']] as const),
  ...[m.WM_COPY, m.WM_CUT, m.WM_UNDO].map((message) => [message, ['keys']] as const),
  [m.WM_PASTE, ['keys', 'text']],
  [m.WM_NEXTDLGCTL, ['focus']],
  [m.WM_CONTEXTMENU, ['press']],
  [m.WM_CLOSE, ['window']],
]);

/** Source: learn.microsoft.com/windows/win32/menurc/wm-command (parameters) */
const ACCELERATOR_SOURCE = 1;
/** Do not wait for a thread that Windows considers hung; fail if the window is destroyed meanwhile. */
const NEVER_WAITING = m.SMTO_ABORTIFHUNG | m.SMTO_ERRORONEXIT;
const resultOut = Buffer.alloc(8);

const textIn = (memory: Buffer): string => memory.toString('utf16le').replace(/\0$/, '');

/** The chords that a message stands for. */
const CHORDS: ReadonlyMap<number, readonly string[]> = new Map([
  [m.WM_COPY, ['ctrl+c', 'ctrl+insert']],
  [m.WM_CUT, ['ctrl+x', 'shift+delete']],
  [m.WM_PASTE, ['ctrl+v', 'shift+insert']],
  [m.WM_UNDO, ['ctrl+z']],
]);

/** What of a message is compared with the permitted exit. */
function contentOf(message: number, wParam: number | bigint, lParam: number | Pointer): Sent {
  const chords = CHORDS.get(message);
  if (chords !== undefined) return { chords };
  switch (message) {
    case m.EM_REPLACESEL:
      return Buffer.isBuffer(lParam) ? { strokes: charactersOf(textIn(lParam)) } : {};
    case m.WM_SETTEXT:
      return Buffer.isBuffer(lParam) ? { value: { whole: textIn(lParam), before: () => null } } : {};
    case m.TBM_SETPOS:
    case m.UDM_SETPOS32:
      return { number: Number(lParam) };
    case m.SBM_SETPOS:
      return { number: Number(wParam) };
    case m.WM_CONTEXTMENU:
      return { by: 'menu', presses: 1 };
    default:
      return MESSAGES.get(message) === CHOOSES ? { by: 'click' } : {};
  }
}

function leaveBy(message: number, sent?: Sent): void {
  const exits = MESSAGES.get(message);
  if (exits === undefined) throw new RangeError(`0x${message.toString(16)} is not a message that may change anything.`);
  leave(exits, sent);
}

/** Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw */
function sendWithin(
  hwnd: number,
  message: number,
  wParam: number | bigint,
  lParam: number | Pointer,
  milliseconds: number,
): number | null {
  const limit = Math.max(1, milliseconds);
  const sent = user32.SendMessageTimeoutW(hwnd, message, wParam, lParam, NEVER_WAITING, limit, resultOut);
  return sent === 0 ? null : Number(resultOut.readBigInt64LE());
}

/** One message with a time limit; null if there was no answer. */
export function changeWithin(
  hwnd: number,
  message: number,
  wParam: number | bigint,
  lParam: number | Pointer,
  milliseconds: number,
): number | null {
  leaveBy(message, contentOf(message, wParam, lParam));
  return sendWithin(hwnd, message, wParam, lParam, milliseconds);
}

/** The same in a round of messages; null also if the thread does not answer. */
export const change = (
  asker: Asker,
  hwnd: number,
  message: number,
  wParam: number | bigint = 0,
  lParam: number | Pointer = 0,
): number | null => asker.inTurn(hwnd, (withinMs) => changeWithin(hwnd, message, wParam, lParam, withinMs));

/** Enter into the field in which a label is edited. */
export function endLabel(asker: Asker, field: number): void {
  leave(['text', 'keys']);
  asker.inTurn(field, (withinMs) => sendWithin(field, m.WM_KEYDOWN, m.VK_RETURN, 1, withinMs));
}

/**
 * Gives a spinner or a scroll bar its number. If the control takes another, it gets its earlier number again: `back`, or `other`
 * where that failed too.
 */
export function setNumber(
  asker: Asker,
  hwnd: number,
  message: typeof m.UDM_SETPOS32 | typeof m.SBM_SETPOS,
  number: number,
): 'set' | 'back' | 'other' {
  const isSpinner = message === m.UDM_SETPOS32;
  const held = (): number | null => asker.ask(hwnd, isSpinner ? m.UDM_GETPOS32 : m.SBM_GETPOS);
  const wordsOf = (one: number): readonly [wParam: number, lParam: number] => (isSpinner ? [0, one] : [one, 1]);
  const before = held();
  change(asker, hwnd, message, ...wordsOf(number));
  if (held() === number) return 'set';
  if (before === null) return 'other';
  asker.inTurn(hwnd, (withinMs) => sendWithin(hwnd, message, ...wordsOf(before), withinMs));
  return held() === before ? 'back' : 'other';
}

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
  leaveBy(message, message === m.WM_CLOSE ? { operations: ['close'] } : {});
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

/** The command that keys stand for, as the program's message loop posts it. False if Windows does not accept it. */
export function postAccelerator(hwnd: number, command: number, chord: string): boolean {
  leave(['keys'], { chords: [chord] });
  return user32.PostMessageW(hwnd, m.WM_COMMAND, command + ACCELERATOR_SOURCE * 0x1_0000, 0);
}

/** A press of a button, as its program hears of it. Null if Windows does not accept the message. */
export function tellPressed(button: number): 'BM_CLICK' | 'WM_COMMAND with BN_CLICKED' | null {
  leave(['press', 'point', 'choose'], { button: 'left', presses: 1, by: 'click' });
  return sendPress(button);
}

/** The same for Enter while the button has the focus, as its dialog does it. Source: learn.microsoft.com/windows/win32/controls/bn-clicked */
export function pressByEnter(button: number): boolean {
  leave(['keys'], { chords: ['enter'] });
  return sendPress(button) !== null;
}

/**
 * Whether Windows Forms draws this button. It hears nothing of the notification to its parent, and a click by mouse
 * messages counts only where no window covers the point; BM_CLICK presses it, without moving the focus.
 * Source: dotnet/winforms ButtonBase.cs (WndProc), Button.cs and CheckBox.cs (OnMouseUp).
 */
export const isFormsButton = (hwnd: number): boolean => isDrawnButton(hwnd) && toolkitOf(hwnd) === 'winforms';

/** Not waited for: the program may open a dialog and return only when that is closed. */
function sendPress(button: number): 'BM_CLICK' | 'WM_COMMAND with BN_CLICKED' | null {
  const isForms = isFormsButton(button);
  const notification = ((m.BN_CLICKED << 16) | (controlId(button) & 0xffff)) >>> 0;
  const isSent = isForms
    ? user32.SendNotifyMessageW(button, m.BM_CLICK, 0, 0)
    : user32.SendNotifyMessageW(parentOf(button), m.WM_COMMAND, notification, button);
  if (!isSent) return null;
  wakeLoop(button);
  return isForms ? 'BM_CLICK' : 'WM_COMMAND with BN_CLICKED';
}

/**
 * Tells a field that is typed into by messages that the focus comes or goes, as for a person: many programs take over, check or
 * correct a text when its field is left. Nothing where the program keeps the focus there by itself. Not waited for, since the
 * program may ask something.
 * Source: learn.microsoft.com/windows/win32/inputdev/wm-killfocus, .../controls/en-killfocus
 */
export function visitField(field: number): () => void {
  const hasFocus = (): boolean => focusOf(threadOf(field).thread) === field;
  if (hasFocus()) return () => {};
  notify(field, m.WM_SETFOCUS, 0, 0);
  return () => {
    if (!hasFocus()) notify(field, m.WM_KILLFOCUS, 0, 0);
  };
}

/** How long (ms) a program may take to hear that a field is left. */
const LEFT_MS = 300;

/**
 * The same for the field that has the focus of the program while another control of its window is pressed, as a click takes it
 * away. The program has heard of it then, or takes longer.
 */
export function leaveField(pressed: number): void {
  const field = focusOf(threadOf(pressed).thread);
  if (field === 0 || field === pressed || rootOf(field) !== rootOf(pressed)) return;
  const kind = kindOfWindow(field);
  if (kind !== 'edit' && kind !== 'rich-edit') return;
  notify(field, m.WM_KILLFOCUS, pressed, 0);
  askWithin(field, m.WM_NULL, 0, 0, LEFT_MS);
}

// Edit controls and custom text controls: the selection that typed text replaces.

/** Selects a part of a text; -1 as the end is the end of the text. Null where the control does not answer. */
export const selectText = (asker: Asker, hwnd: number, start: number, end: number): number | null =>
  change(asker, hwnd, m.EM_SETSEL, start, end);

/** Puts text in the place of the selection, undoable. Source: learn.microsoft.com/windows/win32/controls/em-replacesel */
export function replaceSelectedText(asker: Asker, hwnd: number, text: string): number | null {
  return change(asker, hwnd, m.EM_REPLACESEL, 1, Buffer.from(`${text}\0`, 'utf16le'));
}
