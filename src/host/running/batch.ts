/** A batch: steps in order, each through the gate like a separate call. */
import type { HostServices } from '../../actions/index.ts';
import type { StepOutlook } from '../../contract/gate/views.ts';
import { toUiaHostError, type UiaHostError } from '../../contract/errors.ts';
import { hasActed, looked, sumOfSteps, type ActionResult, type Outcome } from '../../contract/outcome.ts';
import type { Desktop } from '../../desktop/index.ts';
import type { Gate, GateWorld } from '../../policy/gate/index.ts';
import { newId } from '../face/caller.ts';
import type { OwnCall } from '../home/own-call.ts';
import { FROM_EDGE, type InnerRunner, type RunScope } from './run-scope.ts';

export interface BatchParts {
  readonly desktop: Desktop;
  readonly ownCall: OwnCall;
  readonly gate: Gate;
  worldFor(scope: RunScope): GateWorld;
}

type BatchStep = { readonly action: string; readonly input: Record<string, unknown> };

/** With `approveAsPlan` a person sees all steps on one card before the first runs. */
export async function runBatch(
  parts: BatchParts,
  runner: InnerRunner,
  scope: RunScope,
  steps: readonly BatchStep[],
  approveAsPlan: boolean,
): ReturnType<HostServices['runBatch']> {
  // Mistakes that can be detected in advance are refused before anything runs.
  const subjects = steps.map((step, index) => runner.subjectOf(scope, step.action, step.input, `steps[${index}]`));
  if (!approveAsPlan) return runSteps(parts, runner, scope, steps, null);
  const planId = newId('plan');
  const world = parts.worldFor(scope);
  try {
    await parts.gate.approvePlan({ planId, actionId: scope.actionId, proposerReason: null, steps: subjects }, world);
    return await runSteps(parts, runner, scope, steps, { planId });
  } finally {
    world.allowances.endPlan(planId);
  }
}

const ALWAYS = 'approval_required:';
/** What is sent back for review may be right once the window has changed. */
const OUTLOOKS = { execute: 'runs', approve: 'asks', block: 'refused', review: 'unknown' } as const;

/** What the gate would decide of each step, for the window that is bound now. Each step counts as an action of the rate. */
export async function wouldAsk(
  parts: BatchParts,
  runner: InnerRunner,
  scope: RunScope,
  steps: readonly BatchStep[],
): Promise<StepOutlook[]> {
  const subjects = steps.map((step, index) => runner.subjectOf(scope, step.action, step.input, `steps[${index}]`));
  const world = parts.worldFor(scope);
  const found: StepOutlook[] = [];
  for (const [index, subject] of subjects.entries()) {
    if (index > 0) world.session.takeAction(false, false);
    const action = steps[index]?.action ?? subject.action;
    try {
      const { decision, verdict, error } = await parts.gate.assess(subject, world);
      const tags = (verdict?.flags ?? []).flatMap((flag) =>
        flag.startsWith(ALWAYS) ? [flag.slice(ALWAYS.length)] : [],
      );
      const kinds = (verdict?.why ?? []).map(({ kind }) => kind).filter((kind) => kind !== 'alwaysAsk');
      found.push({
        action,
        outcome: OUTLOOKS[decision],
        why: decision === 'execute' ? [] : [...new Set([...tags, ...kinds])],
        code: error?.code ?? null,
      });
    } catch (thrown) {
      const { code } = toUiaHostError(thrown);
      if (code === 'stopped' || code === 'cancelled' || code === 'rate_limited') throw thrown;
      found.push({ action, outcome: 'unknown', why: [], code });
    }
  }
  return found;
}

/** Time limit for the last look. */
const LAST_LOOK_MS = 3000;

async function runSteps(
  { desktop, ownCall }: BatchParts,
  runner: InnerRunner,
  scope: RunScope,
  steps: readonly BatchStep[],
  planStep: { readonly planId: string } | null,
): ReturnType<HostServices['runBatch']> {
  const completed: ActionResult[] = [];
  const acted = (): boolean => completed.some(({ outcome }) => hasActed(outcome));
  for (const [index, step] of steps.entries()) {
    // Each step has its own deadline and its own turn on the window.
    const run = runner.start({
      ...FROM_EDGE,
      caller: scope.caller,
      action: step.action,
      input: step.input,
      signal: scope.signal,
      outerId: scope.actionId,
      planStep,
      isFurther: acted(),
    });
    void run.pending.then((approvalId) => {
      if (approvalId !== null) scope.onPending(approvalId);
    });
    try {
      completed.push(await run.result);
      scope.onStep(completed.length, steps.length);
    } catch (thrown) {
      throw failedStep(toUiaHostError(thrown), steps, index, completed);
    }
  }
  const { binding, owner } = scope.state;
  const call = ownCall(owner, LAST_LOOK_MS);
  const later = binding === null || !acted() ? [] : await desktop.element.laterChanges(binding, call).catch(() => []);
  return { completed, failed: null, remaining: 0, later };
}

/** The batch fails with its step's error. If earlier steps acted, sending the whole batch again would repeat them. */
function failedStep(
  error: UiaHostError,
  steps: readonly BatchStep[],
  index: number,
  completed: readonly ActionResult[],
): UiaHostError {
  const ofFailed: Outcome[] =
    error.delivery === 'not_delivered' ? [] : [{ ...looked(), effect: 'unverified', delivery: 'batch' }];
  const before = completed.map((result) => result.outcome);
  const hasDelivered = before.some(hasActed);
  return error.with({
    // The record that a caller can read is that of the batch.
    actionId: undefined,
    detail: `Step ${index} (${steps[index]?.action ?? ''}): ${error.message}`,
    delivery: hasDelivered && error.delivery === 'not_delivered' ? 'delivered' : error.delivery,
    hint: hasDelivered ? `${error.hint} Steps before it were carried out: send only what is left.` : error.hint,
    partialResult: {
      completed,
      failed: { index, error: error.toProblem() },
      remaining: steps.length - index - 1,
      outcome: sumOfSteps([...before, ...ofFailed]),
    },
  });
}
