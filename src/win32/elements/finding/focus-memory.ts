/**
 * Which part of each window has the keyboard focus, or had it last. Windows keeps a thread's focus only while it is in
 * the foreground, so it is remembered here for the window's lifetime: from the focus events of bound programs, and from
 * what the host clicked or typed into.
 */
import { EVENT_OBJECT_FOCUS } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { threadOf, focusOf, isReachableIn, rootOf, kindOfWindow } from '../../windows/window-info.ts';
import type { ControlKind } from '../../windows/classes.ts';
import { isInActiveDocument } from '../tree/documents.ts';
import { toClient, toScreen } from '../../windows/rects.ts';
import { takeEvents, WinEvents } from '../../windows/window-journal.ts';

/** Above this number of windows, entries of destroyed windows are purged. */
const MANY = 200;

/** A click on one of these leaves the focus unchanged: keys still go to the field that had it. */
export const LEAVES_FOCUS: ReadonlySet<ControlKind> = new Set([
  'static',
  'tool-bar',
  'status-bar',
  'header',
  'rebar',
  'pager',
  'up-down',
  'scroll-bar',
  'progress-bar',
  'tooltip',
  'animation',
]);

/** What the system reported as focused last in a window. */
interface Reported {
  readonly child: number;
  readonly thread: number;
}

/** What one owner clicked or typed into last in a window. */
interface Clicked extends Reported {
  /** Where it was clicked, in its client area. */
  readonly client: Point | null;
  /**
   * Where the system had the focus at that time, now and by its last report; 0 if unknown. A program that comes forward
   * gets it back there, which is not a move of its own.
   */
  readonly before: readonly number[];
}

/** The window that receives keys, and how that is known. */
export interface KeyFocus {
  readonly hwnd: number;
  readonly foundBy: 'last focus' | 'system focus';
  readonly isClicked: boolean;
  /** Where it was last clicked, screen pixels. */
  readonly at: Point | null;
}

/** What the system reports of a window's thread. */
interface Now {
  readonly thread: number;
  /** The window with its focus; 0 if it has none. */
  readonly focused: number;
}

export class FocusMemory implements Disposable {
  readonly #reported = new Map<number, Reported>();
  /** owner → bound window */
  readonly #clicked = new Map<string, Map<number, Clicked>>();
  readonly #events = new WinEvents((_event, hwnd) => this.#moved(hwnd));

  /** Starts following the focus in the program of a bound window. */
  follow(bound: number): Now {
    const { process, thread } = threadOf(bound);
    if (process === 0) return { thread, focused: 0 };
    if (!this.#events.has(process)) this.#hook(process);
    takeEvents();
    const focused = focusOf(thread);
    if (this.#reportedIn(bound, thread) === 0 && isReachableIn(bound, focused))
      this.#reported.set(bound, { child: focused, thread });
    return { thread, focused };
  }

  /**
   * Records that an owner is about to click or type into a part of a bound window: the next keys are meant for it, whatever
   * comes of it. A later focus change by the program takes precedence.
   * @param at where it is clicked, screen pixels
   * @returns for when nothing was sent after all: then they are not meant for what was clicked before it either
   */
  remember(bound: number, child: number, owner: string, at: Point | null = null): () => void {
    if (LEAVES_FOCUS.has(kindOfWindow(child))) return () => {};
    const { thread, focused } = this.follow(bound);
    const mine: Clicked = {
      child,
      client: at === null ? null : toClient(child, at),
      thread,
      before: [focused, this.#reportedIn(bound, thread)],
    };
    const clicked = this.#clicked.get(owner) ?? new Map<number, Clicked>();
    this.#clicked.set(owner, clicked);
    clicked.set(bound, mine);
    if (clicked.size + this.#reported.size > MANY)
      for (const map of [clicked, this.#reported])
        for (const hwnd of map.keys()) if (!user32.IsWindow(hwnd)) map.delete(hwnd);
    return () => {
      if (clicked.get(bound) === mine) clicked.delete(bound);
    };
  }

  /** An owner whose binding has ended keeps nothing. */
  forget(owner: string): void {
    this.#clicked.delete(owner);
  }

  /**
   * The part that the owner clicked last, unless the program has moved its focus since; else the part with the focus, or
   * that had it last; null if neither is known. A frame in the background activates another document without focusing it:
   * a click in the previous document then no longer counts.
   */
  find(bound: number, owner: string): KeyFocus | null {
    const { thread, focused } = this.follow(bound);
    const now = isReachableIn(bound, focused) ? focused : 0;
    const system = (hwnd: number, foundBy: KeyFocus['foundBy']): KeyFocus | null =>
      hwnd === 0 || !isInActiveDocument(bound, hwnd) ? null : { hwnd, foundBy, isClicked: false, at: null };
    const clicked = this.#clicked.get(owner)?.get(bound);
    const isMoved = now !== 0 && clicked !== undefined && now !== clicked.child && !clicked.before.includes(now);
    const isThere =
      clicked !== undefined &&
      clicked.thread === thread &&
      (clicked.child === now || isReachableIn(bound, clicked.child)) &&
      isInActiveDocument(bound, clicked.child);
    const last = this.#reportedIn(bound, thread);
    if (clicked === undefined || isMoved || !isThere)
      return now === 0 ? system(isReachableIn(bound, last) ? last : 0, 'last focus') : system(now, 'system focus');
    // A frame that keeps the focus while its part was clicked takes the keys for what that part draws.
    if (last === bound && clicked.child !== bound && kindOfWindow(clicked.child) === 'other')
      return { hwnd: bound, foundBy: now === bound ? 'system focus' : 'last focus', isClicked: true, at: null };
    return {
      hwnd: clicked.child,
      foundBy: now === clicked.child ? 'system focus' : 'last focus',
      isClicked: true,
      at: clicked.client === null ? null : toScreen(clicked.child, clicked.client),
    };
  }

  /** The window that the system last reported as focused; 0 if it has reported none. */
  reportedFocus(bound: number): number {
    const { focused, thread } = this.follow(bound);
    return isReachableIn(bound, focused) ? focused : this.#reportedIn(bound, thread);
  }

  [Symbol.dispose](): void {
    this.#events[Symbol.dispose]();
  }

  /** A handle may be reused for a window of another program. */
  #reportedIn(bound: number, thread: number): number {
    const last = this.#reported.get(bound);
    return last === undefined || last.thread !== thread ? 0 : last.child;
  }

  #hook(process: number): void {
    const followed = new Set<number>();
    for (const hwnd of this.#reported.keys()) {
      const owner = threadOf(hwnd).process;
      if (owner === 0) this.#reported.delete(hwnd);
      else followed.add(owner);
    }
    for (const known of this.#events.processes) if (!followed.has(known)) this.#events.unhook(known);
    this.#events.hook(process, EVENT_OBJECT_FOCUS, EVENT_OBJECT_FOCUS);
  }

  #moved(child: number): void {
    const bound = child === 0 ? 0 : rootOf(child);
    if (bound === 0) return;
    this.#reported.set(bound, { child, thread: threadOf(bound).thread });
    for (const clicked of this.#clicked.values()) {
      const last = clicked.get(bound);
      if (last !== undefined && last.child !== child && !last.before.includes(child)) clicked.delete(bound);
    }
  }
}
