/** The port of windows: list them, and read or change their place and state. */
import type { AppIdentity, BindingRecord } from '../contract/binding.ts';
import type { Point, Rect } from '../contract/geometry.ts';
import type { CallContext, Done } from './call.ts';

export interface VisibleWindow {
  readonly hwnd: string;
  readonly pid: number;
  readonly title: string;
  readonly app: AppIdentity;
  readonly className: string;
  readonly minimized: boolean;
  readonly toolWindow: boolean;
  readonly elevated: boolean;
}

export const WINDOW_ACTIONS = [
  'minimize',
  'maximize',
  'restore',
  'close',
  'focus',
  'move_offscreen',
  'move_resize',
  'get_rect',
] as const;
export type WindowAction = (typeof WINDOW_ACTIONS)[number];

export interface WindowPort {
  /** Every visible top-level window but cloaked and own ones, topmost first. Never waits for a window. */
  listVisible(call: CallContext): Promise<VisibleWindow[]>;
  /** Outer rectangle in screen pixels; null once the window is gone. */
  rect(record: BindingRecord, call: CallContext): Promise<Rect | null>;
  /** Does it by Win32 calls alone and verifies it from outside. x, y, width, height are screen pixels. */
  manage(
    record: BindingRecord,
    action: WindowAction,
    place: { x?: number | undefined; y?: number | undefined; width?: number | undefined; height?: number | undefined },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Client → screen pixels. Errors: invalid_argument for a point outside the client area. */
  clientToScreen(record: BindingRecord, point: Point, call: CallContext): Promise<Point>;
  /** Screen → client pixels. Errors: invalid_argument for a point outside the client area. */
  screenToClient(record: BindingRecord, point: Point, call: CallContext): Promise<Point>;
  /** Asks for the foreground, no tricks; clicks the client point only when it is given. True = foreground obtained. */
  activate(
    record: BindingRecord,
    clientPoint: { x: number; y: number } | null,
    call: CallContext,
  ): Promise<Done<boolean>>;
}
