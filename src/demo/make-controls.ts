/** Makes the demo's controls from their data, fills them, and places them at a scale. */
import { addressOf } from '../../native-bindings/library.ts';
import {
  BS_AUTOCHECKBOX,
  BS_AUTORADIOBUTTON,
  BS_GROUPBOX,
  BS_PUSHBUTTON,
  CBS_DROPDOWNLIST,
  CBS_HASSTRINGS,
  CB_ADDSTRING,
  CB_SETCURSEL,
  DTM_SETFORMATW,
  ES_AUTOHSCROLL,
  ES_AUTOVSCROLL,
  ES_MULTILINE,
  ES_PASSWORD,
  ES_READONLY,
  ES_WANTRETURN,
  LVCF_TEXT,
  LVCF_WIDTH,
  LVIF_TEXT,
  LVM_DELETEALLITEMS,
  LVM_INSERTCOLUMNW,
  LVM_INSERTITEMW,
  LVM_SETCOLUMNWIDTH,
  LVM_SETEXTENDEDLISTVIEWSTYLE,
  LVM_SETITEMTEXTW,
  LVS_EX_FULLROWSELECT,
  LVS_REPORT,
  LVS_SHOWSELALWAYS,
  SBARS_SIZEGRIP,
  SWP_NOACTIVATE,
  SWP_NOZORDER,
  TCIF_TEXT,
  TCM_INSERTITEMW,
  TVE_EXPAND,
  TVIF_TEXT,
  TVI_LAST,
  TVI_ROOT,
  TVM_EXPAND,
  TVM_INSERTITEMW,
  TVS_HASBUTTONS,
  TVS_HASLINES,
  TVS_LINESATROOT,
  TVS_SHOWSELALWAYS,
  WM_SETFONT,
  WM_SETREDRAW,
  WM_SIZE,
  WS_BORDER,
  WS_CHILD,
  WS_CLIPSIBLINGS,
  WS_DISABLED,
  WS_EX_CLIENTEDGE,
  WS_GROUP,
  WS_TABSTOP,
  WS_VISIBLE,
  WS_VSCROLL,
} from '../../native-bindings/win32/constants.ts';
import { LVCOLUMNW, LVITEMW, TCITEMW, TVINSERTSTRUCTW, TVITEMEXW } from '../../native-bindings/win32/structs.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import { CONTROL, ORDERS, ORDER_COLUMNS, PAGES, PRODUCTS, TREE, type ControlName, type TreeNode } from './content.ts';
import { CLIENT, CONTROLS, type ControlKind, type ControlSpec } from './controls.ts';

/** Window class, style and extended style of each kind. */
const CLASSES: Readonly<Record<ControlKind, readonly [className: string, style: number, extended: number]>> = {
  group: ['Button', BS_GROUPBOX, 0],
  label: ['Static', 0, 0],
  edit: ['Edit', WS_TABSTOP | ES_AUTOHSCROLL, WS_EX_CLIENTEDGE],
  password: ['Edit', WS_TABSTOP | ES_AUTOHSCROLL | ES_PASSWORD, WS_EX_CLIENTEDGE],
  'read-only': ['Edit', WS_TABSTOP | ES_AUTOHSCROLL | ES_READONLY, WS_EX_CLIENTEDGE],
  'multi-line': ['Edit', WS_TABSTOP | WS_VSCROLL | ES_MULTILINE | ES_AUTOVSCROLL | ES_WANTRETURN, WS_EX_CLIENTEDGE],
  combo: ['ComboBox', WS_TABSTOP | WS_VSCROLL | CBS_DROPDOWNLIST | CBS_HASSTRINGS, 0],
  date: ['SysDateTimePick32', WS_TABSTOP, 0],
  check: ['Button', WS_TABSTOP | BS_AUTOCHECKBOX, 0],
  radio: ['Button', WS_TABSTOP | BS_AUTORADIOBUTTON, 0],
  button: ['Button', WS_TABSTOP | BS_PUSHBUTTON, 0],
  list: ['SysListView32', WS_TABSTOP | WS_BORDER | LVS_REPORT | LVS_SHOWSELALWAYS, 0],
  tree: [
    'SysTreeView32',
    WS_TABSTOP | WS_BORDER | TVS_HASBUTTONS | TVS_HASLINES | TVS_LINESATROOT | TVS_SHOWSELALWAYS,
    0,
  ],
  tabs: ['SysTabControl32', WS_TABSTOP | WS_CLIPSIBLINGS, 0],
  status: ['msctls_statusbar32', SBARS_SIZEGRIP, 0],
};

export interface MadeControl {
  readonly spec: ControlSpec;
  readonly hwnd: number;
}

/** Makes every control, in the order of the Tab key. */
export function makeControls(parent: number): MadeControl[] {
  return CONTROLS.map((spec) => {
    const [className, style, extended] = CLASSES[spec.kind];
    const bits =
      (spec.startsGroup === true ? WS_GROUP : 0) |
      (spec.isDisabled === true ? WS_DISABLED : 0) |
      ((spec.page ?? 0) === 0 ? WS_VISIBLE : 0);
    const id = spec.name === undefined ? 0 : CONTROL[spec.name];
    return {
      spec,
      hwnd: user32.CreateWindowExW(
        extended,
        className,
        spec.text,
        WS_CHILD | bits | style,
        0,
        0,
        0,
        0,
        parent,
        id,
        0,
        null,
      ),
    };
  });
}

/** A NUL-terminated text in memory of ours, for a message that only reads it. */
export const nativeText = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

/** Puts the rows, columns, items and pages into the controls; the texts of tree items by their handles. */
export function fillControls(of: (name: ControlName) => number): Map<number, string> {
  for (const product of PRODUCTS) user32.SendMessageW(of('product'), CB_ADDSTRING, 0, nativeText(product));
  user32.SendMessageW(of('product'), CB_SETCURSEL, 0, 0);
  // The same digits in every language.
  user32.SendMessageW(of('deliveryDate'), DTM_SETFORMATW, 0, nativeText('yyyy-MM-dd'));
  const list = of('orders');
  user32.SendMessageW(list, LVM_SETEXTENDEDLISTVIEWSTYLE, LVS_EX_FULLROWSELECT, LVS_EX_FULLROWSELECT);
  for (const [index, { title, width }] of ORDER_COLUMNS.entries()) {
    const text = nativeText(title);
    const column = LVCOLUMNW.alloc({ mask: LVCF_TEXT | LVCF_WIDTH, cx: width, pszText: addressOf(text) });
    user32.SendMessageW(list, LVM_INSERTCOLUMNW, index, column);
    text.fill(0);
  }
  fillOrders(list);
  for (const [index, page] of PAGES.entries()) {
    const text = nativeText(page);
    user32.SendMessageW(
      of('pages'),
      TCM_INSERTITEMW,
      index,
      TCITEMW.alloc({ mask: TCIF_TEXT, pszText: addressOf(text) }),
    );
    text.fill(0);
  }
  const items = new Map<number, string>();
  for (const node of TREE) addNode(of('products'), TVI_ROOT, node, items);
  return items;
}

/** Every order again, whatever is in the list. */
export function fillOrders(list: number): void {
  user32.SendMessageW(list, WM_SETREDRAW, 0, 0);
  user32.SendMessageW(list, LVM_DELETEALLITEMS, 0, 0);
  for (const [row, cells] of ORDERS.entries()) {
    for (const [column, cell] of cells.entries()) {
      const text = nativeText(cell);
      const item = LVITEMW.alloc({ mask: LVIF_TEXT, iItem: row, iSubItem: column, pszText: addressOf(text) });
      user32.SendMessageW(list, column === 0 ? LVM_INSERTITEMW : LVM_SETITEMTEXTW, column === 0 ? 0 : row, item);
      text.fill(0);
    }
  }
  user32.SendMessageW(list, WM_SETREDRAW, 1, 0);
  user32.InvalidateRect(list, null, true);
}

function addNode(tree: number, parent: number, { text, children }: TreeNode, items: Map<number, string>): void {
  const name = nativeText(text);
  const insert = TVINSERTSTRUCTW.alloc({ hParent: parent, hInsertAfter: TVI_LAST });
  TVITEMEXW.write(insert, { mask: TVIF_TEXT, pszText: addressOf(name) }, TVINSERTSTRUCTW.at.itemex);
  const item = user32.SendMessageW(tree, TVM_INSERTITEMW, 0, insert);
  name.fill(0);
  items.set(item, text);
  for (const child of children) addNode(tree, item, child, items);
  if (parent === TVI_ROOT) user32.SendMessageW(tree, TVM_EXPAND, TVE_EXPAND, item);
}

/** Places every control in a client area of this size (pixels), and sets its font. */
export function placeControls(
  made: readonly MadeControl[],
  client: { readonly width: number; readonly height: number },
  scale: number,
): void {
  const px = (size: number): number => Math.round(size * scale);
  const more = {
    width: Math.max(0, client.width - px(CLIENT.width)),
    height: Math.max(0, client.height - px(CLIENT.height)),
  };
  for (const { spec, hwnd } of made) {
    if (spec.kind === 'status') {
      // It places itself.
      user32.SendMessageW(hwnd, WM_SIZE, 0, 0);
      continue;
    }
    const [x, y, width, height] = spec.place;
    const grows = (what: 'width' | 'height' | 'top'): boolean => spec.grows?.includes(what) === true;
    user32.SetWindowPos(
      hwnd,
      0,
      px(x),
      px(y) + (grows('top') ? more.height : 0),
      px(width) + (grows('width') ? more.width : 0),
      px(height) + (grows('height') ? more.height : 0),
      SWP_NOZORDER | SWP_NOACTIVATE,
    );
  }
}

/** Gives every control the font, and the list's columns their width at this scale. */
export function setFont(made: readonly MadeControl[], font: number, scale: number): void {
  for (const { spec, hwnd } of made) {
    user32.SendMessageW(hwnd, WM_SETFONT, font, 1);
    if (spec.kind === 'list')
      for (const [index, { width }] of ORDER_COLUMNS.entries())
        user32.SendMessageW(hwnd, LVM_SETCOLUMNWIDTH, index, Math.round(width * scale));
  }
}
