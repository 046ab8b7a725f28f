/** What `fleet()` of `uiahost/client` gives: hosts and jobs of a fleet, with exact outcomes. */

/** The text of a credential file, or what it contains. */
export interface FleetOptions extends Stoppable {
  readonly credential: string | object;
}

export interface FleetStep {
  /** An action of the host, such as `bind-to-window`. */
  readonly action: string;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

export interface SubmitOptions {
  /** Known to the caller: the same key, target and steps are the same job, which runs once. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
  /** Latest start, from now; default 15 minutes, at most 24 hours. */
  readonly notAfterMs?: number | undefined;
  /** From its start; it ends the job. Default 10 minutes, at most 24 hours. */
  readonly runMs?: number | undefined;
  /** Jobs of one seat that share a bound window. */
  readonly session?: string | undefined;
  readonly traceparent?: string | undefined;
}

export interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

export interface WaitOptions extends Stoppable {
  /** Gives a running job up after its seat was gone for this time: its outcome is `unknown`. Default: never. */
  readonly lostAfterMs?: number | undefined;
}

export interface WatchOptions extends Stoppable {
  /** Steps after this `sequence` alone; default: all that the server has kept. */
  readonly after?: number | undefined;
}

/** A job is known by its target and id. */
export interface FleetJobRef {
  readonly target: string;
  /** Or the key that it was submitted with. */
  readonly id: string;
  /** Latest start, in ms of the epoch: a job that no machine began until then has expired. Without it `wait` continues. */
  readonly notAfter?: number | undefined;
  /** What it does: `wait` tells no outcome of another job with this id. */
  readonly bodyHash?: string | undefined;
}

export interface FleetJob extends FleetJobRef {
  /** The same job is known to have been submitted before. */
  readonly isAgain: boolean;
}

export interface FleetOutcome {
  readonly target: string;
  readonly id: string;
  readonly status: 'succeeded' | 'failed' | 'unknown' | 'cancelled' | 'expired';
  /** That of the step that ended it; `delivered` if all succeeded. */
  readonly delivery: 'delivered' | 'not_delivered' | 'unknown';
  /** Why it did not succeed. */
  readonly code?: string | undefined;
  /** The step that ended it, from 0: steps before it succeeded, steps after it were not sent. */
  readonly step?: number | undefined;
  /** What each step that succeeded answered. */
  readonly values: readonly unknown[];
  /** The truth of a job that had been given up. */
  readonly late?: boolean | undefined;
  /** Whether another job with the same steps can do no harm: nothing of this one was delivered. */
  readonly retryable: boolean;
  /** Which seat ran it; null if none did. */
  readonly seat: string | null;
}

export interface FleetHost {
  readonly seat: string;
  /**
   * `late`: it missed a value. `gone`: it was silent for three intervals, and the server was there meanwhile. `ended`: its
   * credential was revoked, or has expired.
   */
  readonly state: 'present' | 'late' | 'gone' | 'ended';
  readonly silentMs: number;
  readonly pools: readonly string[];
  /** Version of uiahost; null if no host answers the link. */
  readonly version: string | null;
  readonly level: string | null;
  /** The version of the fleet's policy that its link follows; 0 for none. */
  readonly policyVersion: number;
  /** Why it takes no job; null if it does. */
  readonly takesNoJob: string | null;
  readonly finding: string | null;
  /** The job that is under way, as `target.id`. */
  readonly job: string | null;
}

export interface FleetEvent {
  readonly at: number;
  readonly type: 'step' | 'ended';
  /** The step's place among all events: from there another `watch` continues. */
  readonly sequence?: number | undefined;
  readonly seat: string | null;
  readonly step?: number | undefined;
  /** `begun`; `waiting` and `decided` where a person is asked; how the step ended. For watching: the outcome alone counts. */
  readonly what?: string | undefined;
  /** The card of a step that is `waiting`. */
  readonly approvalId?: string | undefined;
  /** When the job's time is over (ms of the epoch) and its card is withdrawn; the machine's policy may end a card before. */
  readonly until?: number | undefined;
  readonly outcome?: FleetOutcome | undefined;
}

export interface Fleet extends AsyncDisposable {
  /** Every seat that was there in the last 30 days. */
  hosts(): Promise<readonly FleetHost[]>;
  /** Submits a job and waits for its outcome. Errors: those of `submit` and `wait`. */
  run(target: string, steps: readonly FleetStep[], options?: SubmitOptions & WaitOptions): Promise<FleetOutcome>;
  /**
   * Puts a job into the queue of a seat (`h_…`) or a pool (`p_…`). Errors: FleetError `invalid_argument`,
   * `idempotency_mismatch`, `rate_limited` (the queue is full; nothing was stored), `unanswered` (submit it again with the
   * same key).
   */
  submit(target: string, steps: readonly FleetStep[], options?: SubmitOptions): Promise<FleetJob>;
  /** The outcome, however long it takes; a server that is away is waited for. Errors: the signal's reason. */
  wait(job: FleetJobRef, options?: WaitOptions): Promise<FleetOutcome>;
  /** Each step of a job once, from its begin or from `after`, until its outcome or the signal; cuts leave nothing out. */
  watch(job: FleetJobRef, options?: WatchOptions): AsyncIterable<FleetEvent>;
  /**
   * Ends a job: a job that no machine has begun never runs; of a running one the action under way is cancelled, and no further
   * step is sent. Returns its outcome if there is one already.
   */
  cancel(job: FleetJobRef): Promise<FleetOutcome | null>;
  /**
   * Declares a running job lost: its outcome becomes `unknown`, unless there is one. A machine that returns writes the truth over
   * it. Never does another machine run it.
   */
  giveUp(job: FleetJobRef): Promise<FleetOutcome>;
  /**
   * A picture or a long answer that an outcome names as `artifact://…`: its bytes, for a day. Errors: FleetError `not_found`.
   */
  artifact(seat: string, artifact: string): Promise<Uint8Array>;
  close(): Promise<void>;
}
