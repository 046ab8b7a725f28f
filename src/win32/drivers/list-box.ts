/** List boxes. Source: learn.microsoft.com/windows/win32/controls/list-boxes */
import { rectContains, sameRect } from '../../contract/element/coordinates.ts';
import { text16 } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import type { ElementState } from '../../contract/element/control-types.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import { toolkitOfClass } from '../../contract/ways/receivers.ts';
import { admitAsks, Asker, MOST_UNITS } from '../windows/ask.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { along, change, choosing } from '../exits/messages.ts';
import { delivered, failed, type Tried } from './driver.ts';
import { classNameOf, type WindowInfo, windowStyle } from '../windows/window-info.ts';
import { readRect } from '../windows/rects.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import type {
  Acted,
  Driver,
  ItemLocator,
  Mark,
  MarkPlace,
  Question,
  ControlReader,
  ItemList,
  ItemReader,
  ListedItem,
} from './driver.ts';
import {
  aloneOrOf,
  answersTo,
  notifyParent,
  readNow,
  stateImage,
  type ItemSeed,
  clientToScreen,
  itemNode,
  MOST_ALIKE,
  numbered,
  SMALL_LIST,
} from './items.ts';

const OWNER_DRAWN = m.LBS_OWNERDRAWFIXED | m.LBS_OWNERDRAWVARIABLE;

const isMultiple = (style: number): boolean => (style & (m.LBS_MULTIPLESEL | m.LBS_EXTENDEDSEL)) !== 0;

/** Owner-drawn boxes without strings answer with their program's private data instead of a text. */
const hasTexts = (style: number): boolean =>
  (style & m.LBS_NODATA) === 0 && ((style & OWNER_DRAWN) === 0 || (style & m.LBS_HASSTRINGS) !== 0);

/**
 * What list boxes and combo boxes write texts into, all zero. The system asks the program for the length again, by which time
 * it may be any other, and knows nothing of ours: it is as long as a text may be.
 */
const textOut = Buffer.alloc((MOST_UNITS + 2) * 2);

/**
 * The text of an item of a list box, or of a combo box by its own messages; null: it was not answered, or there is no such item;
 * undefined: the program keeps it to itself.
 */
export function itemText(
  asker: Asker,
  hwnd: number,
  index: number,
  getLength: number = m.LB_GETTEXTLEN,
  getText: number = m.LB_GETTEXT,
): string | null | undefined {
  const length = asker.ask(hwnd, getLength, index);
  if (length === null) return null;
  if (length > MOST_UNITS) return undefined;
  const read = asker.ask(hwnd, getText, index, textOut);
  if (read === null || (read < 0 && length < 0)) return null;
  const text = text16(textOut);
  textOut.fill(0, 0, (Math.min(Math.max(read, length, text.length), MOST_UNITS) + 2) * 2);
  // The system copies as much as the program answered to one of the two, which need not be all of it.
  return text.length === read && (read > 0 || length === 0) ? text : undefined;
}

export const emptyIfUnknown = (text: string | null | undefined): string | null => (text === undefined ? '' : text);

let registered = 0;
/**
 * Asks the CheckedListBox of Windows Forms for the mark of an item: the number is the session’s.
 * Source: dotnet/winforms CheckedListBox.cs (WndProc)
 */
function formsCheckMessage(): number {
  if (registered !== 0) return registered;
  registered = user32.RegisterWindowMessageW('LBC_GETCHECKSTATE');
  admitAsks(['list-box'], [registered]);
  return registered;
}

/**
 * Whether items of a list box have a check mark, by the message with which the CheckedListBox of Windows Forms answers other
 * programs; null where the marks are the program’s own (wxCheckListBox, TCheckListBox), or there are none.
 */
function marksOf(asker: Asker, hwnd: number, className: string): ((index: number) => boolean) | null {
  if (toolkitOfClass(className) !== 'winforms') return null;
  const message = formsCheckMessage();
  // Other list boxes answer 0 to it, also where there is no item.
  if ((asker.ask(hwnd, message, NO_ITEM) ?? 0) >= 0) return null;
  return (index) => (asker.ask(hwnd, message, index) ?? 0) > 0;
}

const isDrawnBox = (style: number): boolean => (style & OWNER_DRAWN) !== 0;

/** -1 as a word. */
const NO_ITEM = 0xffff_ffff_ffff_ffffn;

const rectMemory = Buffer.alloc(16);

/** Client rectangle of an item, visible or not. */
export function listItemRect(asker: Asker, hwnd: number, index: number): Rect | null {
  const answer = asker.ask(hwnd, m.LB_GETITEMRECT, index, rectMemory);
  return answer === null || answer < 0 ? null : readRect(rectMemory);
}

function isSelected(asker: Asker, info: WindowInfo, index: number, current: number | null): boolean {
  if ((info.style & m.LBS_NOSEL) !== 0) return false;
  return isMultiple(info.style) ? (asker.ask(info.hwnd, m.LB_GETSEL, index) ?? 0) > 0 : index === current;
}

/**
 * The indices whose text is exactly this, found by the control's own search, which ignores case.
 * Source: learn.microsoft.com/windows/win32/controls/lb-findstringexact
 */
export function findText(
  asker: Asker,
  hwnd: number,
  message: number,
  text: string,
  textAt: (index: number) => string | null,
): ListedItem[] {
  if (text === '') return [];
  const memory = Buffer.from(`${text}\0`, 'utf16le');
  const found: ListedItem[] = [];
  // The search continues behind the given item and wraps around at the end.
  for (let last = -1, tried = 0; tried < MOST_ALIKE; tried++) {
    const index = asker.ask(hwnd, message, BigInt.asUintN(64, BigInt(last)), memory);
    if (index === null || index <= last) break;
    if (textAt(index) === text) found.push({ index, handle: index, name: text, depth: 0 });
    last = index;
  }
  return found;
}

/**
 * The items of a box, which its own messages know by their index.
 * @param nodeOf the node of an item; `isPlaced`: with its place, null if that was not answered
 */
export function indexedItems(
  count: number,
  isDrawn: boolean,
  textAt: (index: number) => string | null,
  find: (text: string) => ListedItem[],
  nodeOf: (index: number, name: string, isPlaced: boolean) => TreeNode | null,
): ItemList {
  const at = (index: number): ListedItem | null => {
    const name = textAt(index);
    return name === null ? null : { index, handle: index, name, depth: 0 };
  };
  return {
    count,
    isDrawn,
    find: (text) => (isDrawn ? [] : find(text)),
    at,
    *items(from) {
      for (let index = from; index < count; index++) {
        const item = at(index);
        if (item === null) return;
        yield item;
      }
    },
    known(identity) {
      const index = Number(/^item:(\d+):/.exec(identity)?.[1] ?? Number.NaN);
      const item = index < count ? at(index) : null;
      return item !== null && identityAt(index, item.name) === identity ? item : null;
    },
    row: ({ index, name }) => nodeOf(index, name, false)!,
    branch({ index, name = textAt(index) ?? undefined }) {
      const node = name === undefined ? null : nodeOf(index, name, true);
      return node === null ? null : [node];
    },
  };
}

/** Empty where the box has no texts. */
const textOf =
  (asker: Asker, info: WindowInfo) =>
  (index: number): string | null =>
    hasTexts(info.style) ? emptyIfUnknown(itemText(asker, info.hwnd, index)) : '';

/**
 * Client rectangles of consecutive items. In a box with one column and rows of one height the first and the last give
 * all others; an item that was not answered ends the list.
 */
function* rectsFrom(asker: Asker, info: WindowInfo, from: number, end: number, first: Rect | null): Generator<Rect> {
  if (first === null) return;
  const at = (index: number): Rect => ({ ...first, y: first.y + (index - from) * first.height });
  const last = end - from > 2 ? listItemRect(asker, info.hwnd, end - 1) : null;
  const isEven =
    last !== null && (info.style & m.LBS_OWNERDRAWVARIABLE) === 0 && first.height > 0 && sameRect(last, at(end - 1));
  for (let index = from; index < end; index += 1) {
    const rect = index === from ? first : isEven ? at(index) : listItemRect(asker, info.hwnd, index);
    if (rect === null) return;
    yield rect;
  }
}

const marksIn = (asker: Asker, info: WindowInfo): ReturnType<typeof marksOf> =>
  isDrawnBox(info.style) ? marksOf(asker, info.hwnd, info.className) : null;

/** An item of a box that is not read completely. */
function boxItem(
  { asker, info, node }: Pick<ItemReader, 'asker' | 'info' | 'node'>,
  item: Pick<ItemSeed, 'index' | 'name' | 'rect' | 'identity'>,
  current: number | null,
  isMarked: ReturnType<typeof marksOf> = marksIn(asker, info),
): TreeNode {
  const states: ElementState[] = isSelected(asker, info, item.index, current) ? ['selected'] : [];
  if (isMarked?.(item.index) === true) states.push('checked');
  const isHidden = !hasTexts(info.style) || (item.name === '' && itemText(asker, info.hwnd, item.index) === undefined);
  const unread = isHidden ? ('text' as const) : null;
  return itemNode(node, { ...item, kind: 'list-item', controlType: 'ListItem', states, unread });
}

/** Position of an item in a list that is not read completely. */
export const identityAt = (index: number, text: string): string => `item:${index}:${text}`;
const currentOf = (asker: Asker, info: WindowInfo): number | null =>
  isMultiple(info.style) ? null : asker.ask(info.hwnd, m.LB_GETCURSEL);

function listBoxItems(reader: ItemReader): ItemList | null {
  const { info, asker } = reader;
  const count = asker.ask(info.hwnd, m.LB_GETCOUNT);
  if (count === null || count < 0) return null;
  const textAt = textOf(asker, info);
  const find = (text: string): ListedItem[] => findText(asker, info.hwnd, m.LB_FINDSTRINGEXACT, text, textAt);
  let current: number | null | undefined;
  return indexedItems(count, !hasTexts(info.style), textAt, find, (index, name, isPlaced) => {
    if (isPlaced || current === undefined) current = currentOf(asker, info);
    const rect = isPlaced ? listItemRect(asker, info.hwnd, index) : null;
    if (isPlaced && rect === null) return null;
    const place = rect === null ? info.rect : clientToScreen(info)(rect);
    return boxItem(reader, { index, name, rect: place, identity: identityAt(index, name) }, current);
  });
}

const readListBox: ControlReader = ({ info, node }, { asker, omitsRows }) => {
  const count = asker.ask(info.hwnd, m.LB_GETCOUNT);
  if (count === null || count <= 0) return;
  const whole = count <= SMALL_LIST;
  if (!whole && omitsRows === true) {
    node.itemCount = count;
    return;
  }
  const current = currentOf(asker, info);
  const isMarked = marksIn(asker, info);
  if (isDrawnBox(info.style) && hasTexts(info.style) && isMarked === null) node.unread = 'marks';
  const toScreen = clientToScreen(info);
  const top = whole ? 0 : topItem(asker, info.hwnd);
  const first = listItemRect(asker, info.hwnd, top);
  const inView = Math.ceil(info.client.height / Math.max(1, first?.height ?? 16));
  const end = whole ? count : Math.min(count, top + inView);
  const unique = numbered();
  const textAt = textOf(asker, info);
  const add = (index: number, rect: Rect): boolean => {
    const text = textAt(index);
    if (text === null) return false;
    const identity = whole ? `item:${unique(text)}` : identityAt(index, text);
    const item = { index, name: text, rect: toScreen(rect), identity };
    node.children.push(boxItem({ asker, info, node }, item, current, isMarked));
    return true;
  };
  let index = top;
  for (const rect of rectsFrom(asker, info, top, end, first)) if (!add(index++, rect)) break;
  const isElsewhere = current !== null && current >= 0 && current < count && (current < top || current >= end);
  const rect = isElsewhere && index === end ? listItemRect(asker, info.hwnd, current) : null;
  if (rect !== null) add(current!, rect);
  if (node.children.length < count) node.itemCount = count;
};

function select({ info, asker }: Acted, { index }: ItemLocator): Tried {
  const isMulti = isMultiple(info.style);
  // As a click does: selects one item only, except in boxes where each click toggles one item.
  if (isMulti && (info.style & m.LBS_EXTENDEDSEL) !== 0) change(asker, info.hwnd, m.LB_SETSEL, 0, -1);
  const done = isMulti
    ? change(asker, info.hwnd, m.LB_SETSEL, 1, index)
    : change(asker, info.hwnd, m.LB_SETCURSEL, index);
  if (done === null || done < 0) return failed('message', 'the list box did not accept the selection');
  notifyParent(info, m.LBN_SELCHANGE);
  return delivered('message', isMulti ? 'LB_SETSEL and LBN_SELCHANGE' : 'LB_SETCURSEL and LBN_SELCHANGE');
}

/** How many items before and after the cursor are asked. */
const NEAR_CURSOR = 50;

/** The first selected item near the cursor; null if none is. */
function firstSelected(asker: Asker, hwnd: number, cursor: number): number | null {
  for (let index = Math.max(0, cursor - NEAR_CURSOR); index <= cursor + NEAR_CURSOR && !asker.isOver; index += 1) {
    const isSelected = asker.ask(hwnd, m.LB_GETSEL, index);
    if (isSelected === null || isSelected < 0) return null;
    if (isSelected > 0) return index;
  }
  return null;
}

/** In a box of several selected items the cursor moves without choosing anything. */
function multipleState(asker: Asker, hwnd: number, style: number): Map<string, number | null> {
  const answers = answersTo(asker, hwnd, [
    ['selected-count', m.LB_GETSELCOUNT],
    ['scroll-position', m.LB_GETTOPINDEX],
  ]);
  const cursor = asker.ask(hwnd, m.LB_GETCURSEL);
  answers.set('selection', cursor === null ? null : firstSelected(asker, hwnd, cursor));
  // With the keys of an extended box it moves together with the selection.
  if ((style & m.LBS_EXTENDEDSEL) === 0) answers.set('cursor', cursor);
  return answers;
}

/** The state images of a check box, that a mark is shown as. */
const [UNCHECKED, CHECKED] = [0x1000, 0x2000];
const MARK_MS = 1000;
/** A mark that a program draws is a square at the left of its item, with this much (pixels) around it. */
const MARK_MARGIN = 4;
/** At most this many items of a list box are in view. */
const MOST_ITEMS = 500;

/** The mark of a list box whose program draws its items; null if the point is not where marks are. */
function drawnMark({ hwnd, client }: MarkPlace): Mark | null {
  if (!isDrawnBox(windowStyle(hwnd))) return null;
  const asker = new Asker(MARK_MS);
  const top = asker.ask(hwnd, m.LB_GETTOPINDEX) ?? 0;
  for (let index = top; index < top + MOST_ITEMS; index += 1) {
    const rect = listItemRect(asker, hwnd, index);
    if (rect === null || rect.y > client.y) return null;
    if (!rectContains(rect, client)) continue;
    if (client.x >= rect.x + rect.height + MARK_MARGIN) return null;
    const isMarked = marksOf(asker, hwnd, classNameOf(hwnd));
    return { read: () => (isMarked === null ? null : isMarked(index) ? CHECKED : UNCHECKED), word: stateImage };
  }
  return null;
}

const questions: readonly Question[] = [
  ['selection', m.LB_GETCURSEL],
  ['scroll-position', m.LB_GETTOPINDEX],
];

/** The first item in view of a list; 0 where it does not say. */
export const topItem = (asker: Asker, hwnd: number): number => Math.max(0, asker.ask(hwnd, m.LB_GETTOPINDEX) ?? 0);

export const listBox: Driver = {
  kinds: ['list-box'],
  item: 'list-item',
  asks: [
    [
      m.LB_FINDSTRINGEXACT,
      m.LB_GETCOUNT,
      m.LB_GETCURSEL,
      m.LB_GETITEMRECT,
      m.LB_GETSEL,
      m.LB_GETSELCOUNT,
      m.LB_GETTEXT,
    ],
    [m.LB_GETTEXTLEN, m.LB_GETTOPINDEX],
  ].flat(),
  changes: [...along(m.LB_SETTOPINDEX), ...choosing(m.LB_SETCURSEL, m.LB_SETSEL)],
  read: readListBox,
  items: listBoxItems,
  questions,
  state(asker, hwnd) {
    const style = windowStyle(hwnd);
    return isMultiple(style) ? multipleState(asker, hwnd, style) : answersTo(asker, hwnd, questions);
  },
  choose: select,
  reveal: (asker, { hwnd, index }) => change(asker, hwnd, m.LB_SETTOPINDEX, index),
  itemSign({ hwnd, index }) {
    const style = windowStyle(hwnd);
    const isMulti = isMultiple(style);
    return {
      kind: 'selection',
      read: () =>
        isMulti
          ? (readNow(hwnd, m.LB_GETSEL, index) ?? 0) > 0 &&
            ((style & m.LBS_EXTENDEDSEL) === 0 || aloneOrOf(readNow(hwnd, m.LB_GETSELCOUNT)))
          : readNow(hwnd, m.LB_GETCURSEL),
      isMeant: (value) => value === (isMulti ? true : index),
    };
  },
  markAt: drawnMark,
};
