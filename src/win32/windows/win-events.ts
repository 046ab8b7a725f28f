/**
 * Events of Windows, out of context: they wait in the queue of the thread that set the hooks until they are taken.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import { PM_REMOVE, WINEVENT_OUTOFCONTEXT } from '../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';

/** More messages than this are left for the next time: a flood must not delay an action. */
const MOST_MESSAGES = 256;
const message = MSG.alloc();

/** Dispatches the waiting events. This thread has no windows, so any other message in its queue has no receiver. */
export function takeEvents(most = MOST_MESSAGES): void {
  for (let count = 0; count < most && user32.PeekMessageW(message, 0, 0, 0, PM_REMOVE); count++)
    user32.DispatchMessageW(message);
}

/** Hooks by process, 0 for all; the callback is released once none of their events can come any more. */
export class WinEvents implements Disposable {
  readonly #hooks = new Map<number, number[]>();
  readonly #onEvent: (event: number, hwnd: number, objectId: number) => void;
  #callback: ReturnType<typeof WinEventProc.register> | null = null;

  constructor(onEvent: (event: number, hwnd: number, objectId: number) => void) {
    this.#onEvent = onEvent;
  }

  /** The processes with hooks, in the order of their first one. */
  get processes(): readonly number[] {
    return [...this.#hooks.keys()];
  }

  has(process: number): boolean {
    return this.#hooks.has(process);
  }

  /** Follows a range of events of a process. False if the system refuses the hook. */
  hook(process: number, first: number, last: number): boolean {
    this.#callback ??= WinEventProc.register((_hook, event, hwnd, objectId) => this.#onEvent(event, hwnd, objectId));
    const hook = user32.SetWinEventHook(first, last, 0, this.#callback.address, process, 0, WINEVENT_OUTOFCONTEXT);
    if (hook !== 0) this.#hooks.set(process, [...(this.#hooks.get(process) ?? []), hook]);
    return hook !== 0;
  }

  unhook(process: number): void {
    for (const hook of this.#hooks.get(process) ?? []) user32.UnhookWinEvent(hook);
    this.#hooks.delete(process);
  }

  [Symbol.dispose](): void {
    for (const process of this.processes) this.unhook(process);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    takeEvents(Number.POSITIVE_INFINITY);
    this.#callback?.[Symbol.dispose]();
    this.#callback = null;
  }
}
