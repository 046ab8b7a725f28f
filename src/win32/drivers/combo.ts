/**
 * Combo boxes: one element with its items; the edit and the list inside are not shown separately. Source:
 * learn.microsoft.com/windows/win32/controls/combo-boxes
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { COMBOBOXEXITEMW, COMBOBOXINFO } from '../../../native-bindings/win32/structs.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { RemoteBlocks, RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import {
  classNameOf,
  kindOfWindow,
  parentOf,
  readWindowInfo,
  type WindowInfo,
  isPasswordEdit,
} from '../windows/window-info.ts';
import { askCue } from './edit.ts';
import { change, choosing, notify } from '../exits/messages.ts';
import { delivered, failed, notApplicable, type Tried } from './driver.ts';
import { askWithin, type Asker } from '../windows/ask.ts';
import type {
  Acted,
  Driver,
  ItemLocator,
  ReadContext,
  WindowEntry,
  ControlReader,
  ItemList,
  ItemReader,
  ListedItem,
} from './driver.ts';
import { notifyParent, readNow, askItem, clientToScreen, itemNode, numbered, SMALL_LIST, TEXT_UNITS } from './items.ts';
import { findText, identityAt, indexedItems, emptyIfUnknown, itemText, listItemRect, topItem } from './list-box.ts';

const TYPE_MASK = m.CBS_SIMPLE | m.CBS_DROPDOWN;
const OWNER_DRAWN = m.CBS_OWNERDRAWFIXED | m.CBS_OWNERDRAWVARIABLE;

/** No text can be typed into it. */
export const isDropDownList = (style: number): boolean => (style & TYPE_MASK) === m.CBS_DROPDOWNLIST;
const isSimpleCombo = (style: number): boolean => (style & TYPE_MASK) === m.CBS_SIMPLE;

const EDIT_MS = 500;

/** The windows that make up a combo box. */
export interface ComboParts {
  /** The combo box itself: for a ComboBoxEx32, or one inside a program's frame window, the inner one. */
  readonly combo: number;
  /** The edit; 0 if only list entries can be chosen. */
  readonly edit: number;
  /** The list; 0 if unknown. */
  readonly list: number;
}

/**
 * A ComboBoxEx32 creates a drop-down list and puts its own edit into it, which the inner combo box does not know: it
 * reports none.
 * Source: learn.microsoft.com/windows/win32/controls/comboboxex-control-reference, .../api/winuser/nf-winuser-getcomboboxinfo
 */
export function comboParts(hwnd: number): ComboParts {
  const inner = user32.FindWindowExW(hwnd, 0, 'ComboBox', null);
  const combo = inner === 0 ? hwnd : inner;
  const info = COMBOBOXINFO.alloc({ cbSize: COMBOBOXINFO.size });
  const { hwndItem, hwndList } = user32.GetComboBoxInfo(combo, info)
    ? COMBOBOXINFO.read(info)
    : { hwndItem: combo, hwndList: 0 };
  const own = hwndItem === combo ? user32.FindWindowExW(combo, 0, 'Edit', null) : hwndItem;
  const isExtended = own === 0 && classNameOf(hwnd).toLowerCase() === 'comboboxex32';
  const edit = isExtended ? (askWithin(hwnd, m.CBEM_GETEDITCONTROL, 0, 0, EDIT_MS) ?? 0) : own;
  return { combo, edit, list: hwndList };
}

/** The typed text. Never that of a password field. */
function editText(edit: number, node: TreeNode, asker: Asker): string | null {
  const style = readWindowInfo(edit)?.style ?? 0;
  if ((style & m.ES_READONLY) !== 0) node.states.add('readonly');
  if (!isPasswordEdit(edit)) return asker.text(edit);
  node.states.add('password');
  return null;
}

/** The text of an owner-drawn box without strings is private data of its program. */
const hasStrings = (style: number): boolean => (style & OWNER_DRAWN) === 0 || (style & m.CBS_HASSTRINGS) !== 0;

/** The text of an item of a ComboBoxEx32, which keeps its items itself; null: it was not answered; undefined: not known. */
function extendedText(asker: Asker, memory: RemoteMemory, hwnd: number, index: number): string | null | undefined {
  const item = askItem({ asker, memory, hwnd }, [m.CBEM_GETITEMW, 0], COMBOBOXEXITEMW, (pszText) => ({
    mask: m.CBEIF_TEXT,
    iItem: index,
    pszText,
    cchTextMax: TEXT_UNITS,
  }));
  return item === null ? null : (item.text(item.fields.pszText) ?? undefined);
}

interface Combo extends ComboParts {
  readonly style: number;
  /** Whether its items have texts that can be asked for. */
  readonly hasTexts: boolean;
  /** Empty where they have none, or it is not known; null if it was not answered. */
  textAt(index: number): string | null;
  /** Whether an item that was read as empty has a text that is not known. */
  hidesAt(index: number): boolean;
}

/** The box, and the means of reading its items. */
function comboOf(info: WindowInfo, asker: Asker, remote: RemoteBlocks): Combo {
  const parts = comboParts(info.hwnd);
  const { combo } = parts;
  const style = combo === info.hwnd ? info.style : (readWindowInfo(combo)?.style ?? info.style);
  const comboWith = (hasTexts: boolean, textOf: (index: number) => string | null | undefined): Combo => ({
    ...parts,
    style,
    hasTexts,
    textAt: (index) => emptyIfUnknown(textOf(index)),
    hidesAt: (index) => textOf(index) === undefined,
  });
  if (hasStrings(style))
    return comboWith(true, (index) => itemText(asker, combo, index, m.CB_GETLBTEXTLEN, m.CB_GETLBTEXT));
  const outer = combo === info.hwnd ? parentOf(combo) : info.hwnd;
  const memory = classNameOf(outer).toLowerCase() === 'comboboxex32' ? remote.for(outer) : null;
  return memory === null
    ? comboWith(false, () => undefined)
    : comboWith(true, (index) => extendedText(asker, memory, outer, index));
}

const isDropped = (asker: Asker, combo: number, style: number): boolean =>
  !isSimpleCombo(style) && asker.ask(combo, m.CB_GETDROPPEDSTATE) === 1;

/** The list while it is open: a separate window outside the combo box. */
const openList = (style: number, isOpen: boolean, list: number): WindowInfo | null =>
  (isOpen || isSimpleCombo(style)) && list !== 0 ? readWindowInfo(list) : null;

interface Entries extends Pick<Combo, 'hidesAt'> {
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly list: WindowInfo | null;
  readonly toScreen: ((rect: Rect) => Rect) | null;
  readonly selected: number | null;
}

function comboItem(
  { node, asker, list, toScreen, selected, hidesAt }: Entries,
  index: number,
  text: string,
  identity: string,
): TreeNode {
  const rect = list === null ? null : listItemRect(asker, list.hwnd, index);
  const item = itemNode(node, {
    kind: 'combo-item',
    identity,
    index,
    controlType: 'ListItem',
    name: text,
    rect: rect === null || toScreen === null ? node.rect : toScreen(rect),
    states: index === selected ? ['selected'] : [],
    unread: text === '' && hidesAt(index) ? 'text' : null,
  });
  if (rect === null) item.states.add('offscreen');
  else item.popup = list!.client;
  return item;
}

function comboItems({ info, node, asker, remote }: ItemReader): ItemList | null {
  const { combo, style, list, hasTexts, textAt, hidesAt } = comboOf(info, asker, remote);
  const count = asker.ask(combo, m.CB_GETCOUNT);
  if (count === null || count < 0) return null;
  const find = (text: string): ListedItem[] => findText(asker, combo, m.CB_FINDSTRINGEXACT, text, textAt);
  let selected: number | null | undefined;
  return indexedItems(count, !hasTexts, textAt, find, (index, name, isPlaced) => {
    if (isPlaced || selected === undefined) selected = asker.ask(combo, m.CB_GETCURSEL);
    const opened = isPlaced ? openList(style, isDropped(asker, combo, style), list) : null;
    const toScreen = opened === null ? null : clientToScreen(opened);
    const entries: Entries = { node, asker, list: opened, toScreen, selected, hidesAt };
    return comboItem(entries, index, name, identityAt(index, name));
  });
}

/** The visible items of an open list. */
function inView(asker: Asker, list: WindowInfo, count: number): number[] {
  const top = topItem(asker, list.hwnd);
  const height = Math.max(1, listItemRect(asker, list.hwnd, top)?.height ?? 16);
  return Array.from(
    { length: Math.max(0, Math.min(count - top, Math.ceil(list.client.height / height))) },
    (_, offset) => top + offset,
  );
}

/** What a combo box shows while nothing is chosen or typed; null if there is nothing, or it did not answer. */
function comboCue({ info }: WindowEntry, { asker, remote }: Pick<ReadContext, 'asker' | 'remote'>): string | null {
  const { combo } = comboParts(info.hwnd);
  return askCue(asker, remote.for(combo), combo, m.CB_GETCUEBANNER);
}

const readComboBox: ControlReader = ({ info, node }, { asker, remote }) => {
  const { combo, edit, style, list, hasTexts, textAt, hidesAt } = comboOf(info, asker, remote);
  const selected = asker.ask(combo, m.CB_GETCURSEL);
  if (edit !== 0) {
    node.value = editText(edit, node, asker);
    if (node.value === null && !node.states.has('password')) node.unread = 'value';
  } else if (!hasTexts && selected !== null && selected >= 0) node.unread = 'value';
  else if (hasTexts)
    node.value = isDropDownList(style)
      ? selected === null || selected < 0
        ? ''
        : textAt(selected)
      : asker.text(combo);
  if (edit === 0 && selected !== null && selected >= 0 && node.value === '' && hidesAt(selected))
    [node.value, node.unread] = [null, 'value'];
  const isOpen = isDropped(asker, combo, style);
  if (!isSimpleCombo(style)) node.states.add(isOpen ? 'expanded' : 'collapsed');
  const count = asker.ask(combo, m.CB_GETCOUNT);
  if (count === null || count <= 0) return;
  const isWhole = count <= SMALL_LIST;
  const opened = openList(style, isOpen, list);
  const entries: Entries = {
    node,
    asker,
    list: opened,
    toScreen: opened === null ? null : clientToScreen(opened),
    selected,
    hidesAt,
  };
  const unique = numbered();
  for (const index of isWhole
    ? Array.from({ length: count }, (_, at) => at)
    : opened === null
      ? []
      : inView(asker, opened, count)) {
    const text = textAt(index);
    if (text === null) break;
    node.children.push(comboItem(entries, index, text, isWhole ? `item:${unique(text)}` : identityAt(index, text)));
  }
  if (node.children.length < count) node.itemCount = count;
};

/** What has the focus for a control: the edit of a combo box. */
export function partWithFocus(hwnd: number): number {
  if (kindOfWindow(hwnd) !== 'combo-box') return hwnd;
  const { combo, edit } = comboParts(hwnd);
  return edit === 0 ? combo : edit;
}

/** Whether keys to a combo box, or to its edit, choose in its open list. */
export const isListOpen = (hwnd: number): boolean =>
  [hwnd, parentOf(hwnd)].some((part) => kindOfWindow(part) === 'combo-box' && droppedState(part) === 1);

const droppedState = (hwnd: number): number | undefined => readNow(comboParts(hwnd).combo, m.CB_GETDROPPEDSTATE);

function press({ info, node }: Acted): Tried {
  if (isSimpleCombo(info.style)) return notApplicable('message', 'the control has no message for a click');
  return notify(comboParts(info.hwnd).combo, m.CB_SHOWDROPDOWN, node.states.has('expanded') ? 0 : 1, 0)
    ? delivered('message', 'CB_SHOWDROPDOWN')
    : failed('message', 'the message could not be sent');
}

function select({ info, asker }: Acted, { index }: ItemLocator): Tried {
  const { combo } = comboParts(info.hwnd);
  const done = change(asker, combo, m.CB_SETCURSEL, index);
  if (done === null || done < 0) return failed('message', 'the combo box did not accept the selection');
  const from = { hwnd: combo, id: readWindowInfo(combo)?.id ?? info.id };
  notifyParent(from, m.CBN_SELENDOK);
  // A choice closes the list, and programs take it over only then: a list that was open tells it by itself.
  if (asker.ask(combo, m.CB_GETDROPPEDSTATE) === 1) notify(combo, m.CB_SHOWDROPDOWN, 0, 0);
  else if (!isSimpleCombo(info.style)) notifyParent(from, m.CBN_CLOSEUP);
  notifyParent(from, m.CBN_SELCHANGE);
  return delivered('message', 'CB_SETCURSEL, CBN_SELENDOK, CBN_CLOSEUP and CBN_SELCHANGE');
}

export const combo: Driver = {
  kinds: ['combo-box'],
  item: 'combo-item',
  asks: [
    [m.CB_FINDSTRINGEXACT, m.CB_GETCOUNT, m.CB_GETCURSEL, m.CB_GETDROPPEDSTATE, m.CB_GETLBTEXT, m.CB_GETLBTEXTLEN],
    [m.CB_GETCUEBANNER, m.CBEM_GETEDITCONTROL, m.CBEM_GETITEMW],
  ].flat(),
  changes: choosing(m.CB_SETCURSEL, m.CB_SHOWDROPDOWN),
  read: readComboBox,
  items: comboItems,
  cue: comboCue,
  questions: [
    ['selection', m.CB_GETCURSEL],
    ['expanded', m.CB_GETDROPPEDSTATE],
  ],
  word: (question, answer) => (question === 'expanded' ? answer !== 0 : answer),
  press,
  choose: select,
  sign: (hwnd) => ({ kind: 'expanded', read: () => droppedState(hwnd) }),
  itemSign: ({ hwnd, index }) => ({
    kind: 'selection',
    read: () => readNow(comboParts(hwnd).combo, m.CB_GETCURSEL),
    isMeant: (value) => value === index,
  }),
};
