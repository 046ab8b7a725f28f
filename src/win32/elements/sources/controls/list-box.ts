/** List boxes. Source: learn.microsoft.com/windows/win32/controls/list-boxes */
import { sameRect } from '../../../../contract/element/coordinates.ts';
import { text16 } from '../../../../../native-bindings/library.ts';
import {
  LBS_EXTENDEDSEL,
  LBS_HASSTRINGS,
  LBS_MULTIPLESEL,
  LBS_NODATA,
  LBS_NOSEL,
  LBS_OWNERDRAWFIXED,
  LBS_OWNERDRAWVARIABLE,
  LB_FINDSTRINGEXACT,
  LB_GETCOUNT,
  LB_GETCURSEL,
  LB_GETITEMRECT,
  LB_GETSEL,
  LB_GETTEXT,
  LB_GETTEXTLEN,
  LB_GETTOPINDEX,
} from '../../../../../native-bindings/win32/constants.ts';
import type { ElementState } from '../../../../contract/element/control-types.ts';
import type { Rect } from '../../../../contract/element/geometry.ts';
import { toolkitOfClass } from '../../../../contract/ways/receivers.ts';
import { MOST_UNITS, type Asker } from '../../../windows/ask.ts';
import { formsCheckMessage } from '../../../windows/reading-messages.ts';
import { type WindowInfo } from '../../../windows/window-info.ts';
import { readRect } from '../../../windows/rects.ts';
import type { TreeNode } from '../../tree/tree.ts';
import {
  type ControlReader,
  type ItemList,
  type ItemReader,
  type ItemSeed,
  type ListedItem,
  clientToScreen,
  itemNode,
  MOST_ALIKE,
  numbered,
  SMALL_LIST,
} from './items.ts';

const OWNER_DRAWN = LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE;

export const isMultiple = (style: number): boolean => (style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) !== 0;

/** Owner-drawn boxes without strings answer with their program's private data instead of a text. */
const hasTexts = (style: number): boolean =>
  (style & LBS_NODATA) === 0 && ((style & OWNER_DRAWN) === 0 || (style & LBS_HASSTRINGS) !== 0);

/**
 * What list boxes and combo boxes write texts into, all zero. The system asks the program for the length again, by which time
 * it may be any other, and knows nothing of ours: it is as long as a text may be.
 */
const textOut = Buffer.alloc((MOST_UNITS + 2) * 2);

/** The text of an item; null: it was not answered, or there is no such item; undefined: the program keeps it to itself. */
function askedText(
  asker: Asker,
  hwnd: number,
  index: number,
  getLength: number,
  getText: number,
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

/** The text of an item of a list box, or of a combo box by its own messages; empty where the program keeps it to itself. */
export function itemText(
  asker: Asker,
  hwnd: number,
  index: number,
  getLength: number = LB_GETTEXTLEN,
  getText: number = LB_GETTEXT,
): string | null {
  return emptyIfUnknown(askedText(asker, hwnd, index, getLength, getText));
}

export const emptyIfUnknown = (text: string | null | undefined): string | null => (text === undefined ? '' : text);

/** Whether an item that was read as empty has a text that its program keeps to itself. */
export const hidesText = (
  asker: Asker,
  hwnd: number,
  index: number,
  getLength: number = LB_GETTEXTLEN,
  getText: number = LB_GETTEXT,
): boolean => askedText(asker, hwnd, index, getLength, getText) === undefined;

/**
 * Whether items of a list box have a check mark, by the message with which the CheckedListBox of Windows Forms answers other
 * programs; null where the marks are the program’s own (wxCheckListBox, TCheckListBox), or there are none.
 */
export function marksOf(asker: Asker, hwnd: number, className: string): ((index: number) => boolean) | null {
  if (toolkitOfClass(className) !== 'winforms') return null;
  const message = formsCheckMessage();
  // Other list boxes answer 0 to it, also where there is no item.
  if ((asker.ask(hwnd, message, NO_ITEM) ?? 0) >= 0) return null;
  return (index) => (asker.ask(hwnd, message, index) ?? 0) > 0;
}

export const isDrawnBox = (style: number): boolean => (style & OWNER_DRAWN) !== 0;

/** -1 as a word. */
const NO_ITEM = 0xffff_ffff_ffff_ffffn;

const rectMemory = Buffer.alloc(16);

/** Client rectangle of an item, visible or not. */
export function listItemRect(asker: Asker, hwnd: number, index: number): Rect | null {
  const answer = asker.ask(hwnd, LB_GETITEMRECT, index, rectMemory);
  return answer === null || answer < 0 ? null : readRect(rectMemory);
}

function isSelected(asker: Asker, info: WindowInfo, index: number, current: number | null): boolean {
  if ((info.style & LBS_NOSEL) !== 0) return false;
  return isMultiple(info.style) ? (asker.ask(info.hwnd, LB_GETSEL, index) ?? 0) > 0 : index === current;
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

/** One item by its index. */
export function itemAt(index: number, textAt: (index: number) => string | null): ListedItem | null {
  const name = textAt(index);
  return name === null ? null : { index, handle: index, name, depth: 0 };
}

/** The item of a long list with the identity that `identityAt` gave it, if it still has its text. */
export function itemKnown(
  identity: string,
  count: number,
  textAt: (index: number) => string | null,
): ListedItem | null {
  const index = Number(/^item:(\d+):/.exec(identity)?.[1] ?? Number.NaN);
  const item = index < count ? itemAt(index, textAt) : null;
  return item !== null && identityAt(index, item.name) === identity ? item : null;
}

/** All items by index. */
export function* itemsByIndex(
  from: number,
  count: number,
  textAt: (index: number) => string | null,
): Generator<ListedItem, void> {
  for (let index = from; index < count; index++) {
    const name = textAt(index);
    if (name === null) return;
    yield { index, handle: index, name, depth: 0 };
  }
}

/** Empty where the box has no texts. */
const rowText = (asker: Asker, info: WindowInfo, index: number): string | null =>
  hasTexts(info.style) ? itemText(asker, info.hwnd, index) : '';

const textOf =
  (asker: Asker, info: WindowInfo) =>
  (index: number): string | null =>
    rowText(asker, info, index);

/**
 * Client rectangles of consecutive items. In a box with one column and rows of one height the first and the last give
 * all others; an item that was not answered ends the list.
 */
function* rectsFrom(asker: Asker, info: WindowInfo, from: number, end: number, first: Rect | null): Generator<Rect> {
  if (first === null) return;
  const at = (index: number): Rect => ({ ...first, y: first.y + (index - from) * first.height });
  const last = end - from > 2 ? listItemRect(asker, info.hwnd, end - 1) : null;
  const isEven =
    last !== null && (info.style & LBS_OWNERDRAWVARIABLE) === 0 && first.height > 0 && sameRect(last, at(end - 1));
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
  const isHidden = !hasTexts(info.style) || (item.name === '' && hidesText(asker, info.hwnd, item.index));
  const unread = isHidden ? ('text' as const) : null;
  return itemNode(node, { ...item, kind: 'list-item', controlType: 'ListItem', states, unread });
}

/** Position of an item in a list that is not read completely. */
export const identityAt = (index: number, text: string): string => `item:${index}:${text}`;
const currentOf = (asker: Asker, info: WindowInfo): number | null =>
  isMultiple(info.style) ? null : asker.ask(info.hwnd, LB_GETCURSEL);

export function listBoxItems(reader: ItemReader): ItemList | null {
  const { info, asker } = reader;
  const count = asker.ask(info.hwnd, LB_GETCOUNT);
  if (count === null || count < 0) return null;
  const textAt = textOf(asker, info);
  let current: number | null | undefined;
  return {
    count,
    isDrawn: !hasTexts(info.style),
    row({ index, name }) {
      current = current === undefined ? currentOf(asker, info) : current;
      return boxItem(reader, { index, name, rect: info.rect, identity: identityAt(index, name) }, current);
    },
    find: (text) => (hasTexts(info.style) ? findText(asker, info.hwnd, LB_FINDSTRINGEXACT, text, textAt) : []),
    items: (from) => itemsByIndex(from, count, textAt),
    at: (index) => itemAt(index, textAt),
    known: (identity) => itemKnown(identity, count, textAt),
    branch({ index, name }) {
      const text = name ?? textAt(index);
      const rect = text === null ? null : listItemRect(asker, info.hwnd, index);
      return text === null || rect === null
        ? null
        : [
            boxItem(
              reader,
              { index, name: text, rect: clientToScreen(info)(rect), identity: identityAt(index, text) },
              currentOf(asker, info),
            ),
          ];
    },
  };
}

export const readListBox: ControlReader = ({ info, node }, { asker, omitsRows }) => {
  const count = asker.ask(info.hwnd, LB_GETCOUNT);
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
  const top = whole ? 0 : Math.max(0, asker.ask(info.hwnd, LB_GETTOPINDEX) ?? 0);
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
