/** Combo boxes: shown as one element with its items; the edit and the list inside are its own business. Source: learn.microsoft.com/windows/win32/controls/combo-boxes */
import { user32 } from '../../../../../native-bindings/win32/user32.ts';
import { COMBOBOXINFO } from '../../../../../native-bindings/win32/structs.ts';
import type { TreeNode } from '../../tree.ts';
import { classNameOf, readWindowInfo } from '../../window-info.ts';
import { sendWithin, type Asker } from '../../ask.ts';
import { clientToScreen, itemNode, MOST_ITEMS, numbered, SMALL_LIST } from './items.ts';
import { itemText, listItemRect } from './list-box.ts';
import type { ControlReader } from './control-reader.ts';

export const CB_GETCOUNT = 0x0146;
export const CB_GETCURSEL = 0x0147;
export const CB_GETLBTEXT = 0x0148;
export const CB_GETLBTEXTLEN = 0x0149;
export const CB_SETCURSEL = 0x014e;
export const CB_SHOWDROPDOWN = 0x014f;
export const CB_GETDROPPEDSTATE = 0x0157;
const CBS_TYPE = 3;
const CBS_SIMPLE = 1;
const CBS_DROPDOWNLIST = 3;
const CBS_OWNERDRAW = 0x0030;
const CBS_HASSTRINGS = 0x0200;

/** Nothing can be typed into it. */
export const isDropDownList = (style: number): boolean => (style & CBS_TYPE) === CBS_DROPDOWNLIST;
export const isSimpleCombo = (style: number): boolean => (style & CBS_TYPE) === CBS_SIMPLE;

/** Source: learn.microsoft.com/windows/win32/controls/cbem-geteditcontrol */
const CBEM_GETEDITCONTROL = 0x0407;
const EDIT_MS = 500;
const ES_PASSWORD = 0x0020;
const ES_READONLY = 0x0800;

/** The windows that a combo box is made of. */
export interface ComboParts {
  /** The combo box itself: of a ComboBoxEx32, and of one in a frame of its program's, the one inside. */
  readonly combo: number;
  /** Where text is typed; 0 where only entries of the list can be chosen. */
  readonly edit: number;
  /** The list; 0 where it is not known. */
  readonly list: number;
}

/**
 * A ComboBoxEx32 makes a drop-down list and puts an edit of its own into it, of which the combo box inside knows nothing:
 * it says that it has none.
 * Source: learn.microsoft.com/windows/win32/controls/comboboxex-control-reference, .../api/winuser/nf-winuser-getcomboboxinfo
 */
export function comboParts(hwnd: number): ComboParts {
  const inner = user32.FindWindowExW(hwnd, 0, 'ComboBox', null);
  const combo = inner === 0 ? hwnd : inner;
  const info = COMBOBOXINFO.alloc({ cbSize: COMBOBOXINFO.size });
  const { hwndItem, hwndList } = user32.GetComboBoxInfo(combo, info) ? COMBOBOXINFO.read(info) : { hwndItem: combo, hwndList: 0 };
  const own = hwndItem === combo ? user32.FindWindowExW(combo, 0, 'Edit', null) : hwndItem;
  const isExtended = own === 0 && classNameOf(hwnd).toLowerCase() === 'comboboxex32';
  const edit = isExtended ? sendWithin(hwnd, CBEM_GETEDITCONTROL, 0, 0, EDIT_MS) ?? 0 : own;
  return { combo, edit, list: hwndList };
}

/** What is typed into it. A password's text is nobody's to know. */
function editText(edit: number, node: TreeNode, asker: Asker): string | null {
  const style = readWindowInfo(edit)?.style ?? 0;
  if ((style & ES_READONLY) !== 0) node.states.add('readonly');
  if ((style & ES_PASSWORD) === 0) return asker.text(edit);
  node.states.add('password');
  return null;
}

export const readComboBox: ControlReader = ({ info, node }, { asker, allItems, wanted }) => {
  const parts = comboParts(info.hwnd);
  const { combo } = parts;
  const style = combo === info.hwnd ? info.style : readWindowInfo(combo)?.style ?? info.style;
  const selected = asker.ask(combo, CB_GETCURSEL);
  const texts = (style & CBS_OWNERDRAW) === 0 || (style & CBS_HASSTRINGS) !== 0;
  const textAt = (index: number): string | null => itemText(asker, combo, index, CB_GETLBTEXTLEN, CB_GETLBTEXT);
  if (parts.edit !== 0) node.value = editText(parts.edit, node, asker);
  // The text of an owner-drawn box without strings is its program's data.
  else if (texts) node.value = isDropDownList(style) ? (selected === null || selected < 0 ? '' : textAt(selected)) : asker.text(combo);
  const isSimple = isSimpleCombo(style);
  const isDropped = !isSimple && asker.ask(combo, CB_GETDROPPEDSTATE) === 1;
  if (!isSimple) node.states.add(isDropped ? 'expanded' : 'collapsed');
  const count = asker.ask(combo, CB_GETCOUNT);
  if (count === null || count <= 0 || !texts) return;
  if (count > SMALL_LIST && !allItems && wanted === null) {
    node.itemCount = count;
    return;
  }
  // The open list is a window of its own, outside of the combo box.
  const list = (isDropped || isSimple) && parts.list !== 0 ? readWindowInfo(parts.list) : null;
  const toScreen = list === null ? null : clientToScreen(list);
  const unique = numbered();
  for (let index = 0; index < Math.min(count, MOST_ITEMS); index++) {
    const text = textAt(index);
    if (text === null) break;
    const rect = list === null ? null : listItemRect(asker, list.hwnd, index);
    const item = itemNode(node, {
      kind: 'combo-item', identity: `item:${unique(text)}`, index, controlType: 'ListItem', name: text,
      rect: rect === null || toScreen === null ? node.rect : toScreen(rect), states: index === selected ? ['selected'] : [],
    });
    if (rect === null) item.states.add('offscreen');
    else item.popup = list!.client;
    node.children.push(item);
  }
};
