/** The port of bindings: find the window that a query means, and check that it is still the same one. */
import type { BindingRecord } from '../contract/binding.ts';
import type { Point, Rect } from '../contract/geometry.ts';
import type { CallContext } from './call.ts';

export interface BindingQuery {
  readonly hwnd?: string | undefined;
  readonly title?: string | undefined;
  readonly pid?: number | undefined;
  /** Applications on the policy's deny list: their titles are neither matched nor shown. */
  readonly deny?: readonly string[] | undefined;
  /** Applications that the caller's token is limited to: windows of others are not found, by title as little as by process. */
  readonly only?: readonly string[] | undefined;
}

export interface BindingPort {
  /**
   * Finds the one window that meets all given criteria. Never restores, raises or focuses it.
   * Errors: target_not_found, target_ambiguous with candidates.
   */
  find(query: BindingQuery, call: CallContext): Promise<BindingRecord>;
  /** The top-level window under a point of the screen; null on the bare desktop, and where input may not go: the host's own window, or its starter's. */
  at(point: Point, call: CallContext): Promise<BindingRecord | null>;
  /**
   * The window that real keys go to now; null as for `at`. Of a bound window: the window itself, or its dialog where that is in front.
   */
  front(bound: BindingRecord | null, call: CallContext): Promise<BindingRecord | null>;
  /** Re-checks the record before an action. Errors: window_gone, window_hung, target_elevated. */
  verify(record: BindingRecord, call: CallContext): Promise<void>;
  /** One IsWindow and the pid behind it. */
  isAlive(record: BindingRecord, call: CallContext): Promise<boolean>;
  /** Present title and outer rectangle in screen pixels; null once the window is gone. */
  describe(record: BindingRecord, call: CallContext): Promise<{ title: string; rect: Rect } | null>;
  /**
   * Ends a binding: releases held input of this owner, moves a window back that `move_offscreen` moved, forgets refs.
   * Null: all that the owner holds and moved, of whichever window, and what it holds down by real input without one.
   */
  release(record: BindingRecord | null, call: CallContext): Promise<void>;
}
