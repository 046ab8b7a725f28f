/** Every control of the demo's window: kind, text and place. Data only; the order is that of the Tab key. */
import type { ControlName } from './content.ts';

export type ControlKind =
  | 'group'
  | 'label'
  | 'edit'
  | 'password'
  | 'read-only'
  | 'multi-line'
  | 'combo'
  | 'date'
  | 'check'
  | 'radio'
  | 'button'
  | 'list'
  | 'tree'
  | 'tabs'
  | 'status';

export interface ControlSpec {
  readonly kind: ControlKind;
  /** Absent for a label, which has no effect and no id. */
  readonly name?: ControlName;
  readonly text: string;
  /** Left, top, width and height at 96 DPI, pixels of the client area. */
  readonly place: readonly [x: number, y: number, width: number, height: number];
  /** What a larger window adds to: the width, the height, or the distance from the top. */
  readonly grows?: ReadonlyArray<'width' | 'height' | 'top'>;
  /** The first of a set of radio buttons. */
  readonly startsGroup?: boolean;
  readonly isDisabled?: boolean;
  /** The tab page that shows it, by index. */
  readonly page?: number;
}

/** Client area at 96 DPI. A smaller window is not offered. */
export const CLIENT = { width: 880, height: 478 } as const;

const ROW = 30;
const field = (
  row: number,
  kind: ControlKind,
  name: ControlName,
  label: string,
  { text = '', height = 23 } = {},
): ControlSpec[] => [
  { kind: 'label', text: label, place: [24, 33 + row * ROW, 96, 18] },
  { kind, name, text, place: [124, 30 + row * ROW, 276, height] },
];

export const CONTROLS: readonly ControlSpec[] = [
  { kind: 'group', name: 'orderGroup', text: 'Order', place: [12, 8, 400, 306] },
  ...field(0, 'edit', 'customer', '&Customer'),
  ...field(1, 'edit', 'email', '&E-mail'),
  ...field(2, 'password', 'password', 'Pass&word'),
  ...field(3, 'read-only', 'orderNumber', 'Order number'),
  // a combo box's height is that of its open list
  ...field(4, 'combo', 'product', '&Product', { height: 160 }),
  ...field(5, 'date', 'deliveryDate', 'Delivery &date'),
  ...field(6, 'multi-line', 'notes', '&Notes', { height: 62 }),
  { kind: 'check', name: 'express', text: 'E&xpress delivery', place: [24, 284, 124, 20], startsGroup: true },
  { kind: 'check', name: 'giftWrap', text: '&Gift wrap', place: [152, 284, 100, 20] },
  { kind: 'check', name: 'receipt', text: 'Receipt &by e-mail', place: [260, 284, 140, 20] },
  { kind: 'group', name: 'paymentGroup', text: 'Payment', place: [12, 320, 400, 54] },
  { kind: 'radio', name: 'invoice', text: '&Invoice', place: [24, 342, 110, 20], startsGroup: true },
  { kind: 'radio', name: 'card', text: 'C&ard', place: [152, 342, 100, 20] },
  { kind: 'radio', name: 'bankTransfer', text: 'Bank &transfer', place: [260, 342, 140, 20] },
  {
    kind: 'button',
    name: 'placeOrder',
    text: 'Place &order',
    place: [12, 384, 128, 28],
    startsGroup: true,
    isDisabled: true,
  },
  { kind: 'button', name: 'orderDetails', text: 'Order detai&ls…', place: [148, 384, 128, 28] },
  { kind: 'button', name: 'deleteAll', text: 'Delete all orders…', place: [284, 384, 128, 28] },
  { kind: 'button', name: 'checkStock', text: 'Chec&k stock', place: [12, 418, 128, 28] },
  { kind: 'label', name: 'stock', text: 'Stock: not checked', place: [148, 424, 264, 18] },

  { kind: 'label', text: 'O&rders', place: [428, 8, 200, 18] },
  { kind: 'list', name: 'orders', text: 'Orders', place: [428, 28, 440, 222], grows: ['width', 'height'] },
  { kind: 'label', text: 'Prod&uct groups', place: [428, 258, 200, 18], grows: ['top'] },
  { kind: 'tree', name: 'products', text: 'Product groups', place: [428, 278, 200, 168], grows: ['top'] },
  { kind: 'label', text: '&Street', place: [654, 294, 200, 18], grows: ['top'], page: 0 },
  { kind: 'edit', name: 'street', text: '', place: [654, 312, 200, 23], grows: ['width', 'top'], page: 0 },
  { kind: 'label', text: 'Cit&y', place: [654, 344, 200, 18], grows: ['top'], page: 0 },
  { kind: 'edit', name: 'city', text: '', place: [654, 362, 200, 23], grows: ['width', 'top'], page: 0 },
  { kind: 'label', text: 'Tax nu&mber', place: [654, 294, 200, 18], grows: ['top'], page: 1 },
  { kind: 'edit', name: 'taxNumber', text: '', place: [654, 312, 200, 23], grows: ['width', 'top'], page: 1 },
  {
    kind: 'label',
    name: 'history',
    text: 'No order placed yet.',
    place: [654, 294, 200, 140],
    grows: ['width', 'top'],
    page: 2,
  },
  // behind its pages' controls, which it would cover otherwise
  { kind: 'tabs', name: 'pages', text: 'Pages', place: [640, 258, 228, 188], grows: ['width', 'top'] },
  { kind: 'status', name: 'status', text: 'Ready', place: [0, 456, 880, 22] },
];
