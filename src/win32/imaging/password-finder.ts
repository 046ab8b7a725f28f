/** What a picture must know of a window's password fields, in addition to the edits that are windows of their own. */
import type { Rect } from '../../contract/geometry.ts';
import type { CallContext } from '../../desktop/call.ts';

/**
 * `partly`: not all of the window was looked through, there may be more. `unanswered`: the system can tell where they are
 * and did not, so nothing is known.
 */
export interface PasswordRects {
  /** Screen pixels. */
  readonly rects: readonly Rect[];
  readonly known: 'all' | 'partly' | 'unanswered';
}

/** How long it may take; 0 = not asked at all, and the answer says so. */
export interface PasswordTime {
  /** Until when a system that can search a window is asked. Its answer counts however late it comes. */
  readonly askMs: number;
  /** How long a window is walked, element by element, where the system cannot search. */
  readonly walkMs: number;
}

/** Finds password fields that only UI Automation knows (browsers, XAML). Errors: cancelled. */
export type PasswordFinder = (hwnd: number, time: PasswordTime, call: CallContext) => Promise<PasswordRects>;

/** Where there is no UI Automation to ask. */
export const findsNone: PasswordFinder = async () => ({ rects: [], known: 'all' });
