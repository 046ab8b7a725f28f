/** What one run must do by when, and what it carries through the host. */
import type { ActionDefinition, ObservationBook } from '../../actions/index.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import type { ProposerClaims } from '../../contract/gate/proposal.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import type { GatePassed, GateRecord, GateSubject } from '../../policy/gate/index.ts';
import type { Caller } from '../face/caller.ts';
import type { ActionRun, RunOptions } from '../face/host.ts';
import type { OwnerState } from './owners.ts';

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
  /** The action that this one is part of; null for a call from an edge. */
  readonly outerId: string | null;
  readonly claims: ProposerClaims | null;
  readonly planStep: { readonly planId: string } | null;
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
  /** Releases the window's turn while a person is asked, and takes it again. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  onPending(approvalId: string): void;
  /** Number of steps that a batch has completed. */
  onStep(progress: number, total: number): void;
  onGate(record: GateRecord): void;
}

/** A call's progress: a person is asked, or a batch has completed some steps. */
export type RunProgress =
  | { readonly stage: 'asked'; readonly approvalId: string }
  | { readonly stage: 'step'; readonly progress: number; readonly total: number };

/** Follows each run, for the events and the streams of sessions. */
export interface RunObserver {
  /** A call of a known action begins; `onEnd` always follows. */
  onBegin(scope: RunScope): void;
  onProgress(scope: RunScope, progress: RunProgress): void;
  /** Right before delivery. */
  onStart(scope: RunScope, passed: GatePassed, traits: ActionTraits): Promise<void>;
  onEnd(scope: RunScope, end: { result: ActionResult } | { error: UiaHostError }): Promise<void>;
}
