/** The port of the pointer: clicks, drags and scrolling, to a window or as real input. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { Point } from '../contract/element/geometry.ts';
import type { CallContext, Done } from './call.ts';
import type { DeliveryMode } from './keyboard.ts';

export type MouseButton = 'left' | 'right' | 'middle';

/** How pointer input is sent. `modifiers`: names of modifier keys that are down meanwhile. */
export interface Pointing {
  readonly delivery: DeliveryMode;
  readonly modifiers?: readonly string[];
}

/** All points are physical screen pixels: the caller has converted them. `record` null = real input to the desktop. */
export interface PointerPort {
  move(record: BindingRecord | null, to: Point, how: Pointing, call: CallContext): Promise<Done<boolean>>;
  /** The same, and what the window shows under the pointer afterwards. */
  hover(record: BindingRecord, at: Point, delivery: DeliveryMode, call: CallContext): Promise<Done<boolean>>;
  click(
    record: BindingRecord | null,
    at: Point,
    options: Pointing & { button: MouseButton; count: 1 | 2 | 3 },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Button down or up at the point, or at the virtual position (bound) or the cursor (unbound). */
  button(
    record: BindingRecord | null,
    change: 'down' | 'up',
    at: Point | null,
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  drag(
    record: BindingRecord | null,
    from: Point | null,
    to: Point,
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Notches: positive `vertical` = up, positive `horizontal` = right. */
  wheel(
    record: BindingRecord | null,
    at: Point,
    notches: { vertical: number; horizontal: number },
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Where a button would go down: the virtual position, null while there is none, or the cursor. */
  position(record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Promise<Point | null>;
  /** Cursor position in screen pixels. */
  cursor(call: CallContext): Promise<Point>;
}
