/** Makes the demo's controls from their data, fills them, and places them at a scale. */
import { addressOf } from '../../native-bindings/library.ts';
import * as m from '../../native-bindings/win32/constants.ts';
import { LVCOLUMNW, LVITEMW, TCITEMW, TVINSERTSTRUCTW, TVITEMEXW } from '../../native-bindings/win32/structs.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import { CONTROL, ORDERS, ORDER_COLUMNS, PAGES, PRODUCTS, TREE, type ControlName, type TreeNode } from './content.ts';
import { CLIENT, CONTROLS, type ControlKind, type ControlSpec } from './controls.ts';

/** Window class, style and extended style of each kind. */
const CLASSES: Readonly<Record<ControlKind, readonly [className: string, style: number, extended: number]>> = {
  group: ['Button', m.BS_GROUPBOX, 0],
  label: ['Static', 0, 0],
  edit: ['Edit', m.WS_TABSTOP | m.ES_AUTOHSCROLL, m.WS_EX_CLIENTEDGE],
  password: ['Edit', m.WS_TABSTOP | m.ES_AUTOHSCROLL | m.ES_PASSWORD, m.WS_EX_CLIENTEDGE],
  'read-only': ['Edit', m.WS_TABSTOP | m.ES_AUTOHSCROLL | m.ES_READONLY, m.WS_EX_CLIENTEDGE],
  'multi-line': [
    'Edit',
    m.WS_TABSTOP | m.WS_VSCROLL | m.ES_MULTILINE | m.ES_AUTOVSCROLL | m.ES_WANTRETURN,
    m.WS_EX_CLIENTEDGE,
  ],
  combo: ['ComboBox', m.WS_TABSTOP | m.WS_VSCROLL | m.CBS_DROPDOWNLIST | m.CBS_HASSTRINGS, 0],
  date: ['SysDateTimePick32', m.WS_TABSTOP, 0],
  check: ['Button', m.WS_TABSTOP | m.BS_AUTOCHECKBOX, 0],
  radio: ['Button', m.WS_TABSTOP | m.BS_AUTORADIOBUTTON, 0],
  button: ['Button', m.WS_TABSTOP | m.BS_PUSHBUTTON, 0],
  list: ['SysListView32', m.WS_TABSTOP | m.WS_BORDER | m.LVS_REPORT | m.LVS_SHOWSELALWAYS, 0],
  tree: [
    'SysTreeView32',
    m.WS_TABSTOP | m.WS_BORDER | m.TVS_HASBUTTONS | m.TVS_HASLINES | m.TVS_LINESATROOT | m.TVS_SHOWSELALWAYS,
    0,
  ],
  tabs: ['SysTabControl32', m.WS_TABSTOP | m.WS_CLIPSIBLINGS, 0],
  status: ['msctls_statusbar32', m.SBARS_SIZEGRIP, 0],
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
      (spec.startsGroup === true ? m.WS_GROUP : 0) |
      (spec.isDisabled === true ? m.WS_DISABLED : 0) |
      ((spec.page ?? 0) === 0 ? m.WS_VISIBLE : 0);
    const id = spec.name === undefined ? 0 : CONTROL[spec.name];
    return {
      spec,
      hwnd: user32.CreateWindowExW(
        extended,
        className,
        spec.text,
        m.WS_CHILD | bits | style,
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
  for (const product of PRODUCTS) user32.SendMessageW(of('product'), m.CB_ADDSTRING, 0, nativeText(product));
  user32.SendMessageW(of('product'), m.CB_SETCURSEL, 0, 0);
  // The same digits in every language.
  user32.SendMessageW(of('deliveryDate'), m.DTM_SETFORMATW, 0, nativeText('yyyy-MM-dd'));
  const list = of('orders');
  user32.SendMessageW(list, m.LVM_SETEXTENDEDLISTVIEWSTYLE, m.LVS_EX_FULLROWSELECT, m.LVS_EX_FULLROWSELECT);
  for (const [index, { title, width }] of ORDER_COLUMNS.entries()) {
    const text = nativeText(title);
    const column = LVCOLUMNW.alloc({ mask: m.LVCF_TEXT | m.LVCF_WIDTH, cx: width, pszText: addressOf(text) });
    user32.SendMessageW(list, m.LVM_INSERTCOLUMNW, index, column);
    text.fill(0);
  }
  fillOrders(list);
  for (const [index, page] of PAGES.entries()) {
    const text = nativeText(page);
    user32.SendMessageW(
      of('pages'),
      m.TCM_INSERTITEMW,
      index,
      TCITEMW.alloc({ mask: m.TCIF_TEXT, pszText: addressOf(text) }),
    );
    text.fill(0);
  }
  const items = new Map<number, string>();
  for (const node of TREE) addNode(of('products'), m.TVI_ROOT, node, items);
  return items;
}

/** Every order again, whatever is in the list. */
export function fillOrders(list: number): void {
  user32.SendMessageW(list, m.WM_SETREDRAW, 0, 0);
  user32.SendMessageW(list, m.LVM_DELETEALLITEMS, 0, 0);
  for (const [row, cells] of ORDERS.entries()) {
    for (const [column, cell] of cells.entries()) {
      const text = nativeText(cell);
      const item = LVITEMW.alloc({ mask: m.LVIF_TEXT, iItem: row, iSubItem: column, pszText: addressOf(text) });
      user32.SendMessageW(list, column === 0 ? m.LVM_INSERTITEMW : m.LVM_SETITEMTEXTW, column === 0 ? 0 : row, item);
      text.fill(0);
    }
  }
  user32.SendMessageW(list, m.WM_SETREDRAW, 1, 0);
  user32.InvalidateRect(list, null, true);
}

function addNode(tree: number, parent: number, { text, children }: TreeNode, items: Map<number, string>): void {
  const name = nativeText(text);
  const insert = TVINSERTSTRUCTW.alloc({ hParent: parent, hInsertAfter: m.TVI_LAST });
  TVITEMEXW.write(insert, { mask: m.TVIF_TEXT, pszText: addressOf(name) }, TVINSERTSTRUCTW.at.itemex);
  const item = user32.SendMessageW(tree, m.TVM_INSERTITEMW, 0, insert);
  name.fill(0);
  items.set(item, text);
  for (const child of children) addNode(tree, item, child, items);
  if (parent === m.TVI_ROOT) user32.SendMessageW(tree, m.TVM_EXPAND, m.TVE_EXPAND, item);
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
      user32.SendMessageW(hwnd, m.WM_SIZE, 0, 0);
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
      m.SWP_NOZORDER | m.SWP_NOACTIVATE,
    );
  }
}

/** Gives every control the font, and the list's columns their width at this scale. */
export function setFont(made: readonly MadeControl[], font: number, scale: number): void {
  for (const { spec, hwnd } of made) {
    user32.SendMessageW(hwnd, m.WM_SETFONT, font, 1);
    if (spec.kind === 'list')
      for (const [index, { width }] of ORDER_COLUMNS.entries())
        user32.SendMessageW(hwnd, m.LVM_SETCOLUMNWIDTH, index, Math.round(width * scale));
  }
}
