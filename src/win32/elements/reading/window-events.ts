/**
 * What a process reports of its windows, kept until it is asked for: events of whole windows in their order, and which
 * windows show something else. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_FOCUS,
  EVENT_OBJECT_NAMECHANGE,
  EVENT_OBJECT_PARENTCHANGE,
  EVENT_OBJECT_VALUECHANGE,
  OBJID_CLIENT,
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

export interface Reported {
  /** Events of whole windows, in order. */
  readonly events: readonly WindowEvent[];
  /** Windows of which a state, name, value or item was reported. */
  readonly content: ReadonlySet<number>;
}

/** More events than this at a time are not worth sorting: everything counts as changed. */
const MOST_KEPT = 2000;

const message = MSG.alloc();

/** Delivers the events that wait for this thread. */
function pump(): void {
  while (user32.PeekMessageW(message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(message);
}

/**
 * Whether an event says that a window shows something else. Which object a name or value belongs to differs between
 * systems and controls. The focus is asked in every reading.
 */
const isContent = (event: number, objectId: number): boolean =>
  (objectId === OBJID_CLIENT && event !== EVENT_OBJECT_FOCUS) ||
  event === EVENT_OBJECT_NAMECHANGE ||
  event === EVENT_OBJECT_VALUECHANGE;

/** Listens until it is disposed of. Events arrive while this thread pumps, in the order in which they happened. */
export class WindowEvents implements Disposable {
  readonly #callback: Disposable;
  readonly #hook: number;
  #kept: WindowEvent[] = [];
  #content = new Set<number>();
  #isTooMany = false;

  constructor(process: number) {
    const callback = WinEventProc.register((_hook, event, hwnd, objectId) => {
      if (hwnd === 0 || (objectId !== OBJID_WINDOW && objectId !== OBJID_CLIENT)) return;
      // A list that is filled reports each item: its window is noted once.
      if (isContent(event, objectId)) this.#content.add(hwnd);
      if (objectId !== OBJID_WINDOW) return;
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

  /**
   * What was reported since the last call; null if there was too much. Complete for every change that was made before
   * this call: the system puts an event into this thread's queue before the call that changed something returns to the
   * program, and takes all events from there before it says that the queue is empty.
   */
  take(): Reported | null {
    pump();
    const [events, content, isTooMany] = [this.#kept, this.#content, this.#isTooMany];
    this.#kept = [];
    this.#content = new Set();
    this.#isTooMany = false;
    return isTooMany ? null : { events, content };
  }

  [Symbol.dispose](): void {
    if (this.#hook !== 0) user32.UnhookWinEvent(this.#hook);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    pump();
    this.#callback[Symbol.dispose]();
  }
}
