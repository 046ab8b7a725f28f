/**
 * Clicks a button through the notifications to its parent. BM_CLICK would work, but simulates a mouse click: it moves
 * the focus to the button, which under Wine 10 takes the foreground from the person. So the state is set as a click
 * would, and the parent is notified. Source: learn.microsoft.com/windows/win32/controls/button-messages
 */
import {
  BM_GETCHECK,
  BM_SETCHECK,
  BN_CLICKED,
  BS_AUTO3STATE,
  BS_AUTOCHECKBOX,
  BS_AUTORADIOBUTTON,
  BS_TYPEMASK,
  GW_HWNDNEXT,
  GW_HWNDPREV,
  WM_COMMAND,
  WS_GROUP,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { sendWithin, type Asker, notify } from '../windows/ask.ts';
import { kindOfWindow, parentOf, type WindowInfo, windowStyle } from '../windows/window-info.ts';
import { delivered, failed, unfinished, type Step } from '../elements/sources/rungs.ts';

const SET_MS = 1000;

const isAutoRadio = (hwnd: number): boolean =>
  kindOfWindow(hwnd) === 'button' && (windowStyle(hwnd) & BS_TYPEMASK) === BS_AUTORADIOBUTTON;

/**
 * The other radio buttons of its group: from the control that begins the group up to the beginning of the next group.
 */
function groupOf(hwnd: number): number[] {
  const others: number[] = [];
  for (let at = hwnd; at !== 0 && (windowStyle(at) & WS_GROUP) === 0;) {
    at = user32.GetWindow(at, GW_HWNDPREV);
    if (at !== 0 && isAutoRadio(at)) others.push(at);
  }
  for (
    let at = user32.GetWindow(hwnd, GW_HWNDNEXT);
    at !== 0 && (windowStyle(at) & WS_GROUP) === 0;
    at = user32.GetWindow(at, GW_HWNDNEXT)
  ) {
    if (isAutoRadio(at)) others.push(at);
  }
  return others;
}

/** The state after a click on an automatic button; null for buttons whose program sets it. */
function nextState(style: number, state: number): number | null {
  switch (style & BS_TYPEMASK) {
    case BS_AUTOCHECKBOX:
      return state === 0 ? 1 : 0;
    case BS_AUTO3STATE:
      return (state + 1) % 3;
    case BS_AUTORADIOBUTTON:
      return 1;
    default:
      return null;
  }
}

/**
 * The parent is notified without waiting: it may open a dialog and return only when that is closed.
 * @param known its check state, if it has just been asked
 */
export function pressButton(info: WindowInfo, asker: Asker, known: number | null): Step {
  const state = known ?? asker.ask(info.hwnd, BM_GETCHECK);
  if (state === null) return failed('message', 'the button did not answer');
  const next = nextState(info.style, state);
  let isLate = false;
  if (next !== null) {
    // Once sent it may be processed late, before what follows: another way would toggle the button back.
    isLate = sendWithin(info.hwnd, BM_SETCHECK, next, 0, SET_MS) === null;
    if (isLate && !user32.IsWindow(info.hwnd)) return failed('message', 'the button is gone');
    if ((info.style & BS_TYPEMASK) === BS_AUTORADIOBUTTON)
      for (const other of groupOf(info.hwnd)) asker.ask(other, BM_SETCHECK, 0);
  }
  const how = next === null ? 'WM_COMMAND with BN_CLICKED' : 'BM_SETCHECK, and WM_COMMAND with BN_CLICKED';
  const isNotified = notify(
    parentOf(info.hwnd),
    WM_COMMAND,
    ((BN_CLICKED << 16) | (info.id & 0xffff)) >>> 0,
    info.hwnd,
  );
  if (!isNotified) return failed('message', 'the message could not be sent');
  return isLate ? unfinished('message', how) : delivered('message', how);
}
