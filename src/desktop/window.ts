/** The port of windows: list them, and read or change their position and state. */
import type { AppIdentity, BindingRecord } from '../contract/element/binding.ts';
import type { Point, Rect } from '../contract/element/geometry.ts';
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
  /** Windows found that it does not respond. */
  readonly hung?: true;
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
  /** Every visible top-level window except cloaked ones and the host's own, topmost first. Never waits for a window. */
  listVisible(call: CallContext): Promise<VisibleWindow[]>;
  /** Outer rectangle in screen pixels; null once the window is gone. */
  rect(record: BindingRecord, call: CallContext): Promise<Rect | null>;
  /** Uses only Win32 calls and verifies the result from outside. x, y, width, height are screen pixels. */
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
  /**
   * Requests the foreground without workarounds; clicks the client point only if it is given. True = the window has the
   * foreground.
   */
  activate(
    record: BindingRecord,
    clientPoint: { x: number; y: number } | null,
    call: CallContext,
  ): Promise<Done<boolean>>;
}
