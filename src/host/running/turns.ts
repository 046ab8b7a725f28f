/** The runs that have not ended yet, and their order: one at a time on one window, in parallel on different ones. */
import { UiaHostError, abortReason } from '../../contract/errors.ts';
import type { Caller } from '../face/caller.ts';

export interface LiveRun {
  readonly actionId: string;
  readonly caller: Caller;
  readonly controller: AbortController;
  /** `pending` while a person is asked. */
  status: 'pending' | 'running';
  /** Settles, and never rejects, once the run's record says how it ended. */
  ended: Promise<void>;
  readonly stopListening: () => void;
}

export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();

  /** From here until `end`, an abort of the caller's signal aborts the run. */
  begin(actionId: string, caller: Caller, callerSignal: AbortSignal | undefined): LiveRun {
    const controller = new AbortController();
    const onAbort = (): void =>
      controller.abort(abortReason(callerSignal, 'The caller went away before the action ended.'));
    callerSignal?.addEventListener('abort', onAbort, { once: true });
    if (callerSignal?.aborted === true) onAbort();
    const live: LiveRun = {
      actionId,
      caller,
      controller,
      status: 'running',
      ended: Promise.resolve(),
      stopListening: () => callerSignal?.removeEventListener('abort', onAbort),
    };
    this.#runs.set(actionId, live);
    return live;
  }

  end(live: LiveRun): void {
    live.stopListening();
    this.#runs.delete(live.actionId);
  }

  find(actionId: string): LiveRun | undefined {
    return this.#runs.get(actionId);
  }

  /** Aborts the runs of these callers, by default all of them. */
  abortAll(error: UiaHostError, which: (caller: Caller) => boolean = () => true): void {
    for (const { caller, controller } of this.#runs.values()) if (which(caller)) controller.abort(error);
  }
}

/** A turn on one window: held while an action is judged and delivered, released while it waits for a person. */
export interface Turn {
  release(): void;
}

/** First come, first served. */
export class TurnQueue {
  readonly #waiting = new Map<string, Array<() => void>>();

  /**
   * Waits for the turn on `key`.
   * Errors: deadline_exceeded if it does not come in time, the signal's reason on an abort; then nothing was delivered.
   */
  async take(key: string, timeoutMs: number, signal: AbortSignal): Promise<Turn> {
    const line = this.#waiting.get(key);
    if (line === undefined) {
      this.#waiting.set(key, []);
      return this.#turn(key);
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        cleanUp();
        resolve(this.#turn(key));
      };
      const leave = (error: unknown): void => {
        cleanUp();
        const index = line.indexOf(enter);
        if (index >= 0) line.splice(index, 1);
        reject(
          error instanceof Error ? error : new UiaHostError('cancelled', 'The action was cancelled before its turn.'),
        );
      };
      const onAbort = (): void => leave(signal.reason);
      const timer = setTimeout(
        () =>
          leave(
            new UiaHostError(
              'deadline_exceeded',
              `Other actions on this window took the whole deadline of ${timeoutMs} ms; this one did not run.`,
            ),
          ),
        timeoutMs,
      );
      const cleanUp = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      line.push(enter);
    });
  }

  #turn(key: string): Turn {
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        const next = this.#waiting.get(key)?.shift();
        if (next === undefined) this.#waiting.delete(key);
        else next();
      },
    };
  }
}
