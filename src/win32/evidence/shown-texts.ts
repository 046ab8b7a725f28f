/**
 * What can show the effect of an action on an element: in a small window everything, in a large one the texts next to
 * the element, those at the window's edges, those that changed before, and every window of which something is reported.
 */
import { WS_DISABLED, WS_VISIBLE } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { nearest } from '../elements/reading/nearest.ts';
import { windowViews, type WindowView } from '../elements/reading/window-views.ts';
import { windowStyle } from '../windows/window-info.ts';
import type { WindowTree } from '../elements/sources/child-windows.ts';
import { indexOf } from '../elements/tree/tree-index.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { appearance, appearanceChange, appearanceOf } from './appearance.ts';

/** A window with at most this many controls is compared as a whole. */
const FEW = 100;
/** Of a larger one: this many controls around the element, */
const NEAR = 48;
/** and this many texts at its beginning and at its end, where programs report what they did. */
const EDGE = 12;
/** What a whole window showed this long ago (ms) at most is a baseline for what changed in it. */
const BASELINE_MS = 2000;

const STATE = WS_VISIBLE | WS_DISABLED;

/** The windows of a large one that are compared. */
function watchedIn({ observed, live, changed }: WindowView, target: TreeNode): number[] {
  const { root, windows } = observed;
  const texts = indexOf(root).derived('texts', () =>
    [...windows.entries].filter(([, { kind }]) => kind === 'static').map(([hwnd]) => hwnd),
  );
  return [
    ...new Set([
      target.hwnd,
      ...nearest(root, target, NEAR).map(({ hwnd }) => hwnd),
      ...live,
      ...changed,
      ...texts.slice(0, EDGE),
      ...texts.slice(-EDGE),
      root.hwnd,
    ]),
  ];
}

/** What was shown before an action, and what differs later. */
export class ShownTexts {
  readonly #root: number;
  /** Null: everything is compared. */
  readonly #view: WindowView | null;
  readonly #watched: readonly number[];
  readonly #before: Map<number, string>;
  readonly #touched: ReadonlyMap<number, number>;

  constructor(root: number, target: TreeNode) {
    this.#root = root;
    const view = windowViews.view(root);
    const isLarge = view !== null && view.isWhole && view.isInPlace && view.observed.windows.entries.size > FEW;
    this.#view = isLarge ? view : null;
    this.#watched = isLarge ? watchedIn(view, target) : [];
    this.#touched = isLarge ? new Map(windowViews.touched(root)) : new Map();
    this.#before = isLarge ? this.#shown(this.#watched) : appearance(root);
  }

  /** The windows in the root. */
  get windows(): Iterable<number> {
    return this.#before.keys();
  }

  /** Those of a large window as they were last read; null if all are compared. */
  get lastRead(): WindowTree | null {
    return this.#view?.observed.windows ?? null;
  }

  #shown(windows: Iterable<number>): Map<number, string> {
    const shown = new Map<number, string>();
    for (const hwnd of windows) {
      const state = appearanceOf(this.#root, hwnd);
      if (state !== null) shown.set(hwnd, state);
    }
    return shown;
  }

  /** What is shown now, for one or more comparisons. */
  now(): ReadonlyMap<number, string> {
    if (this.#view === null) return appearance(this.#root);
    const now = this.#shown(this.#watched);
    for (const [hwnd, count] of windowViews.touched(this.#root)) {
      if (now.has(hwnd) || count === this.#touched.get(hwnd)) continue;
      this.#addReported(hwnd, now);
    }
    return now;
  }

  /** A window that was not compared and of which something is reported: its state says what. */
  #addReported(hwnd: number, now: Map<number, string>): void {
    const known = this.#view!.observed.windows.entries.get(hwnd);
    const state = appearanceOf(this.#root, hwnd);
    const isShown = state !== null && (windowStyle(hwnd) & WS_VISIBLE) !== 0;
    if (known === undefined) {
      if (isShown && user32.IsChild(this.#root, hwnd)) now.set(hwnd, state);
      return;
    }
    const text = state === null ? ` ${known.text}` : state.slice(state.indexOf(' '));
    this.#before.set(hwnd, `${known.info.style & STATE}${text}`);
    if (state !== null) now.set(hwnd, state);
  }

  /** The first difference; null if there is none. @param counts which windows are compared */
  change(now: ReadonlyMap<number, string>, counts?: (hwnd: number) => boolean): Evidence | null {
    return appearanceChange(this.#before, now, counts);
  }

  /**
   * A change in the rest of a large window, where the reading before the action is recent enough to compare with. What
   * differs from an older one is watched from now on.
   */
  elsewhere(since: number): Evidence | null {
    const view = this.#view;
    if (view === null || !user32.IsWindow(this.#root)) return null;
    for (const [hwnd, { text, kind }] of view.observed.windows.entries) {
      if (this.#before.has(hwnd) || kind === 'edit' || kind === 'rich-edit' || text === '') continue;
      const state = appearanceOf(this.#root, hwnd);
      const now = state?.slice(state.indexOf(' ') + 1) ?? '';
      const before = view.texts.get(hwnd) ?? text;
      if (state === null || now === before) continue;
      view.live.add(hwnd);
      if (since - view.at > BASELINE_MS) continue;
      const bits = state.slice(0, state.indexOf(' '));
      return appearanceChange(new Map([[hwnd, `${bits} ${before}`]]), new Map([[hwnd, state]]));
    }
    return null;
  }
}
