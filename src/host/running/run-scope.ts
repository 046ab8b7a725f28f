/** What one run carries through the host, its deadline, its turn on a window, and the runs that have not ended yet. */
import type { ActionDefinition, ObservationBook } from '../../actions/index.ts';
import type { ElementInfo } from '../../contract/element/element.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError, abortReason } from '../../contract/errors.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import type { ProposerClaims, ActionTraits } from '../../contract/gate/traits.ts';
import type { GatePassed, GateRecord, GateSubject } from '../../policy/gate/index.ts';
import type { Caller } from '../face/caller.ts';
import type { ActionRun, RunOptions } from '../face/host.ts';
import type { CountedAction } from '../sessions/live-session.ts';
import type { OwnerState } from './owners.ts';
import type { ActionEnded, Meter } from '../face/meter.ts';

/** A deadline that pauses while a person is asked. */
export class ActionDeadline {
  readonly totalMs: number;
  #left: number;
  #runningSince: number | null;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#left = totalMs;
    this.#runningSince = performance.now();
  }

  pause(): void {
    this.#left = this.leftMs();
    this.#runningSince = null;
  }

  resume(): void {
    this.#runningSince ??= performance.now();
  }

  leftMs(): number {
    return this.#runningSince === null ? this.#left : this.#left - (performance.now() - this.#runningSince);
  }

  /**
   * Milliseconds left for a call, at least 1. Errors: deadline_exceeded if none are left; then nothing was delivered.
   */
  forCall(): number {
    const left = Math.round(this.leftMs());
    if (left <= 0)
      throw new UiaHostError(
        'deadline_exceeded',
        `The deadline of ${this.totalMs} ms passed before anything was delivered.`,
      );
    return left;
  }
}

/** One call of one action. */
export interface RunRequest extends RunOptions {
  readonly caller: Caller;
  /** Any name of the action. */
  readonly action: string;
  readonly input: unknown;
  /** Default: a new one. */
  readonly actionId?: string;
  /** The action that this one is part of; null for a call from an edge. */
  readonly outerId: string | null;
  readonly claims: ProposerClaims | null;
  readonly planStep: { readonly planId: string } | null;
  readonly isFurther?: boolean;
  /** Receives each outcome of the gate, for an answer that says how the action was judged. */
  onGate(record: GateRecord): void;
}

/** What a call from an edge omits from its request. */
export const FROM_EDGE: Pick<RunRequest, 'outerId' | 'claims' | 'planStep' | 'onGate'> = {
  outerId: null,
  claims: null,
  planStep: null,
  onGate: () => {},
};

/** The runner as seen by batches and proposals, which run other actions. */
export interface InnerRunner {
  start(request: RunRequest): ActionRun;
  /**
   * The element that this call would act on now; null where it has none or would be refused. Asks, counts and records
   * nothing. Errors: those of a request that cannot be judged at all.
   */
  elementOf(call: Pick<RunRequest, 'caller' | 'action' | 'input' | 'signal'>): Promise<ElementInfo | null>;
  /**
   * What the gate would judge for a batch's step. Errors: not_found, invalid_argument, naming the step; nothing was
   * run.
   */
  subjectOf(scope: RunScope, action: string, rawInput: unknown, where: string): GateSubject;
}

/** What one run carries through the host, in addition to its input. */
export interface RunScope {
  readonly caller: Caller;
  readonly state: OwnerState;
  readonly actionId: string;
  /** The action that this one is part of: a batch, a proposal. */
  readonly outerId: string | null;
  readonly definition: ActionDefinition;
  /**
   * The window that was bound when the traits were read. It is judged and receives the delivery, whichever window is
   * bound meanwhile.
   */
  readonly bound: BindingRecord | null;
  /** The observations at that moment: a point in the latest picture means the same picture for gate and delivery. */
  readonly observations: ObservationBook;
  readonly deadline: ActionDeadline;
  readonly signal: AbortSignal;
  /** The action as its token’s rate counts it; null before it is counted. */
  counted: CountedAction | null;
  /** When a person was first asked, in ms since 1970. */
  readonly askedAt: number | null;
  readonly deliveredAt: number | null;
  /** What the gate let pass; null before that. */
  readonly passed: GatePassed | null;
  /** Releases the window's turn while a person is asked, and takes it again. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  onPending(approvalId: string): void;
  /** Number of steps that a batch has completed. */
  onStep(progress: number, total: number): void;
  onGate(record: GateRecord): void;
}

/** A call's progress: a person is asked, or a batch has completed some steps. */
type RunProgress =
  | { readonly stage: 'asked'; readonly approvalId: string }
  | { readonly stage: 'step'; readonly progress: number; readonly total: number };

/** How much an answer gives to read: the letters of its JSON without pictures, and the pictures. */
export interface AnswerSize {
  readonly textLength: number;
  readonly pictures: number;
}
/** The answer to a repeated request is not measured again. */
type RunEnd = { readonly result: ActionResult; readonly size?: AnswerSize } | { readonly error: UiaHostError };

/** Follows each run, for the events and the streams of sessions. */
export interface RunObserver {
  /** A call of a known action begins; `onEnd` always follows. */
  onBegin(scope: RunScope): void;
  onProgress(scope: RunScope, progress: RunProgress): void;
  /** Right before delivery. */
  onStart(scope: RunScope, passed: GatePassed, traits: ActionTraits): Promise<void>;
  onEnd(scope: RunScope, end: RunEnd): Promise<void>;
}

export interface LiveRun {
  readonly actionId: string;
  readonly caller: Caller;
  /** Its Idempotency-Key. */
  readonly key: string | undefined;
  readonly controller: AbortController;
  /** `pending` while a person is asked. */
  status: 'pending' | 'running';
  /** Settles, and never rejects, once the run's record says how it ended. */
  ended: Promise<void>;
  readonly stopListening: () => void;
}

export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #endOf: (tokenId: string) => AbortSignal;

  /** @param endOf aborted when a token ends */
  constructor(endOf: (tokenId: string) => AbortSignal) {
    this.#endOf = endOf;
  }

  /** From here until `end`, an abort of the caller's signal and the end of its token abort the run. */
  begin(actionId: string, caller: Caller, callerSignal: AbortSignal | undefined, key?: string): LiveRun {
    const controller = new AbortController();
    const stops = [this.#endOf(caller.tokenId), callerSignal].map((signal) => {
      const onAbort = (): void =>
        controller.abort(abortReason(signal, 'The caller went away before the action ended.'));
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      return () => signal?.removeEventListener('abort', onAbort);
    });
    const live: LiveRun = {
      actionId,
      caller,
      key,
      controller,
      status: 'running',
      ended: Promise.resolve(),
      stopListening: () => stops.forEach((stop) => stop()),
    };
    this.#runs.set(actionId, live);
    return live;
  }

  end(live: LiveRun): void {
    live.stopListening();
    this.#runs.delete(live.actionId);
  }

  get size(): number {
    return this.#runs.size;
  }

  find(actionId: string): LiveRun | undefined {
    return this.#runs.get(actionId);
  }

  of(tokenId: string): LiveRun[] {
    return [...this.#runs.values()].filter(({ caller }) => caller.tokenId === tokenId);
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

function ended({ askedAt, deliveredAt, passed }: RunScope, end: RunEnd): ActionEnded {
  const result = 'result' in end ? end.result : null;
  const error = 'error' in end ? end.error : null;
  return {
    at: Date.now(),
    askedAt,
    deliveredAt,
    decision: passed === null ? 'refused' : passed.approvalId === null ? 'execute' : 'approve',
    riskLevel: passed?.decision.riskLevel ?? null,
    effect: result?.outcome.effect ?? null,
    way: result?.outcome.delivery ?? null,
    delivery: error?.delivery ?? 'delivered',
    errorCode: error?.code ?? null,
    window: passed?.binding?.title ?? null,
    element: passed?.context?.element?.name ?? null,
  };
}

/** Measures by what `telemetry` has loaded, if anything. */
export const measuredBy = (telemetry: { meter(): Meter | null } | undefined): RunObserver => ({
  onBegin({ actionId, outerId, definition: { tool }, caller: { surface, session, traceparent } }) {
    telemetry?.meter()?.begin({ actionId, outerId, tool, surface, session, traceparent, at: Date.now() });
  },
  onProgress() {},
  async onStart() {},
  async onEnd(scope, end) {
    telemetry?.meter()?.end(scope.actionId, ended(scope, end));
  },
});

/** One observer that reports to all of them, in their order. */
export const observedBy = (...observers: readonly RunObserver[]): RunObserver => ({
  onBegin: (scope) => {
    for (const each of observers) each.onBegin(scope);
  },
  onProgress: (scope, progress) => {
    for (const each of observers) each.onProgress(scope, progress);
  },
  async onStart(scope, passed, traits) {
    await Promise.all(observers.map((each) => each.onStart(scope, passed, traits)));
  },
  async onEnd(scope, end) {
    await Promise.all(observers.map((each) => each.onEnd(scope, end)));
  },
});
