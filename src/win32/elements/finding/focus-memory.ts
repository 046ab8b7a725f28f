/**
 * Which part of each window has the keyboard focus, or had it last. Windows keeps a thread's focus only while it is in
 * the foreground, so it is remembered here for the window's lifetime: from the focus events of bound programs, and from
 * what the host clicked or typed into.
 */
import { EVENT_OBJECT_FOCUS, WINEVENT_OUTOFCONTEXT } from '../../../../native-bindings/win32/constants.ts';
import { user32, WinEventProc } from '../../../../native-bindings/win32/user32.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { threadOf, focusOf, isReachableIn, rootOf, kindOfWindow } from '../../windows/window-info.ts';
import type { ControlKind } from '../../windows/classes.ts';
import { isInActiveDocument } from '../tree/documents.ts';
import { toClient, toScreen } from '../../windows/rects.ts';
import { takeEvents } from '../../windows/witness.ts';

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

/** What was focused last in a window. */
export interface Last {
  readonly child: number;
  /** Where it was clicked, in its client area. */
  readonly client: Point | null;
  readonly thread: number;
  /** Set when the host clicked it or typed into it. */
  readonly isClicked: boolean;
  /** What the system reported as focused at that time; null once the system itself has reported this window. */
  readonly focusThen: number | null;
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
  readonly #last = new Map<number, Last>();
  readonly #reported = new Map<number, number>();
  readonly #hooks = new Map<number, number>();
  #callback: ReturnType<typeof WinEventProc.register> | null = null;

  /** Starts following the focus in the program of a bound window. */
  follow(bound: number): Now {
    const { process, thread } = threadOf(bound);
    if (process === 0) return { thread, focused: 0 };
    if (!this.#hooks.has(process)) this.#hook(process);
    takeEvents();
    const focused = focusOf(thread);
    if (this.#of(bound, thread) === null && isReachableIn(bound, focused))
      this.#last.set(bound, { child: focused, client: null, thread, isClicked: false, focusThen: null });
    return { thread, focused };
  }

  /**
   * Records that a part of a bound window is about to be clicked or typed into. A later focus change by the program
   * takes precedence.
   * @param at where it is clicked, screen pixels
   * @returns undoes it, for when nothing was sent after all
   */
  remember(bound: number, child: number, at: Point | null = null): () => void {
    if (LEAVES_FOCUS.has(kindOfWindow(child))) return () => {};
    const { thread, focused } = this.follow(bound);
    const before = this.#last.get(bound);
    const mine: Last = {
      child,
      client: at === null ? null : toClient(child, at),
      thread,
      isClicked: true,
      focusThen: focused,
    };
    this.#last.set(bound, mine);
    if (this.#last.size > MANY)
      for (const map of [this.#last, this.#reported])
        for (const hwnd of map.keys()) if (!user32.IsWindow(hwnd)) map.delete(hwnd);
    return () => {
      if (this.#last.get(bound) !== mine) return;
      if (before === undefined) this.#last.delete(bound);
      else this.#last.set(bound, before);
    };
  }

  /**
   * The current focus if the program has moved it since the last click, else the window last clicked or focused; null
   * if neither is known. A frame in the background activates another document without focusing it: a click in the
   * previous document then no longer counts.
   */
  find(bound: number): KeyFocus | null {
    const { thread, focused } = this.follow(bound);
    const now = isReachableIn(bound, focused) ? focused : 0;
    const last = this.#of(bound, thread);
    if (now !== 0 && now !== last?.child && (last === null || last.focusThen === null || now !== last.focusThen))
      return { hwnd: now, foundBy: 'system focus', isClicked: false, at: null };
    if (
      last === null ||
      (last.child !== now && !isReachableIn(bound, last.child)) ||
      !isInActiveDocument(bound, last.child)
    )
      return now === 0 || !isInActiveDocument(bound, now)
        ? null
        : { hwnd: now, foundBy: 'system focus', isClicked: false, at: null };
    return {
      hwnd: last.child,
      foundBy: now === last.child ? 'system focus' : 'last focus',
      isClicked: last.isClicked,
      at: last.client === null ? null : toScreen(last.child, last.client),
    };
  }

  /** The window that the system last reported as focused; 0 if it has reported none. */
  reportedFocus(bound: number): number {
    const { focused } = this.follow(bound);
    return isReachableIn(bound, focused) ? focused : (this.#reported.get(bound) ?? 0);
  }

  [Symbol.dispose](): void {
    for (const hook of this.#hooks.values()) user32.UnhookWinEvent(hook);
    this.#hooks.clear();
    // Events still queued would call into a released callback.
    takeEvents();
    this.#callback?.[Symbol.dispose]();
    this.#callback = null;
  }

  #of(bound: number, thread: number): Last | null {
    const last = this.#last.get(bound);
    // A handle may be reused for a window of another program.
    return last === undefined || last.thread !== thread ? null : last;
  }

  #forget(bound: number): void {
    this.#last.delete(bound);
    this.#reported.delete(bound);
  }

  /** Source: learn.microsoft.com/windows/win32/winauto/event-constants */
  #hook(process: number): void {
    const followed = new Set<number>();
    for (const hwnd of this.#last.keys()) {
      const owner = threadOf(hwnd).process;
      if (owner === 0) this.#forget(hwnd);
      else followed.add(owner);
    }
    for (const [known, hook] of this.#hooks) {
      if (followed.has(known)) continue;
      user32.UnhookWinEvent(hook);
      this.#hooks.delete(known);
    }
    this.#callback ??= WinEventProc.register((_hook, _event, hwnd) => this.#moved(hwnd));
    const hook = user32.SetWinEventHook(
      EVENT_OBJECT_FOCUS,
      EVENT_OBJECT_FOCUS,
      0,
      this.#callback.address,
      process,
      0,
      WINEVENT_OUTOFCONTEXT,
    );
    if (hook !== 0) this.#hooks.set(process, hook);
  }

  #moved(child: number): void {
    const bound = child === 0 ? 0 : rootOf(child);
    if (bound === 0) return;
    this.#reported.set(bound, child);
    const before = this.#last.get(bound);
    const isSame = before?.child === child;
    this.#last.set(bound, {
      child,
      client: isSame ? before.client : null,
      thread: threadOf(bound).thread,
      isClicked: isSame && before.isClicked,
      focusThen: null,
    });
  }
}
