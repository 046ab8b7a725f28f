/** What the demo's window holds: names, control ids and rows. Plain data, the same on every system and in every language. */
export const DEMO_TITLE = 'uiahost demo';
export const DEMO_CLASS = 'uiahost-demo';
/** How many milliseconds after its click the effect of `Check stock` comes. */
export const LATE_MS = 2000;

/** Control ids; UI Automation shows them as AutomationId. */
export const CONTROL = {
  orderGroup: 1000,
  customer: 1001,
  email: 1002,
  password: 1003,
  orderNumber: 1004,
  product: 1005,
  deliveryDate: 1006,
  notes: 1007,
  express: 1011,
  giftWrap: 1012,
  receipt: 1013,
  paymentGroup: 1020,
  invoice: 1021,
  card: 1022,
  bankTransfer: 1023,
  placeOrder: 1031,
  orderDetails: 1032,
  checkStock: 1033,
  deleteAll: 1034,
  stock: 1035,
  orders: 1041,
  products: 1042,
  pages: 1043,
  street: 1051,
  city: 1052,
  taxNumber: 1053,
  history: 1054,
  status: 1060,
} as const;
export type ControlName = keyof typeof CONTROL;

/** Ids of menu items. */
export const COMMAND = {
  newOrder: 2001,
  reloadOrders: 2002,
  exit: 2003,
  selectAll: 2011,
  clearSelection: 2012,
  gridLines: 2021,
  about: 2031,
  openOrder: 2041,
  markPaid: 2042,
  deleteOrder: 2043,
} as const;

/** Ids inside the modal dialogs; their buttons have the system's IDOK and IDCANCEL. */
export const DIALOG_FIELD = 1101;

export interface MenuItem {
  /** Null draws a separator. */
  readonly id: number | null;
  readonly text: string;
}
export const MENU_BAR: ReadonlyArray<{ readonly text: string; readonly items: readonly MenuItem[] }> = [
  {
    text: '&File',
    items: [
      { id: COMMAND.newOrder, text: '&New order\tCtrl+N' },
      { id: COMMAND.reloadOrders, text: '&Reload orders\tF5' },
      { id: null, text: '' },
      { id: COMMAND.exit, text: 'E&xit' },
    ],
  },
  {
    text: '&Edit',
    items: [
      { id: COMMAND.selectAll, text: 'Select &all orders' },
      { id: COMMAND.clearSelection, text: '&Clear selection' },
    ],
  },
  { text: '&View', items: [{ id: COMMAND.gridLines, text: '&Grid lines' }] },
  { text: '&Help', items: [{ id: COMMAND.about, text: '&About uiahost demo' }] },
];
export const CONTEXT_MENU: readonly MenuItem[] = [
  { id: COMMAND.openOrder, text: '&Open order' },
  { id: COMMAND.markPaid, text: '&Mark as paid' },
  { id: COMMAND.deleteOrder, text: '&Delete order' },
];

export const PRODUCTS = ['Tea', 'Coffee', 'Cocoa', 'Honey', 'Oat biscuits'] as const;
export const PAGES = ['Delivery', 'Billing', 'History'] as const;
export const ORDER_COLUMNS = [
  { title: 'Number', width: 84 },
  { title: 'Buyer', width: 138 },
  { title: 'Article', width: 96 },
  { title: 'Status', width: 84 },
] as const;
export const PAID = 'Paid';

const CUSTOMERS = [
  'Ada Lovelace',
  'Alan Turing',
  'Grace Hopper',
  'Konrad Zuse',
  'Lise Meitner',
  'Zhang Heng',
  'Müller',
];
const STATES = ['Open', 'Packed', 'Sent', PAID];
const COUNT = 200;
export const orderNumber = (row: number): string => `2026-${String(row).padStart(4, '0')}`;
/** The number of the next order that is placed. */
export const FIRST_NEW_ORDER = COUNT + 1;
/** The list view's rows, a cell for each column. */
export const ORDERS: ReadonlyArray<readonly string[]> = Array.from({ length: COUNT }, (_, index) => [
  orderNumber(index + 1),
  CUSTOMERS[index % CUSTOMERS.length]!,
  PRODUCTS[index % PRODUCTS.length]!,
  STATES[index % STATES.length]!,
]);

export interface TreeNode {
  readonly text: string;
  readonly children: readonly TreeNode[];
}
const leaf = (text: string): TreeNode => ({ text, children: [] });
export const TREE: readonly TreeNode[] = [
  {
    text: 'Drinks',
    children: [
      { text: 'Hot', children: [leaf('Tea'), leaf('Coffee'), leaf('Cocoa')] },
      { text: 'Cold', children: [leaf('Juice'), leaf('Water')] },
    ],
  },
  { text: 'Food', children: [leaf('Honey'), leaf('Oat biscuits')] },
];
