/** The message loop of the overlay’s thread, with mail from the host and timers, and what all windows of the thread share. */
import { addressOf } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { MSG } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { FromOverlay } from './protocol.ts';

/** Messages handled before mail and timers get their turn, since another program may flood the queue. */
const BATCH = 64;

interface PumpTimer {
  readonly everyMs: number;
  readonly work: () => void;
  due: number;
}

/**
 * The message loop of a thread that owns windows. It waits in native code, so that low-level hooks and clicks are answered
 * immediately; the rest of the process wakes it by an event that no other program can set. It runs its own timers: another
 * program's posted or killed WM_TIMER has no effect, and a posted WM_QUIT does not end it.
 */
export class MessagePump implements Disposable {
  readonly #wake = kernel32.CreateEventW(null, false, false, null);
  readonly #timers = new Set<PumpTimer>();
  readonly #onFault: (error: unknown) => void;
  #soon: Array<() => void> = [];
  #isOver = false;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Handle of the event that makes the loop read its mail; any thread of this process may set it. */
  get wakeHandle(): number {
    return this.#wake;
  }

  /** Calls `work` every `everyMs` milliseconds, never early, until the returned function is called. */
  every(everyMs: number, work: () => void): () => void {
    const timer: PumpTimer = { everyMs, work, due: performance.now() + everyMs };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Calls `work` soon, outside any window procedure: a window must not be destroyed inside its own procedure. */
  later(work: () => void): void {
    this.#soon.push(work);
  }

  end(): void {
    this.#isOver = true;
  }

  /**
   * Runs until `end`. `onWake` is called whenever the event is set, and with every timer; `onThreadMessage` gets messages
   * without a window (the thread's hotkeys).
   */
  run(onWake: () => void, onThreadMessage: (message: number, wParam: number, lParam: number) => void): void {
    const message = MSG.alloc();
    const handles = Buffer.alloc(8);
    handles.writeBigInt64LE(BigInt(this.#wake), 0);
    // A local for the whole loop, since the native side reads the buffer during the wait.
    const handleAddress = addressOf(handles);
    while (!this.#isOver) {
      user32.MsgWaitForMultipleObjectsEx(
        1,
        handleAddress,
        this.#untilNextTimer(),
        m.QS_ALLINPUT,
        m.MWMO_INPUTAVAILABLE,
      );
      this.#guarded(onWake);
      for (
        let taken = 0;
        taken < BATCH && !this.#isOver && user32.PeekMessageW(message, 0, 0, 0, m.PM_REMOVE);
        taken += 1
      ) {
        const kind = message.readUInt32LE(MSG.at.message);
        if (kind === m.WM_QUIT || kind === m.WM_TIMER) continue;
        if (message.readBigInt64LE(MSG.at.hwnd) === 0n) {
          const { wParam, lParam } = MSG.read(message);
          this.#guarded(() => onThreadMessage(kind, wParam, lParam));
        } else {
          user32.DispatchMessageW(message);
        }
        if (this.#soon.length > 0) break;
      }
      const soon = this.#soon;
      this.#soon = [];
      for (const work of soon) this.#guarded(work);
      this.#runDueTimers();
    }
    handles.fill(0);
  }

  [Symbol.dispose](): void {
    kernel32.CloseHandle(this.#wake);
  }

  #untilNextTimer(): number {
    if (this.#soon.length > 0) return 0;
    let next = Infinity;
    for (const { due } of this.#timers) next = Math.min(next, due);
    return next === Infinity ? m.INFINITE : Math.max(0, Math.min(0x7fff_ffff, Math.ceil(next - performance.now())));
  }

  #runDueTimers(): void {
    const now = performance.now();
    for (const timer of this.#timers) {
      if (timer.due > now) continue;
      timer.due = now + timer.everyMs;
      this.#guarded(timer.work);
    }
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFault(error);
    }
  }
}

/** Shared by all windows of the overlay's thread. */
export interface OverlayStage {
  readonly pump: MessagePump;
  /** Sends a message to the host. */
  tell(message: FromOverlay): void;
  /** For window procedures and timers: reports a fault without ending the thread. Never throws. */
  fault(error: unknown): void;
}
