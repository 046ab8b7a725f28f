/** The port of bindings: finds the window that a query means, and checks that it is still the same window. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { Point, Rect } from '../contract/element/geometry.ts';
import type { CallContext } from './call.ts';

export interface BindingQuery {
  readonly hwnd?: string | undefined;
  readonly title?: string | undefined;
  readonly pid?: number | undefined;
  /** Applications on the policy's deny list: their titles are neither matched nor shown. */
  readonly deny?: readonly string[] | undefined;
  /**
   * Applications that the caller's token is limited to: windows of others are not found, neither by title nor by
   * process.
   */
  readonly only?: readonly string[] | undefined;
}

export interface BindingPort {
  /**
   * Finds the one window that matches all given criteria. Never restores, raises or focuses it.
   * Errors: target_not_found, target_ambiguous with candidates.
   */
  find(query: BindingQuery, call: CallContext): Promise<BindingRecord>;
  /**
   * The top-level window under a point of the screen; null on the empty desktop, and for windows that may not get
   * input: the host's own, and those of the program that started it.
   */
  at(point: Point, call: CallContext): Promise<BindingRecord | null>;
  /**
   * The window that real keys go to now; null as for `at`. For a bound window: the window itself, or its dialog if that
   * is in front.
   */
  front(bound: BindingRecord | null, call: CallContext): Promise<BindingRecord | null>;
  /** Re-checks the record before an action. Errors: window_gone, window_hung, target_elevated. */
  verify(record: BindingRecord, call: CallContext): Promise<void>;
  /** Cheap: IsWindow, and the window's pid. */
  isAlive(record: BindingRecord, call: CallContext): Promise<boolean>;
  /** Current title and outer rectangle in screen pixels; null once the window is gone. */
  describe(record: BindingRecord, call: CallContext): Promise<{ title: string; rect: Rect } | null>;
  /**
   * Ends a binding: releases held input of this owner, moves back a window that `move_offscreen` moved, forgets refs.
   * Null: everything that the owner holds or has moved, in any window, and keys it holds by real input without a
   * window.
   */
  release(record: BindingRecord | null, call: CallContext): Promise<void>;
}
