/** List boxes. Source: learn.microsoft.com/windows/win32/controls/list-boxes */
import { text16 } from '../../../../../native-bindings/library.ts';
import type { Rect } from '../../../../contract/geometry.ts';
import type { Asker } from '../../ask.ts';
import { rectAt, type WindowInfo } from '../../window-info.ts';
import { clientToScreen, itemNode, MOST_ITEMS, numbered, SMALL_LIST } from './items.ts';
import type { ControlReader } from './control-reader.ts';

export const LB_SETSEL = 0x0185;
export const LB_SETCURSEL = 0x0186;
export const LB_GETSEL = 0x0187;
export const LB_GETCURSEL = 0x0188;
export const LB_GETTEXT = 0x0189;
export const LB_GETTEXTLEN = 0x018a;
export const LB_GETCOUNT = 0x018b;
export const LB_GETTOPINDEX = 0x018e;
export const LB_SETTOPINDEX = 0x0197;
export const LB_GETITEMRECT = 0x0198;
const LBS_MULTIPLESEL = 0x0008;
export const LBS_EXTENDEDSEL = 0x0800;
const LBS_NOSEL = 0x4000;
const LBS_OWNERDRAW = 0x0030;
const LBS_HASSTRINGS = 0x0040;
const LBS_NODATA = 0x2000;

export const isMultiple = (style: number): boolean => (style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) !== 0;

/** Owner-drawn boxes without strings answer with their program's data instead of a text. */
const hasTexts = (style: number): boolean => (style & LBS_NODATA) === 0 && ((style & LBS_OWNERDRAW) === 0 || (style & LBS_HASSTRINGS) !== 0);

/** The text of an item of a list box, or of a combo box by its own messages. */
export function itemText(asker: Asker, hwnd: number, index: number, getLength: number = LB_GETTEXTLEN, getText: number = LB_GETTEXT): string | null {
  const length = asker.ask(hwnd, getLength, index);
  if (length === null || length < 0) return null;
  // Room to spare: the text may have grown in between.
  const memory = Buffer.alloc((length + 256) * 2);
  const read = asker.ask(hwnd, getText, index, memory);
  return read === null || read < 0 ? null : text16(memory, Math.min(read, length + 255));
}

const rectMemory = Buffer.alloc(16);

/** Client rectangle of an item, also outside the view. */
export function listItemRect(asker: Asker, hwnd: number, index: number): Rect | null {
  const answer = asker.ask(hwnd, LB_GETITEMRECT, index, rectMemory);
  return answer === null || answer < 0 ? null : rectAt(rectMemory);
}

export function isSelected(asker: Asker, info: WindowInfo, index: number, current: number | null): boolean {
  if ((info.style & LBS_NOSEL) !== 0) return false;
  return isMultiple(info.style) ? (asker.ask(info.hwnd, LB_GETSEL, index) ?? 0) > 0 : index === current;
}

export const readListBox: ControlReader = ({ info, node }, { asker, allItems, wanted }) => {
  const count = asker.ask(info.hwnd, LB_GETCOUNT);
  if (count === null || count <= 0) return;
  const current = isMultiple(info.style) ? null : asker.ask(info.hwnd, LB_GETCURSEL);
  const toScreen = clientToScreen(info);
  const whole = allItems || count <= SMALL_LIST;
  const top = whole ? 0 : Math.max(0, asker.ask(info.hwnd, LB_GETTOPINDEX) ?? 0);
  const height = listItemRect(asker, info.hwnd, top)?.height ?? 16;
  const inView = Math.ceil(info.client.height / Math.max(1, height));
  const end = Math.min(count, whole ? MOST_ITEMS : top + inView);
  const indices = Array.from({ length: end - top }, (_, offset) => top + offset);
  for (const extra of [current, wanted?.index ?? null]) {
    if (!whole && extra !== null && extra >= 0 && extra < count && !indices.includes(extra)) indices.push(extra);
  }
  const unique = numbered();
  for (const index of indices) {
    const text = hasTexts(info.style) ? itemText(asker, info.hwnd, index) : '';
    const rect = listItemRect(asker, info.hwnd, index);
    if (text === null || rect === null) break;
    node.children.push(itemNode(node, {
      kind: 'list-item', identity: whole ? `item:${unique(text)}` : `item:${index}:${text}`, index, controlType: 'ListItem', name: text, rect: toScreen(rect),
      states: isSelected(asker, info, index, current) ? ['selected'] : [],
    }));
  }
  if (node.children.length < count) node.itemCount = count;
};
