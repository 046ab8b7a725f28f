/** The runs that have not ended yet: their callers, and how to abort them. */
import { abortReason, type UiaHostError } from '../../contract/errors.ts';
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
