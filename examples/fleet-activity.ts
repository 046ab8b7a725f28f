// An activity under Temporal's retry rules gives one job to a fleet. A workflow engine runs an activity again after a crash or a
// time-out, with the same ids: they are the job's key, so the job runs once and each attempt gets its one outcome.
// Temporal is not loaded here, so that the example needs no server: give `Context.current()` of @temporalio/activity as the
// context, and make `ApplicationFailure.nonRetryable(message, type, outcome)` of a NonRetryable.
import type { Fleet, FleetOutcome, FleetStep } from 'uiahost/client';

/** What the example uses of Temporal's context of an activity. */
export interface ActivityContext {
  readonly info: {
    readonly workflowExecution: { readonly workflowId: string; readonly runId: string };
    readonly activityId: string;
  };
  readonly cancellationSignal: AbortSignal;
  heartbeat(details?: unknown): void;
}

/** Another attempt of the activity would end in the same way. */
export class NonRetryable extends Error {
  override readonly name = 'NonRetryable';
  readonly outcome: FleetOutcome | null;

  constructor(message: string, outcome: FleetOutcome | null) {
    super(message);
    this.outcome = outcome;
  }
}

const BEAT_MS = 5000;
/** How often a job of which nothing was delivered is tried in all. */
const MOST_JOBS = 3;
/** What no other attempt mends. A server that is away or full is tried again by the engine. */
const CALLERS_FAULT = new Set(['invalid_argument', 'idempotency_mismatch', 'forbidden']);

export async function runOnFleet(
  fleet: Fleet,
  context: ActivityContext,
  target: string,
  steps: readonly FleetStep[],
): Promise<FleetOutcome> {
  const { workflowExecution, activityId } = context.info;
  const key = `${workflowExecution.workflowId}/${workflowExecution.runId}/${activityId}`;
  for (let job = 1; ; job += 1) {
    const outcome = await oneJob(fleet, context, target, steps, `${key}/${job}`);
    if (outcome.status === 'succeeded') return outcome;
    // Nothing was delivered: another job is harmless. Its key counts on, so the next attempt comes by the same outcomes.
    const isOver = !outcome.retryable || outcome.status === 'cancelled' || job === MOST_JOBS;
    if (isOver)
      throw new NonRetryable(`${outcome.status} ${outcome.code ?? ''} (delivery ${outcome.delivery})`, outcome);
  }
}

async function oneJob(
  fleet: Fleet,
  { cancellationSignal: signal, heartbeat }: ActivityContext,
  target: string,
  steps: readonly FleetStep[],
  idempotencyKey: string,
): Promise<FleetOutcome> {
  const beat = setInterval(() => heartbeat({ idempotencyKey }), BEAT_MS);
  try {
    const job = await fleet.submit(target, steps, { idempotencyKey });
    try {
      return await fleet.wait(job, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      await fleet.cancel(job);
      return await fleet.wait(job);
    }
  } catch (error) {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    if (name === 'FleetError' && CALLERS_FAULT.has(code ?? '')) throw new NonRetryable(message ?? '', null);
    throw error;
  } finally {
    clearInterval(beat);
  }
}
