/**
 * Which windows were created, destroyed, shown, hidden or given another parent, in every program of the desktop: a
 * window may contain windows of other programs. Source:
 * learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_HIDE,
  EVENT_OBJECT_PARENTCHANGE,
  OBJID_WINDOW,
  PM_REMOVE,
  WINEVENT_OUTOFCONTEXT,
} from '../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';

const RANGES = [
  [EVENT_OBJECT_CREATE, EVENT_OBJECT_HIDE],
  [EVENT_OBJECT_PARENTCHANGE, EVENT_OBJECT_PARENTCHANGE],
] as const;
/** Further windows than this at a time are not worth sorting: everything counts as changed. */
const MOST_KEPT = 2000;

/**
 * Listens until it is disposed of. A program's event waits in this thread's queue before the call that caused it
 * returns, so `take` knows of everything that a picture taken before it can show.
 */
export class WindowChanges implements Disposable {
  readonly #callback: Disposable;
  readonly #hooks: readonly number[];
  readonly #message = MSG.alloc();
  #changed = new Set<number>();

  constructor() {
    const callback = WinEventProc.register((_hook, _event, hwnd, objectId) => {
      if (objectId === OBJID_WINDOW && hwnd !== 0 && this.#changed.size <= MOST_KEPT) this.#changed.add(hwnd);
    });
    this.#callback = callback;
    this.#hooks = RANGES.map(([first, last]) =>
      user32.SetWinEventHook(first, last, 0, callback.address, 0, 0, WINEVENT_OUTOFCONTEXT),
    );
  }

  /** Whether the system accepted the hooks. */
  get isListening(): boolean {
    return this.#hooks.every((hook) => hook !== 0);
  }

  /** The windows since the last call; null if there were too many to name. */
  take(): ReadonlySet<number> | null {
    while (user32.PeekMessageW(this.#message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(this.#message);
    const changed = this.#changed;
    if (changed.size > 0) this.#changed = new Set();
    return changed.size > MOST_KEPT ? null : changed;
  }

  [Symbol.dispose](): void {
    for (const hook of this.#hooks) if (hook !== 0) user32.UnhookWinEvent(hook);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    this.take();
    this.#callback[Symbol.dispose]();
  }
}
