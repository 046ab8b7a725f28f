/**
 * What a process reports of its windows, kept until it is asked for: events of whole windows with their handles. Source:
 * learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_PARENTCHANGE,
  OBJID_WINDOW,
  PM_REMOVE,
  WINEVENT_OUTOFCONTEXT,
} from '../../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../../native-bindings/win32/user32.ts';

export interface WindowEvent {
  readonly event: number;
  readonly hwnd: number;
}

/** More events than this at a time are not worth sorting: everything counts as changed. */
const MOST_KEPT = 2000;

const message = MSG.alloc();

/** Delivers the events that wait for this thread. */
function pump(): void {
  while (user32.PeekMessageW(message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(message);
}

/** Listens until it is disposed of. Events arrive while this thread pumps, in the order in which they happened. */
export class WindowEvents implements Disposable {
  readonly #callback: Disposable;
  readonly #hook: number;
  #kept: WindowEvent[] = [];
  #isTooMany = false;

  constructor(process: number) {
    const callback = WinEventProc.register((_hook, event, hwnd, objectId) => {
      if (objectId !== OBJID_WINDOW || hwnd === 0) return;
      if (this.#kept.length < MOST_KEPT) this.#kept.push({ event, hwnd });
      else this.#isTooMany = true;
    });
    this.#callback = callback;
    this.#hook = user32.SetWinEventHook(
      EVENT_OBJECT_CREATE,
      EVENT_OBJECT_PARENTCHANGE,
      0,
      callback.address,
      process,
      0,
      WINEVENT_OUTOFCONTEXT,
    );
  }

  /** Whether the system accepted the hook. */
  get isListening(): boolean {
    return this.#hook !== 0;
  }

  /** The events since the last call; null if there were too many. */
  take(): readonly WindowEvent[] | null {
    pump();
    const [kept, isTooMany] = [this.#kept, this.#isTooMany];
    this.#kept = [];
    this.#isTooMany = false;
    return isTooMany ? null : kept;
  }

  [Symbol.dispose](): void {
    if (this.#hook !== 0) user32.UnhookWinEvent(this.#hook);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    pump();
    this.#callback[Symbol.dispose]();
  }
}
