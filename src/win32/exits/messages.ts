/**
 * Messages that change something in another program: to a control, and what a control reports to its parent. The table
 * is closed, as the one of reading messages is (`windows/ask.ts`), and says which exits each of them can be:
 * here those of all windows, and of each kind of control what its driver names.
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Pointer } from '../../../native-bindings/library.ts';
import { askWithin, wakeLoop, type Asker } from '../windows/ask.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ControlKind } from '../windows/classes.ts';
import { focusOf, kindOfWindow, rootOf, threadOf, type WindowInfo } from '../windows/window-info.ts';
import type { Sent } from './fits.ts';
import { leave, type Leaving } from './leaving.ts';

const SETS: readonly Leaving[] = ['text', 'keys', 'choose'];

/** A message that changes something. */
export interface Change {
  readonly message: number;
  /** Which exits it can be. */
  readonly exits: readonly Leaving[];
  /** What of it is compared with the permitted exit. */
  sent?(wParam: number | bigint, lParam: number | Pointer): Sent;
}

const leavingAs = (exits: readonly Leaving[], messages: readonly number[], sent?: Change['sent']): Change[] =>
  messages.map((message) => ({ message, exits, ...(sent === undefined ? {} : { sent }) }));

/** Messages that prepare or follow an exit and have no lasting effect of their own. */
export const along = (...messages: number[]): Change[] => leavingAs(['along'], messages);
/** Messages that choose an item, or press something. */
export const choosing = (...messages: number[]): Change[] =>
  leavingAs(['choose', 'press'], messages, () => ({ by: 'click' }));
/** Messages that press something without more: `tellPress` says by what. */
export const pressing = (...messages: number[]): Change[] => leavingAs(['press'], messages);
/** Messages that put text into a field. */
export const writing = (message: number, sent?: Change['sent']): Change[] =>
  leavingAs(['text', 'keys'], [message], sent);
/** Messages that set a number, which is one of their words. */
export const setting = (message: number, word: 0 | 1): Change[] =>
  leavingAs(SETS, [message], (...words) => ({ number: Number(words[word]) }));
/** Messages that leave by `picking` alone. */
export const pickedOnly = (...messages: number[]): Change[] => leavingAs([], messages);
/** A message that stands for keys. */
const chord = (message: number, chords: readonly string[], exits: readonly Leaving[] = ['keys']): Change[] =>
  leavingAs(exits, [message], () => ({ chords }));

/** Those of all windows; the drivers add those of the controls (`admitChanges`). */
const MESSAGES = new Map<number, Change>(
  [
    ...along(m.WM_MDIACTIVATE, m.WM_SETFOCUS, m.WM_KILLFOCUS),
    ...choosing(m.WM_COMMAND),
    ...writing(m.WM_SETTEXT, (_, lParam) =>
      Buffer.isBuffer(lParam) ? { value: { whole: textIn(lParam), before: () => null } } : {},
    ),
    // A slider reports its position by the message of a scroll bar.
    ...leavingAs([...SETS, 'along'], [m.WM_HSCROLL, m.WM_VSCROLL]),
    ...chord(m.WM_COPY, ['ctrl+c', 'ctrl+insert']),
    ...chord(m.WM_CUT, ['ctrl+x', 'shift+delete']),
    ...chord(m.WM_PASTE, ['ctrl+v', 'shift+insert'], ['keys', 'text']),
    ...chord(m.WM_UNDO, ['ctrl+z']),
    ...leavingAs(['focus'], [m.WM_NEXTDLGCTL]),
    ...leavingAs(['press'], [m.WM_CONTEXTMENU], () => ({ by: 'menu', presses: 1 })),
    ...leavingAs(['window'], [m.WM_CLOSE]),
  ].map((change) => [change.message, change]),
);

/** Those of pickers, which have the same numbers as others. */
const PICKERS = new Map<ControlKind, ReadonlySet<number>>();

/** Adds a driver's messages, once at start. Errors: of the program itself, for a message that is there already. */
export function admitChanges(kinds: readonly ControlKind[], changes: readonly Change[]): void {
  const ofPickers = changes.filter(({ exits }) => exits.length === 0);
  for (const kind of kinds)
    if (ofPickers.length > 0) PICKERS.set(kind, new Set(ofPickers.map(({ message }) => message)));
  for (const change of changes) {
    if (change.exits.length === 0) continue;
    if (MESSAGES.has(change.message)) throw new RangeError(`0x${change.message.toString(16)} is in two drivers.`);
    MESSAGES.set(change.message, change);
  }
}

/** Source: learn.microsoft.com/windows/win32/menurc/wm-command (parameters) */
const ACCELERATOR_SOURCE = 1;
/** Do not wait for a thread that Windows considers hung; fail if the window is destroyed meanwhile. */
const NEVER_WAITING = m.SMTO_ABORTIFHUNG | m.SMTO_ERRORONEXIT;
const resultOut = Buffer.alloc(8);

/** The text that a message takes along. */
export const textIn = (memory: Buffer): string => memory.toString('utf16le').replace(/\0$/, '');

/** The change that a message is. Errors: of the program itself, for a message that is not on the list. */
function changeBy(message: number): Change {
  const change = MESSAGES.get(message);
  if (change === undefined)
    throw new RangeError(`0x${message.toString(16)} is not a message that may change anything.`);
  return change;
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
  const { exits, sent } = changeBy(message);
  leave(exits, sent?.(wParam, lParam) ?? {});
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

/** How a control is given a number. */
export interface NumberMessage {
  readonly message: number;
  /** The words of the message for a number. */
  wordsOf(number: number): readonly [wParam: number, lParam: number];
  /** The number that the control has. */
  held(): number | null;
}

/**
 * Gives a control a number. If it takes another, it gets its earlier number again: `back`, or `other` where that failed too.
 */
export function setNumber(
  asker: Asker,
  hwnd: number,
  { message, wordsOf, held }: NumberMessage,
  number: number,
): 'set' | 'back' | 'other' {
  const before = held();
  change(asker, hwnd, message, ...wordsOf(number));
  if (held() === number) return 'set';
  if (before === null) return 'other';
  asker.inTurn(hwnd, (withinMs) => sendWithin(hwnd, message, ...wordsOf(before), withinMs));
  return held() === before ? 'back' : 'other';
}

/** A key or a click, as a person's hand sends them to the control. */
const BY_HAND: ReadonlySet<number> = new Set([
  m.WM_KEYDOWN,
  m.WM_KEYUP,
  m.WM_LBUTTONDOWN,
  m.WM_LBUTTONUP,
  m.WM_MOUSEMOVE,
]);

/** Sends one message to a picker or a window inside it; null if there was no answer. */
export type Picking = (message: number, wParam: number, lParam: number | bigint, child?: number) => number | null;

/**
 * What sets a date picker, a calendar or an address field and makes it notify its program: its own messages, keys and clicks, by
 * a permit for a text that says `picked`. They reach no other kind of control. Errors: element_stale.
 */
export function picking(asker: Asker, { hwnd, className }: WindowInfo, kind: ControlKind, picked: string): Picking {
  if (!user32.IsWindow(hwnd))
    throw new UiaHostError('element_stale', 'The control no longer exists.', { delivery: 'unknown' });
  if (kindOfWindow(hwnd) !== kind) throw new RangeError(`${className} is not a ${kind}.`);
  leave(['text'], { picked });
  return (message, wParam, lParam, child = hwnd) => {
    if (!BY_HAND.has(message) && PICKERS.get(kind)?.has(message) !== true)
      throw new RangeError(`0x${message.toString(16)} is not a message that sets a ${kind}.`);
    return asker.inTurn(child, (withinMs) => sendWithin(child, message, wParam, lParam, withinMs));
  };
}

/**
 * A message whose handler may open a dialog and return only when that is closed. False if Windows does not accept it.
 */
export function notify(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  leave(changeBy(message).exits);
  const { thread } = threadOf(hwnd);
  const isSent = user32.SendNotifyMessageW(hwnd, message, wParam, lParam);
  if (isSent) wakeLoop(hwnd, thread);
  return isSent;
}

/** A message that is not waited for. False if Windows does not accept it. */
export function postChange(hwnd: number, message: number, wParam: number, lParam: number): boolean {
  leave(changeBy(message).exits, message === m.WM_CLOSE ? { operations: ['close'] } : {});
  return user32.PostMessageW(hwnd, message, wParam, lParam);
}

/** The command that keys stand for, as the program's message loop posts it. False if Windows does not accept it. */
export function postAccelerator(hwnd: number, command: number, chord: string): boolean {
  leave(['keys'], { chords: [chord] });
  return user32.PostMessageW(hwnd, m.WM_COMMAND, command + ACCELERATOR_SOURCE * 0x1_0000, 0);
}

/**
 * A message by which a button, or its parent, hears that it was pressed: by a click, or by Enter while the button has the
 * focus. Not waited for: the program may open a dialog and return only when that is closed. False if Windows does not
 * accept it.
 */
export function tellPress(
  by: 'click' | 'enter',
  hwnd: number,
  message: number,
  wParam: number,
  lParam: number,
): boolean {
  changeBy(message);
  if (by === 'enter') leave(['keys'], { chords: ['enter'] });
  else leave(['press', 'point', 'choose'], { button: 'left', presses: 1, by: 'click' });
  const isSent = user32.SendNotifyMessageW(hwnd, message, wParam, lParam);
  if (isSent) wakeLoop(hwnd);
  return isSent;
}

/** What notifies its program when it is left, which many programs wait for before they take over, check or correct it. */
const SAYS_LEFT: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit', 'combo-box', 'list-box', 'date-time']);
/** How long (ms) a program may take to hear that a field is left. */
const LEFT_MS = 300;
/** The control that was acted on last without having the focus, and hears of it by messages; 0 if there is none. */
let visited = 0;
/** What was told that it is left while its program keeps the focus there; 0 if there is none. */
let leftWithFocus = 0;

const hasFocus = (control: number): boolean => focusOf(threadOf(control).thread) === control;

/**
 * Tells a control that is acted on by messages that the focus comes, as for a person; what was visited before is left.
 * Nothing where the program keeps the focus there by itself. Not waited for, since the program may ask something.
 * Source: learn.microsoft.com/windows/win32/inputdev/wm-killfocus, .../controls/en-killfocus
 */
export function visit(control: number): void {
  if (visited === control && user32.IsWindow(control)) return;
  leaveVisited(control);
  if (!SAYS_LEFT.has(kindOfWindow(control)) || (hasFocus(control) && control !== leftWithFocus)) return;
  notify(control, m.WM_SETFOCUS, 0, 0);
  visited = control;
}

/** Tells it that it is left for another control, or for none. Its program has heard of it then, or takes longer. */
export function leaveVisited(next = 0): void {
  const control = visited;
  if (control === 0 || control === next) return;
  visited = 0;
  if (user32.IsWindow(control) && (!hasFocus(control) || control === leftWithFocus)) sayLeft(control, next);
}

function sayLeft(control: number, next: number): void {
  if (hasFocus(control)) leftWithFocus = control;
  notify(control, m.WM_KILLFOCUS, next, 0);
  askWithin(control, m.WM_NULL, 0, 0, LEFT_MS);
}

/** The same for what has the focus of its program while another control of its window is pressed, as a click takes it away. */
export function leaveFor(pressed: number): void {
  leaveVisited(pressed);
  const control = focusOf(threadOf(pressed).thread);
  if (control === 0 || control === pressed || rootOf(control) !== rootOf(pressed)) return;
  if (SAYS_LEFT.has(kindOfWindow(control)) && !user32.IsChild(pressed, control)) sayLeft(control, pressed);
}
