/**
 * The control's own message for a click, with the notification that its parent expects. Source: the control's page at
 * learn.microsoft.com/windows/win32/controls/individual-control-info
 */
import {
  BM_GETCHECK,
  CBN_CLOSEUP,
  CBN_SELCHANGE,
  CBN_SELENDOK,
  CB_GETCURSEL,
  CB_GETDROPPEDSTATE,
  CB_SETCURSEL,
  CB_SHOWDROPDOWN,
  LBN_SELCHANGE,
  LBS_EXTENDEDSEL,
  LB_GETCURSEL,
  LB_GETSEL,
  LB_SETCURSEL,
  LB_SETSEL,
  LVIS_FOCUSED,
  LVIS_SELECTED,
  LVM_GETITEMSTATE,
  LVM_GETSELECTEDCOUNT,
  LVM_SETITEMSTATE,
  TBSTATE_CHECKED,
  TB_CHECKBUTTON,
  TB_GETSTATE,
  TCM_GETCURSEL,
  TCM_SETCURFOCUS,
  TCS_BUTTONS,
  TVGN_CARET,
  TVM_GETNEXTITEM,
  TVM_SELECTITEM,
  WM_COMMAND,
  BM_SETCHECK,
  BS_AUTO3STATE,
  BS_AUTOCHECKBOX,
  BS_AUTORADIOBUTTON,
  BS_TYPEMASK,
  GW_HWNDNEXT,
  GW_HWNDPREV,
  WS_GROUP,
} from '../../../native-bindings/win32/constants.ts';
import { LVITEMW } from '../../../native-bindings/win32/structs.ts';
import type { Attempt, Evidence } from '../../contract/outcome.ts';
import { change, changeWithin, leaveField, notify, tellPressed } from '../exits/messages.ts';
import { Asker, askWithin, wakeLoop } from '../windows/ask.ts';
import { buttonKind } from '../windows/classes.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { postClick } from '../input/mouse-posted.ts';
import { clientToScreen } from '../elements/sources/controls/items.ts';
import { kindOfWindow, parentOf, readWindowInfo, type WindowInfo, windowStyle } from '../windows/window-info.ts';
import { comboParts, isSimpleCombo } from '../elements/sources/controls/combo-box.ts';
import { isMultiple } from '../elements/sources/controls/list-box.ts';
import { selectedRows } from '../elements/sources/controls/list-view.ts';
import { linkPoints } from '../elements/sources/controls/simple-controls.ts';
import { onlyDropsDown } from '../elements/sources/controls/tool-bar.ts';
import type { Locator } from '../elements/tree/tree.ts';
import {
  delivered,
  failed,
  notApplicable,
  refused,
  type Way,
  unfinished,
  type Tried,
} from '../elements/sources/ways.ts';
import { requireNoDialog, type ElementTarget } from '../elements/finding/element-target.ts';
import { appearance, appearanceChange, mayTick } from '../evidence/shown-fields.ts';
import type { Sign } from '../evidence/watch.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const MESSAGE_MS = 2000;
const SIGN_MS = 500;
/** Up to this many selected rows are deselected one by one. */
const FEW = 20;

const asker = (target: ElementTarget): Asker => new Asker(target.deadline.share(MESSAGE_MS));
/** Reads one value with its own time limit, since a sign is read repeatedly. */
const read = (hwnd: number, message: number, wParam = 0, lParam = 0): number | undefined =>
  askWithin(hwnd, message, wParam, lParam, SIGN_MS) ?? undefined;

/** WM_COMMAND as the control sends it to its parent. */
function notifyParent(info: Pick<WindowInfo, 'hwnd' | 'id'>, code: number): boolean {
  return notify(parentOf(info.hwnd), WM_COMMAND, ((code << 16) | (info.id & 0xffff)) >>> 0, info.hwnd);
}

type ItemLocator = Extract<Locator, { kind: 'item' }>;

function selectListItem(target: ElementTarget, locator: ItemLocator, info: WindowInfo): Attempt {
  const ask = asker(target);
  const isMulti = isMultiple(info.style);
  // As a click does: selects one item only, except in boxes where each click toggles one item.
  if (isMulti && (info.style & LBS_EXTENDEDSEL) !== 0) change(ask, info.hwnd, LB_SETSEL, 0, -1);
  const done = isMulti
    ? change(ask, info.hwnd, LB_SETSEL, 1, locator.index)
    : change(ask, info.hwnd, LB_SETCURSEL, locator.index);
  if (done === null || done < 0) return failed('message', 'the list box did not accept the selection');
  notifyParent(info, LBN_SELCHANGE);
  return delivered('message', isMulti ? 'LB_SETSEL and LBN_SELCHANGE' : 'LB_SETCURSEL and LBN_SELCHANGE');
}

function selectComboItem(target: ElementTarget, locator: ItemLocator, info: WindowInfo): Attempt {
  const combo = comboParts(info.hwnd).combo;
  const done = change(asker(target), combo, CB_SETCURSEL, locator.index);
  if (done === null || done < 0) return failed('message', 'the combo box did not accept the selection');
  const from = { hwnd: combo, id: readWindowInfo(combo)?.id ?? info.id };
  notifyParent(from, CBN_SELENDOK);
  // A choice closes the list, and programs take it over only then: a list that was open tells it by itself.
  if (asker(target).ask(combo, CB_GETDROPPEDSTATE) === 1) notify(combo, CB_SHOWDROPDOWN, 0, 0);
  else if (!isSimpleCombo(info.style)) notifyParent(from, CBN_CLOSEUP);
  notifyParent(from, CBN_SELCHANGE);
  return delivered('message', 'CB_SETCURSEL, CBN_SELENDOK, CBN_CLOSEUP and CBN_SELCHANGE');
}

function selectRow(target: ElementTarget, locator: ItemLocator, info: WindowInfo): Tried {
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(info.hwnd);
  if (memory === null)
    return notApplicable('message', 'the memory of its program cannot be used (by the policy, or Windows refused it)');
  const ask = asker(target);
  const set = (row: number, state: number, mask: number): number | null => {
    memory.write(0, memory.layoutOf(LVITEMW).alloc({ state, stateMask: mask }));
    const answer = change(
      ask,
      info.hwnd,
      LVM_SETITEMSTATE,
      row < 0 ? BigInt.asUintN(64, BigInt(row)) : row,
      memory.address,
    );
    if (answer === null) memory.abandon();
    return answer;
  };
  // A few rows are deselected one by one: “all rows” makes the list view iterate over its whole content.
  const count = ask.ask(info.hwnd, LVM_GETSELECTEDCOUNT);
  if (count === null || count > FEW) set(-1, 0, LVIS_SELECTED);
  else if (count > 0) for (const row of selectedRows(ask, info.hwnd, -1, FEW)) set(row, 0, LVIS_SELECTED);
  const isSet = set(locator.index, LVIS_SELECTED | LVIS_FOCUSED, LVIS_SELECTED | LVIS_FOCUSED);
  wakeLoop(info.hwnd);
  // A program that asks something when it is notified returns after the answer.
  if (isSet === null) return unfinished('message', 'LVM_SETITEMSTATE');
  // Windows answers 0 for a control that its program ended when it was notified.
  if (!user32.IsWindow(info.hwnd)) return delivered('message', 'LVM_SETITEMSTATE, after which the list view was gone');
  return isSet === 0
    ? failed('message', 'the list view did not accept the selection')
    : delivered('message', 'LVM_SETITEMSTATE, which notifies by itself');
}

function selectTreeItem(locator: ItemLocator): Attempt {
  return notify(locator.hwnd, TVM_SELECTITEM, TVGN_CARET, locator.handle)
    ? delivered('message', 'TVM_SELECTITEM, which notifies by itself')
    : failed('message', 'the message could not be sent');
}

/**
 * Windows notifies for a tab that gets the focus, not for one selected by TCM_SETCURSEL; with button-style tabs the
 * focus does not select.
 */
function selectTab(locator: ItemLocator, info: WindowInfo): Attempt {
  if ((info.style & TCS_BUTTONS) !== 0)
    return notApplicable('message', 'button-style tabs are selected only by a click');
  return notify(locator.hwnd, TCM_SETCURFOCUS, locator.index, 0)
    ? delivered('message', 'TCM_SETCURFOCUS, which notifies by itself')
    : failed('message', 'the message could not be sent');
}

/**
 * A tool bar button's click is its command; a check button changes its state first, as a click does. A button that
 * opens a menu has no command.
 */
function pressToolButton(target: ElementTarget, locator: ItemLocator, info: WindowInfo): Attempt {
  const ask = asker(target);
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(info.hwnd);
  if (memory !== null && onlyDropsDown(ask, memory, info.hwnd, locator.index, locator.handle))
    return notApplicable('message', 'a button that opens a menu is pressed only by a click');
  if (target.node.controlType === 'CheckBox') {
    const state = ask.ask(info.hwnd, TB_GETSTATE, locator.handle);
    if (state === null || state < 0) return failed('message', 'the tool bar did not answer');
    change(ask, info.hwnd, TB_CHECKBUTTON, locator.handle, (state & TBSTATE_CHECKED) === 0 ? 1 : 0);
  }
  return notify(parentOf(info.hwnd), WM_COMMAND, locator.handle & 0xffff, info.hwnd)
    ? delivered('message', 'WM_COMMAND of the button')
    : failed('message', 'the message could not be sent');
}

/** Posted where the link is: the middle of the text may be another one. */
function pressLink(target: ElementTarget, locator: ItemLocator, info: WindowInfo): Attempt {
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(info.hwnd);
  if (memory === null)
    return refused('message', 'where the link is can only be asked through the memory of its program');
  const points = linkPoints(asker(target), memory, info);
  if (points === null) return refused('message', 'the control did not say in time where it is');
  const point = points.get(locator.index);
  if (point === undefined) return refused('message', 'it is no longer where the control showed it');
  return postClick(info.hwnd, clientToScreen(info)({ ...point, width: 0, height: 0 }))
    ? delivered('message', 'mouse messages to a point of the link (LM_HITTEST)')
    : failed('message', 'Windows did not accept the messages');
}

const ITEMS: Partial<
  Record<ItemLocator['item'], (target: ElementTarget, locator: ItemLocator, info: WindowInfo) => Attempt>
> = {
  'list-item': selectListItem,
  'combo-item': selectComboItem,
  'list-view-row': selectRow,
  'tree-item': (_target, locator) => selectTreeItem(locator),
  'tab-item': (_target, locator, info) => selectTab(locator, info),
  'tool-button': pressToolButton,
  link: pressLink,
};

/** Items of the standard controls, all kinds of buttons, and combo boxes. */
export const controlMessage: Way<ElementTarget & { readonly before?: unknown }> = (target) => {
  const { locator } = target.node;
  const info = readWindowInfo(target.node.hwnd);
  if (info === null) return failed('message', 'the window is gone');
  // A tool bar takes no focus.
  if (locator.kind === 'window' || (locator.kind === 'item' && locator.item !== 'tool-button')) {
    leaveField(info.hwnd);
    // The program may ask about what was typed: a person's click ends there too.
    requireNoDialog(target);
  }
  if (locator.kind === 'item')
    return (
      ITEMS[locator.item]?.(target, locator, info) ??
      notApplicable('message', 'this kind of item has no message for a click')
    );
  if (locator.kind !== 'window') return notApplicable('message', 'not a standard control');
  const kind = kindOfWindow(info.hwnd, info.className);
  // The message would press a disabled button too: that was checked before.
  if (kind === 'button' && buttonKind(info.style) !== 'group')
    return pressButton(info, asker(target), toggleState(target.before));
  if (kind === 'combo-box' && !isSimpleCombo(info.style)) {
    const combo = comboParts(info.hwnd).combo;
    return notify(combo, CB_SHOWDROPDOWN, target.node.states.has('expanded') ? 0 : 1, 0)
      ? delivered('message', 'CB_SHOWDROPDOWN')
      : failed('message', 'the message could not be sent');
  }
  return notApplicable('message', 'the control has no message for a click');
};

/** The results of BM_GETCHECK. */
const TOGGLE_STATES: readonly string[] = ['off', 'on', 'mixed'];

const toggleState = (word: unknown): number | null => {
  const state = typeof word === 'string' ? TOGGLE_STATES.indexOf(word) : -1;
  return state < 0 ? null : state;
};

function toolButtonState(hwnd: number, command: number): string | undefined {
  const state = read(hwnd, TB_GETSTATE, command);
  return state === undefined ? undefined : (state & TBSTATE_CHECKED) === 0 ? 'off' : 'on';
}

/** The mark of a check box or radio button. */
export const checkState = (hwnd: number): Sign => ({
  kind: 'toggle',
  read: () => TOGGLE_STATES[read(hwnd, BM_GETCHECK) ?? -1],
  at: checkState,
});

/** What a click on the element must change; null if any change counts. */
export function signOfClick(target: ElementTarget): Sign | null {
  const { locator, hwnd, controlType } = target.node;
  if (locator.kind === 'item') return signOfItem(target, locator);
  if (controlType === 'CheckBox' || controlType === 'RadioButton') return checkState(hwnd);
  if (controlType === 'ComboBox')
    return { kind: 'expanded', read: () => read(comboParts(hwnd).combo, CB_GETDROPPEDSTATE) };
  return null;
}

/**
 * What a click on the element may change in addition: a tool bar button that its program keeps pressed, without the
 * check-button style.
 */
export function hintOfClick({ node: { locator, controlType } }: ElementTarget): Sign | null {
  if (locator.kind !== 'item' || locator.item !== 'tool-button' || controlType === 'CheckBox') return null;
  return { kind: 'toggle', read: () => toolButtonState(locator.hwnd, locator.handle) };
}

/** The value that shows that the item is selected: it, and no other. */
export function signOfItem(target: ElementTarget, locator: ItemLocator): Sign | null {
  const sign = valueOfItem(target, locator);
  if (sign?.kind !== 'selection') return sign;
  const isFollowed = locator.item === 'tab-item' ? pageFollows(target.root) : () => true;
  const isMeant = (value: unknown): boolean => isItemSelected(locator, value);
  return {
    ...sign,
    isMeant: (value) => isMeant(value) && isFollowed(),
    // The items of another tree have other handles.
    at: (hwnd) => {
      const other = locator.item === 'tree-item' ? null : valueOfItem(target, { ...locator, hwnd });
      return other === null ? null : { ...other, isMeant };
    },
  };
}

/**
 * A tab control may hold a tab that its program refused to leave (TCN_SELCHANGING): the program's windows show whether it
 * went along.
 */
function pageFollows(root: number): () => boolean {
  const before = appearance(root);
  return () => isLasting(appearanceChange(before, appearance(root)));
}

const isLasting = (seen: Evidence | null): boolean => seen !== null && !mayTick(seen);

function valueOfItem(target: ElementTarget, locator: ItemLocator): Sign | null {
  const { hwnd, index, handle } = locator;
  switch (locator.item) {
    case 'list-item': {
      const style = readWindowInfo(hwnd)?.style ?? 0;
      return {
        kind: 'selection',
        read: () => (isMultiple(style) ? read(hwnd, LB_GETSEL, index) : read(hwnd, LB_GETCURSEL)),
      };
    }
    case 'combo-item':
      return { kind: 'selection', read: () => read(comboParts(hwnd).combo, CB_GETCURSEL) };
    case 'list-view-row':
      return {
        kind: 'selection',
        read: () => ((read(hwnd, LVM_GETITEMSTATE, index, LVIS_SELECTED) ?? 0) & LVIS_SELECTED) !== 0,
      };
    case 'tree-item':
      return { kind: 'selection', read: () => read(hwnd, TVM_GETNEXTITEM, TVGN_CARET) === handle };
    case 'tab-item':
      return { kind: 'selection', read: () => read(hwnd, TCM_GETCURSEL) };
    case 'tool-button':
      return target.node.controlType === 'CheckBox'
        ? { kind: 'toggle', read: () => toolButtonState(hwnd, handle) }
        : null;
    default:
      return null;
  }
}

/** Whether the sign already shows the selection. */
export function isItemSelected(locator: ItemLocator, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (locator.item === 'list-item' && isMultiple(readWindowInfo(locator.hwnd)?.style ?? 0))
    return typeof value === 'number' && value > 0;
  return value === locator.index;
}

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
 * Clicks a button through the notifications to its parent. BM_CLICK simulates a mouse click: it moves the focus to the
 * button, which under Wine 10 takes the foreground from the person. So the state is set as a click would.
 * Source: learn.microsoft.com/windows/win32/controls/button-messages. The parent is notified without waiting: it may open a dialog and return only when that is closed.
 * @param known its check state, if it has just been asked
 */
function pressButton(info: WindowInfo, asker: Asker, known: number | null): Tried {
  const state = known ?? asker.ask(info.hwnd, BM_GETCHECK);
  if (state === null) return failed('message', 'the button did not answer');
  const next = nextState(info.style, state);
  let isLate = false;
  if (next !== null) {
    // Once sent it may be processed late, before what follows: another way would toggle the button back.
    isLate = changeWithin(info.hwnd, BM_SETCHECK, next, 0, SET_MS) === null;
    if (isLate && !user32.IsWindow(info.hwnd)) return failed('message', 'the button is gone');
    if ((info.style & BS_TYPEMASK) === BS_AUTORADIOBUTTON)
      for (const other of groupOf(info.hwnd)) change(asker, other, BM_SETCHECK, 0);
  }
  const told = tellPressed(info.hwnd);
  if (told === null) return failed('message', 'the message could not be sent');
  const how = next === null ? told : `BM_SETCHECK, and ${told}`;
  return isLate ? unfinished('message', how) : delivered('message', how);
}
