/** How pictures learn of a window's password fields, in addition to edit controls that are windows of their own. */
import type { Rect } from '../../contract/element/geometry.ts';
import type { CallContext } from '../../desktop/call.ts';

/**
 * `partly`: the window was not searched completely, there may be more. `unanswered`: the system can find them but did not
 * answer, so nothing is known.
 */
export interface PasswordRects {
  /** Screen pixels. */
  readonly rects: readonly Rect[];
  readonly known: 'all' | 'partly' | 'unanswered';
  /** All that was found are windows: as long as those are the same and none answers for itself, nothing else is there. */
  readonly isPlain?: true;
}

/** Time limits; 0 = not searched, as the result then states. */
export interface PasswordTime {
  /** For a system that can search a window. A late answer still counts. */
  readonly askMs: number;
  /** For walking a window element by element, where the system cannot search. */
  readonly walkMs: number;
}

/** Finds password fields that only UI Automation knows (browsers, XAML). Errors: cancelled. */
export type PasswordFinder = (hwnd: number, time: PasswordTime, call: CallContext) => Promise<PasswordRects>;

/** For processes without UI Automation. */
export const findsNone: PasswordFinder = async () => ({ rects: [], known: 'all', isPlain: true });
