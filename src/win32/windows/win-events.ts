/**
 * Observes changes of a process's windows. Source:
 * learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook
 */
import {
  EVENT_OBJECT_CREATE,
  EVENT_OBJECT_VALUECHANGE,
  EVENT_SYSTEM_DIALOGEND,
  EVENT_SYSTEM_FOREGROUND,
  PM_REMOVE,
  WINEVENT_OUTOFCONTEXT,
} from '../../../native-bindings/win32/constants.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32, WinEventProc } from '../../../native-bindings/win32/user32.ts';

/** Counts events of a process until it is disposed of. They are delivered while `pump` runs on this thread. */
export class WinEvents implements Disposable {
  readonly #callback: Disposable;
  readonly #hooks: number[];
  readonly #message = MSG.alloc();
  #count = 0;

  constructor(process: number) {
    const callback = WinEventProc.register(() => {
      this.#count++;
    });
    this.#callback = callback;
    this.#hooks = [
      [EVENT_SYSTEM_FOREGROUND, EVENT_SYSTEM_DIALOGEND],
      [EVENT_OBJECT_CREATE, EVENT_OBJECT_VALUECHANGE],
    ]
      .map(([first, last]) =>
        user32.SetWinEventHook(first!, last!, 0, callback.address, process, 0, WINEVENT_OUTOFCONTEXT),
      )
      .filter((hook) => hook !== 0);
  }

  /** Whether the system accepted the hooks. */
  get isListening(): boolean {
    return this.#hooks.length > 0;
  }

  /** Delivers queued events; returns how many came since the last call. */
  pump(): number {
    while (user32.PeekMessageW(this.#message, 0, 0, 0, PM_REMOVE)) user32.DispatchMessageW(this.#message);
    const count = this.#count;
    this.#count = 0;
    return count;
  }

  [Symbol.dispose](): void {
    for (const hook of this.#hooks) user32.UnhookWinEvent(hook);
    // Events still queued would call into a released callback when this thread's queue is next pumped.
    this.pump();
    this.#callback[Symbol.dispose]();
  }
}
