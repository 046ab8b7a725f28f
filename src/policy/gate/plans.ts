/** Approves the steps of a batch as one plan. */
import type { ApprovalReason, CardCells } from '../../contract/gate/approval.ts';
import { windowKey, type BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { Sentence } from '../../contract/gate/card-words.ts';
import { UiaHostError, toUiaHostError } from '../../contract/errors.ts';
import type { RiskLevel, RiskTag } from '../../contract/gate/permissions.ts';
import type { PlanStepShown } from '../rights/allowances.ts';
import { auditArguments, cardArguments, cardCells, chosenNames, pageOf, sentenceOfCard } from './card.ts';
import { placeOf, summaryOf } from './card-sentence.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { keyedDigest, stepDigest, stepTarget } from './digest.ts';
import { assess } from './gate.ts';
import {
  GATE_STEPS,
  type Answer,
  type CardDraft,
  type GateRecord,
  type GateSubject,
  type GateWorld,
} from './gate-types.ts';
import { levelInForce } from '../rights/grants.ts';
import { higherRisk } from '../../contract/gate/orders.ts';
import { deriveRisk } from '../risk/target/risk.ts';

/** A batch that a person approves as a whole. */
export interface PlanSubject {
  readonly planId: string;
  /** The batch's own. */
  readonly actionId: string;
  readonly proposerReason: string | null;
  /** Steps as they will run; their inputs are the parsed objects. `planStep` is ignored. */
  readonly steps: readonly GateSubject[];
}

/** One step as the person sees it. */
interface JudgedStep extends PlanStepShown {
  readonly subject: GateSubject;
  readonly sentence: Sentence;
  readonly context: ElementContext | null;
  readonly why: readonly ApprovalReason[];
  readonly cells: readonly CardCells[];
}

/** Binds all steps in order, and the window they were shown for. */
export function planDigest(steps: ReadonlyArray<{ readonly digest: string }>, binding: BindingRecord | null): string {
  return keyedDigest(
    canonicalJson({ steps: steps.map((step) => step.digest), window: binding === null ? null : windowKey(binding) }),
  );
}

/**
 * Judges every step and asks once for all of them; each then passes the gate with `planStep`, which covers it as
 * long as it is the next one, unchanged, on the same window and the same element, and no riskier than shown. Anything else
 * asks again there. A step whose element does not exist yet when shown is bound by its arguments, and its own risk decides.
 * The caller ends it with `world.allowances.endPlan(planId)` after the batch.
 * Returns the approval, or null if no step needs one.
 * Errors: those of a blocked or reviewed step, before anything has run; approval_denied, approval_expired, cancelled.
 */
export async function approvePlan(plan: PlanSubject, world: GateWorld): Promise<{ approvalId: string | null }> {
  world.session.assertLive();
  const binding = await world.binding();
  const steps: JudgedStep[] = [];
  // What an earlier step leaves behind, such as a menu, is judged when each runs: what it adds asks again there.
  for (const [index, subject] of plan.steps.entries()) steps.push(await judgeStep(subject, index, plan.steps, world));
  if (!steps.some((step) => step.isAsked)) return { approvalId: null };
  const card = planCard(plan, steps, binding, world);
  const record = (outcome: GateRecord['outcome'], more: Partial<GateRecord> = {}): Promise<void> =>
    world.record({ ...planRecord(plan, steps, card, world), outcome, ...more });
  await record('asked');
  const answer = await askForPlan(card, world, record);
  try {
    world.session.assertLive();
    const after = await world.binding();
    if (planDigest(steps, after) !== card.digest) {
      throw new UiaHostError(
        'state_conflict',
        'While a person decided, the bound window changed. The approval is void; nothing was done.',
      );
    }
    await record('approved', { approvalId: answer.approvalId, decidedBy: answer.decidedBy, scope: 'plan' });
    world.allowances.allowPlan(plan.planId, after, steps, answer.approvalId);
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    await world.voidApproval(answer.approvalId, error.message);
    await record('void', { approvalId: answer.approvalId, code: error.code, reason: error.message });
    throw thrown;
  }
  return { approvalId: answer.approvalId };
}

async function askForPlan(
  card: CardDraft,
  world: GateWorld,
  record: (outcome: 'denied', more: Partial<GateRecord>) => Promise<void>,
): Promise<Answer> {
  try {
    const answer = await world.ask(card, world.signal);
    if (answer.decision === 'approve') return answer;
    throw new UiaHostError('approval_denied', `A person (${answer.decidedBy}) denied: ${card.summary}`);
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    await record('denied', { code: error.code, reason: error.message });
    throw thrown;
  }
}

const planArguments = (steps: readonly JudgedStep[]): unknown => ({
  steps: steps.map(({ subject, riskTags }) => ({ action: subject.action, input: auditArguments(subject, riskTags) })),
});

/** The audit entry of the plan as a whole; its steps have their own. */
function planRecord(
  plan: PlanSubject,
  steps: readonly JudgedStep[],
  card: CardDraft,
  world: GateWorld,
): Omit<GateRecord, 'outcome'> {
  return {
    actionId: plan.actionId,
    action: card.action,
    sessionId: world.session.id,
    tokenId: world.session.tokenId,
    step: GATE_STEPS.indexOf('decision'),
    stepName: 'decision',
    decision: 'approve',
    code: null,
    reason: card.why[0]?.text ?? '',
    why: card.why,
    riskLevel: card.riskLevel,
    riskTags: card.riskTags,
    flags: card.flags,
    claims: null,
    app: card.app,
    window: card.window === null ? null : { hwnd: card.window.hwnd, pid: card.window.pid },
    element: null,
    arguments: planArguments(steps),
    chosen: card.chosen ?? [],
    content: null,
    digest: card.digest,
    approvalId: null,
    decidedBy: null,
    scope: null,
  };
}

/** Judges a step whose target does not exist yet (a dialog that an earlier step opens) by its query alone. */
async function judgeStep(
  subject: GateSubject,
  index: number,
  all: readonly GateSubject[],
  world: GateWorld,
): Promise<JudgedStep> {
  const own: GateSubject = { ...subject, planStep: null };
  const { verdict, survey, error, decision } = await assess(own, world);
  const isLater = error !== null && (error.code === 'target_not_found' || error.code === 'element_stale');
  if (error !== null && !isLater) {
    throw error.with({ detail: `Step ${index} (${subject.action}) of the plan: ${error.message}` });
  }
  const risk = deriveRisk({
    traits: own.traits,
    app: null,
    binding: null,
    context: null,
    typesSecret: own.secret !== null,
    claims: own.claims,
  });
  const found = survey ?? { start: null, app: null, window: null, context: null, cells: null };
  return {
    subject: own,
    digest: stepDigest(own.action, own.input),
    target: survey === null ? null : stepTarget(own.traits, survey.app, survey.context, survey.start),
    // The plan's own steps may change the window; a change before them came from elsewhere.
    whole: all.slice(0, index).some(({ traits }) => traits.effect !== 'observe') ? null : (survey?.digest ?? null),
    sentence: sentenceOfCard(own, found),
    context: found.context,
    riskLevel: verdict?.riskLevel ?? risk.level,
    riskTags: verdict?.riskTags ?? risk.tags,
    why: verdict?.why ?? [],
    cells: cardCells(own, found.cells, verdict?.riskTags ?? risk.tags),
    isAsked:
      decision === 'approve' || (isLater && levelInForce(world.policy(), world.session.tokenLimits) === 'control'),
  };
}

function planCard(
  plan: PlanSubject,
  steps: readonly JudgedStep[],
  binding: BindingRecord | null,
  world: GateWorld,
): CardDraft {
  const reasons = new Map(steps.flatMap((step) => step.why).map((reason) => [`${reason.kind} ${reason.text}`, reason]));
  const riskTags = [...new Set<RiskTag>(steps.flatMap((step) => step.riskTags))];
  const cells = steps.flatMap((step) => step.cells);
  // A wait gives and does nothing; it is among the arguments. A look may give what the card must name, such as the clipboard.
  const doing = steps.filter(({ subject }) => subject.action !== 'waitFor' && subject.action !== 'waitQuiet');
  return {
    actionId: plan.actionId,
    action: 'batch',
    sessionId: world.session.id,
    summary: `Run ${doing.length} steps: ${doing.map((step) => summaryOf(step.sentence)).join('; ')}`,
    sentence: { act: '#plan', count: String(doing.length), ...placeOf(binding) },
    steps: doing.map(({ sentence }) => sentence),
    why: [
      {
        kind: 'plan',
        text: `${doing.length} steps are approved together; anything that differs from them asks again.`,
      },
      ...reasons.values(),
    ],
    proposerReason: plan.proposerReason,
    app: binding === null ? null : { bundleId: binding.app.bundleId, displayName: binding.app.displayName },
    window: binding === null ? null : { hwnd: binding.hwnd, title: binding.title, pid: binding.pid },
    page: binding === null ? null : pageOf(binding.app, steps.find(({ context }) => context !== null)?.context ?? null),
    element: null,
    ...(cells.length === 0 ? {} : { cells }),
    arguments: {
      steps: steps.map(({ subject, sentence, riskTags: tags }) => ({
        action: subject.action,
        summary: summaryOf(sentence),
        input: cardArguments(subject, tags),
      })),
    },
    riskLevel: steps.reduce<RiskLevel>((level, step) => higherRisk(level, step.riskLevel), 'low'),
    riskTags,
    flags: [],
    digest: planDigest(steps, binding),
    // Here, approving once means approving the plan.
    allowedScopes: ['once', 'plan'],
    covers: (['once', 'plan'] as const).map((scope) => ({
      scope,
      text: `These ${steps.length} steps, each one time and in this order`,
    })),
    timeoutMs: world.policy().approvals.timeoutMs,
    outline: null,
    chosen: steps.flatMap(({ context }) => chosenNames(context)),
    kept: { ...(cells.length === 0 ? {} : { cells: [] }), arguments: planArguments(steps) },
  };
}
