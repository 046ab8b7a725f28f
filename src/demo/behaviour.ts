/** What the demo does when its controls and menus are used; its status bar shows what happened last. */
import { addressOf, readMemory, text16 } from '../../native-bindings/library.ts';
import * as m from '../../native-bindings/win32/constants.ts';
import { LVITEMW, NMHDR, NMLISTVIEW, SYSTEMTIME } from '../../native-bindings/win32/structs.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import {
  COMMAND,
  CONTROL,
  FIRST_NEW_ORDER,
  LATE_MS,
  orderNumber,
  PAGES,
  PAID,
  PRODUCTS,
  type ControlName,
} from './content.ts';
import type { DialogOptions } from './dialog.ts';
import { fillOrders, nativeText, type MadeControl } from './make-controls.ts';

export interface BehaviourParts {
  readonly window: number;
  readonly menu: number;
  readonly made: readonly MadeControl[];
  /** Texts of tree items by their handles. */
  readonly treeItems: ReadonlyMap<number, string>;
  of(name: ControlName): number;
  ask(options: Pick<DialogOptions, 'title' | 'text' | 'field' | 'accept' | 'cancel'>): string | null;
}

const LATE_TIMER = 1;
const TEXT_UNITS = 1024;
const STATUS_COLUMN = 3;
const NAMES = new Map<number, ControlName>(
  Object.entries(CONTROL).map(([name, id]) => [id, name as ControlName] as const),
);

export class Behaviour {
  readonly #parts: BehaviourParts;
  #nextOrder = FIRST_NEW_ORDER;
  #hasGridLines = false;
  /** While the program itself changes fields: their notifications are not news. */
  #isFilling = false;

  constructor(parts: BehaviourParts) {
    this.#parts = parts;
    this.#clear();
    this.say('Ready');
  }

  /** A control's notification or a menu item. */
  command(id: number, notification: number): void {
    const name = NAMES.get(id);
    if (name === undefined) this.#menuItem(id);
    else this.#controlUsed(name, notification);
  }

  notify(structure: number): void {
    const { idFrom, code } = NMHDR.read(readMemory(structure, NMHDR.size));
    if (idFrom === CONTROL.orders && code === m.LVN_ITEMCHANGED) {
      const change = NMLISTVIEW.read(readMemory(structure, NMLISTVIEW.size));
      const isNew = (change.uNewState & m.LVIS_SELECTED) !== 0 && (change.uOldState & m.LVIS_SELECTED) === 0;
      if ((change.uChanged & m.LVIF_STATE) !== 0 && isNew && change.iItem >= 0)
        this.say(`Order ${this.#cell(change.iItem, 0)} selected`);
    } else if (idFrom === CONTROL.orders && code === m.LVN_ITEMACTIVATE) this.#menuItem(COMMAND.openOrder);
    else if (idFrom === CONTROL.products && code === m.TVN_SELCHANGEDW) {
      const item = user32.SendMessageW(this.#parts.of('products'), m.TVM_GETNEXTITEM, m.TVGN_CARET, 0);
      this.say(`Product group: ${this.#parts.treeItems.get(item) ?? 'none'}`);
    } else if (idFrom === CONTROL.pages && code === m.TCN_SELCHANGE) this.#showPage();
    else if (idFrom === CONTROL.deliveryDate && code === m.DTN_DATETIMECHANGE)
      this.say(`Delivery date: ${this.#date()}`);
  }

  timer(id: number): void {
    if (id !== LATE_TIMER) return;
    user32.KillTimer(this.#parts.window, LATE_TIMER);
    user32.SetWindowTextW(this.#parts.of('stock'), 'Stock: 12 pieces');
    user32.EnableWindow(this.#parts.of('checkStock'), true);
    this.say('Stock checked: 12 pieces');
  }

  say(text: string): void {
    user32.SendMessageW(this.#parts.of('status'), m.SB_SETTEXTW, 0, nativeText(text));
  }

  #controlUsed(name: ControlName, notification: number): void {
    const { of } = this.#parts;
    switch (name) {
      case 'customer':
      case 'email':
      case 'notes':
      case 'street':
      case 'city':
      case 'taxNumber':
        if (notification === m.EN_CHANGE) this.#typed(name);
        return;
      case 'password':
        if (notification === m.EN_CHANGE && !this.#isFilling)
          this.say(`Password: ${user32.GetWindowTextLengthW(of('password'))} characters`);
        return;
      case 'product':
        if (notification === m.CBN_SELCHANGE)
          this.say(`Product: ${PRODUCTS[user32.SendMessageW(of('product'), m.CB_GETCURSEL, 0, 0)] ?? 'none'}`);
        return;
      default:
        if (notification === m.BN_CLICKED) this.#clicked(name);
    }
  }

  #typed(name: ControlName): void {
    const { of } = this.#parts;
    if (name === 'customer') user32.EnableWindow(of('placeOrder'), this.#text('customer').trim() !== '');
    if (this.#isFilling) return;
    const first = this.#text(name).split(/\r?\n/, 1)[0] ?? '';
    this.say(`${LABELS[name] ?? name}: ${first}`);
  }

  #clicked(name: ControlName): void {
    const { of, ask } = this.#parts;
    switch (name) {
      case 'express':
      case 'giftWrap':
      case 'receipt':
        return this.say(`${LABELS[name]}: ${this.#isChecked(name) ? 'on' : 'off'}`);
      case 'invoice':
      case 'card':
      case 'bankTransfer':
        return this.#isChecked(name) ? this.say(`Payment: ${LABELS[name]}`) : undefined;
      case 'placeOrder':
        return this.#placeOrder();
      case 'orderDetails': {
        const comment = ask({
          title: 'Order details',
          text: `Order ${orderNumber(this.#nextOrder)}`,
          field: 'Comment',
          accept: 'OK',
          cancel: 'Cancel',
        });
        return this.say(comment === null ? 'Order details: cancelled' : `Order details: ${comment}`);
      }
      case 'deleteAll': {
        const answer = ask({
          title: 'Delete all orders?',
          text: 'Delete all orders? This cannot be undone.',
          accept: 'Delete',
          cancel: 'Cancel',
        });
        if (answer === null) return this.say('No order was deleted');
        user32.SendMessageW(of('orders'), m.LVM_DELETEALLITEMS, 0, 0);
        return this.say('All orders deleted');
      }
      case 'checkStock':
        user32.EnableWindow(of('checkStock'), false);
        user32.SetTimer(this.#parts.window, LATE_TIMER, LATE_MS, null);
        return this.say('Checking stock …');
      default:
    }
  }

  #placeOrder(): void {
    const number = orderNumber(this.#nextOrder);
    const customer = this.#text('customer').trim();
    this.#nextOrder += 1;
    this.#clear();
    user32.SetWindowTextW(this.#parts.of('history'), `Order ${number} for ${customer}`);
    this.say(`Order ${number} placed for ${customer}`);
  }

  #menuItem(id: number): void {
    const { of, window, menu, ask } = this.#parts;
    const list = of('orders');
    const row = user32.SendMessageW(list, m.LVM_GETNEXTITEM, -1, m.LVNI_SELECTED);
    switch (id) {
      case COMMAND.newOrder:
        this.#clear();
        return this.say('New order');
      case COMMAND.reloadOrders:
        fillOrders(list);
        return this.say('Orders reloaded');
      case COMMAND.exit:
        user32.PostMessageW(window, m.WM_CLOSE, 0, 0);
        return;
      case COMMAND.selectAll:
      case COMMAND.clearSelection: {
        const isAll = id === COMMAND.selectAll;
        const state = LVITEMW.alloc({ stateMask: m.LVIS_SELECTED, state: isAll ? m.LVIS_SELECTED : 0 });
        user32.SendMessageW(list, m.LVM_SETITEMSTATE, -1, state);
        return this.say(isAll ? 'All orders selected' : 'No order selected');
      }
      case COMMAND.gridLines:
        this.#hasGridLines = !this.#hasGridLines;
        user32.SendMessageW(
          list,
          m.LVM_SETEXTENDEDLISTVIEWSTYLE,
          m.LVS_EX_GRIDLINES,
          this.#hasGridLines ? m.LVS_EX_GRIDLINES : 0,
        );
        user32.CheckMenuItem(menu, id, this.#hasGridLines ? m.MF_CHECKED : m.MF_UNCHECKED);
        return this.say(`Grid lines: ${this.#hasGridLines ? 'on' : 'off'}`);
      case COMMAND.about:
        ask({ title: 'About uiahost demo', text: 'A window of standard controls to practise on.', accept: 'OK' });
        return this.say('About closed');
      case COMMAND.openOrder:
        return this.say(row < 0 ? 'No order selected' : `Order ${this.#cell(row, 0)} opened`);
      case COMMAND.markPaid:
        if (row < 0) return this.say('No order selected');
        this.#setCell(row, STATUS_COLUMN, PAID);
        return this.say(`Order ${this.#cell(row, 0)} marked as paid`);
      case COMMAND.deleteOrder: {
        if (row < 0) return this.say('No order selected');
        const number = this.#cell(row, 0);
        user32.SendMessageW(list, m.LVM_DELETEITEM, row, 0);
        return this.say(`Order ${number} deleted`);
      }
      default:
    }
  }

  /** An empty form for the next order. */
  #clear(): void {
    const { of } = this.#parts;
    this.#isFilling = true;
    for (const name of ['customer', 'email', 'password', 'notes', 'street', 'city', 'taxNumber'] as const)
      user32.SetWindowTextW(of(name), '');
    user32.SetWindowTextW(of('orderNumber'), orderNumber(this.#nextOrder));
    for (const name of ['express', 'giftWrap', 'receipt', 'card', 'bankTransfer'] as const)
      user32.SendMessageW(of(name), m.BM_SETCHECK, m.BST_UNCHECKED, 0);
    user32.SendMessageW(of('invoice'), m.BM_SETCHECK, m.BST_CHECKED, 0);
    user32.SendMessageW(of('product'), m.CB_SETCURSEL, 0, 0);
    // WM_SETTEXT on a multi-line field sends no EN_CHANGE, and this field decides what can be placed.
    user32.EnableWindow(of('placeOrder'), false);
    this.#isFilling = false;
  }

  #showPage(): void {
    const page = user32.SendMessageW(this.#parts.of('pages'), m.TCM_GETCURSEL, 0, 0);
    for (const { spec, hwnd } of this.#parts.made)
      if (spec.page !== undefined) user32.ShowWindow(hwnd, spec.page === page ? m.SW_SHOW : m.SW_HIDE);
    this.say(`Page: ${PAGES[page] ?? 'none'}`);
  }

  #isChecked(name: ControlName): boolean {
    return user32.SendMessageW(this.#parts.of(name), m.BM_GETCHECK, 0, 0) === m.BST_CHECKED;
  }

  #text(name: ControlName): string {
    const text = Buffer.alloc(TEXT_UNITS * 2);
    return text.toString('utf16le', 0, user32.GetWindowTextW(this.#parts.of(name), text, TEXT_UNITS) * 2);
  }

  #date(): string {
    const memory = SYSTEMTIME.alloc();
    user32.SendMessageW(this.#parts.of('deliveryDate'), m.DTM_GETSYSTEMTIME, 0, memory);
    const { wYear, wMonth, wDay } = SYSTEMTIME.read(memory);
    return [wYear, String(wMonth).padStart(2, '0'), String(wDay).padStart(2, '0')].join('-');
  }

  #cell(row: number, column: number): string {
    const text = Buffer.alloc(TEXT_UNITS * 2);
    const item = LVITEMW.alloc({ iSubItem: column, pszText: addressOf(text), cchTextMax: TEXT_UNITS });
    user32.SendMessageW(this.#parts.of('orders'), m.LVM_GETITEMTEXTW, row, item);
    return text16(text);
  }

  #setCell(row: number, column: number, words: string): void {
    const text = nativeText(words);
    user32.SendMessageW(
      this.#parts.of('orders'),
      m.LVM_SETITEMTEXTW,
      row,
      LVITEMW.alloc({ iSubItem: column, pszText: addressOf(text) }),
    );
    text.fill(0);
  }
}

/** Names as the status bar says them. */
const LABELS: Partial<Record<ControlName, string>> = {
  customer: 'Customer',
  email: 'E-mail',
  notes: 'Notes',
  street: 'Street',
  city: 'City',
  taxNumber: 'Tax number',
  express: 'Express delivery',
  giftWrap: 'Gift wrap',
  receipt: 'Receipt by e-mail',
  invoice: 'Invoice',
  card: 'Card',
  bankTransfer: 'Bank transfer',
};
