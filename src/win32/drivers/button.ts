/** Buttons, check boxes and radio buttons. Source: learn.microsoft.com/windows/win32/controls/bm-getcheck */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { choosing, change, changeWithin, tellPress, pressing } from '../exits/messages.ts';
import { buttonKind } from '../windows/classes.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { parentOf, controlId, kindOfWindow, isDrawnButton, windowStyle } from '../windows/window-info.ts';
import type { ControlReader, Driver, Sign, Acted } from './driver.ts';
import { readNow } from './items.ts';
import { delivered, failed, notApplicable, unfinished, type Tried } from './driver.ts';

const readButton: ControlReader = ({ info, node }, { asker }) => {
  const kind = buttonKind(info.style);
  if ((info.style & m.BS_TYPEMASK) === m.BS_OWNERDRAW) node.unread = 'state';
  if (kind !== 'check' && kind !== 'radio') return;
  const check = asker.ask(info.hwnd, m.BM_GETCHECK);
  if (check === m.BST_CHECKED) node.states.add(kind === 'radio' ? 'selected' : 'checked');
  if (check === m.BST_INDETERMINATE) node.states.add('mixed');
};

/** The results of BM_GETCHECK. */
const CHECKS: readonly string[] = ['off', 'on', 'mixed'];

function checkOf(word: unknown): number | null {
  const state = typeof word === 'string' ? CHECKS.indexOf(word) : -1;
  return state < 0 ? null : state;
}

/** The mark of a check box or radio button. */
export const checkState = (hwnd: number): Sign => ({
  kind: 'toggle',
  read: () => CHECKS[readNow(hwnd, m.BM_GETCHECK) ?? -1],
  at: checkState,
});

const SET_MS = 1000;

const isAutoRadio = (hwnd: number): boolean =>
  kindOfWindow(hwnd) === 'button' && (windowStyle(hwnd) & m.BS_TYPEMASK) === m.BS_AUTORADIOBUTTON;

/**
 * The other radio buttons of its group: from the control that begins the group up to the beginning of the next group.
 */
function groupOf(hwnd: number): number[] {
  const others: number[] = [];
  for (let at = hwnd; at !== 0 && (windowStyle(at) & m.WS_GROUP) === 0;) {
    at = user32.GetWindow(at, m.GW_HWNDPREV);
    if (at !== 0 && isAutoRadio(at)) others.push(at);
  }
  for (
    let at = user32.GetWindow(hwnd, m.GW_HWNDNEXT);
    at !== 0 && (windowStyle(at) & m.WS_GROUP) === 0;
    at = user32.GetWindow(at, m.GW_HWNDNEXT)
  ) {
    if (isAutoRadio(at)) others.push(at);
  }
  return others;
}

/** The state after a click on an automatic button; null for buttons whose program sets it. */
function nextState(style: number, state: number): number | null {
  switch (style & m.BS_TYPEMASK) {
    case m.BS_AUTOCHECKBOX:
      return state === 0 ? 1 : 0;
    case m.BS_AUTO3STATE:
      return (state + 1) % 3;
    case m.BS_AUTORADIOBUTTON:
      return 1;
    default:
      return null;
  }
}

/**
 * Whether Windows Forms draws this button. It hears nothing of the notification to its parent, and a click by mouse
 * messages counts only where no window covers the point; BM_CLICK presses it, without moving the focus.
 * Source: dotnet/winforms ButtonBase.cs (WndProc), Button.cs and CheckBox.cs (OnMouseUp).
 */
export const isFormsButton = (hwnd: number): boolean => isDrawnButton(hwnd) && toolkitOf(hwnd) === 'winforms';

/** Tells a program that its button was pressed; null if Windows does not accept the message. */
export function tellPressed(
  button: number,
  by: 'click' | 'enter' = 'click',
): 'BM_CLICK' | 'WM_COMMAND with BN_CLICKED' | null {
  if (isFormsButton(button)) return tellPress(by, button, m.BM_CLICK, 0, 0) ? 'BM_CLICK' : null;
  const notification = ((m.BN_CLICKED << 16) | (controlId(button) & 0xffff)) >>> 0;
  return tellPress(by, parentOf(button), m.WM_COMMAND, notification, button) ? 'WM_COMMAND with BN_CLICKED' : null;
}

/**
 * Clicks a button through the notifications to its parent. BM_CLICK simulates a mouse click: it moves the focus to the
 * button, which under Wine 10 takes the foreground from the person. So the state is set as a click would.
 * Source: learn.microsoft.com/windows/win32/controls/button-messages.
 */
function press({ info, asker, before }: Acted): Tried {
  if (buttonKind(info.style) === 'group') return notApplicable('message', 'the control has no message for a click');
  const state = checkOf(before) ?? asker.ask(info.hwnd, m.BM_GETCHECK);
  if (state === null) return failed('message', 'the button did not answer');
  const next = nextState(info.style, state);
  let isLate = false;
  if (next !== null) {
    // Once sent it may be processed late, before what follows: another way would toggle the button back.
    isLate = changeWithin(info.hwnd, m.BM_SETCHECK, next, 0, SET_MS) === null;
    if (isLate && !user32.IsWindow(info.hwnd)) return failed('message', 'the button is gone');
    if ((info.style & m.BS_TYPEMASK) === m.BS_AUTORADIOBUTTON)
      for (const other of groupOf(info.hwnd)) change(asker, other, m.BM_SETCHECK, 0);
  }
  const told = tellPressed(info.hwnd);
  if (told === null) return failed('message', 'the message could not be sent');
  const how = next === null ? told : `BM_SETCHECK, and ${told}`;
  return isLate ? unfinished('message', how) : delivered('message', how);
}

export const button: Driver = {
  kinds: ['button'],
  asks: [m.BM_GETCHECK],
  changes: [...choosing(m.BM_SETCHECK), ...pressing(m.BM_CLICK)],
  read: readButton,
  questions: [['check', m.BM_GETCHECK]],
  word: (_question, answer) => CHECKS[answer] ?? answer,
  press,
  sign: (hwnd, { controlType }) =>
    controlType === 'CheckBox' || controlType === 'RadioButton' ? checkState(hwnd) : null,
};
