/** The gate: the one function that every action passes before it runs. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { describeElement, disabledTarget, readOnlyTarget } from '../../contract/element/element-words.ts';
import { UiaHostError, toUiaHostError, type ErrorCode } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { NotApproved } from '../../contract/gate/approval.ts';
import type { PermittedPlace } from '../../contract/gate/exit.ts';
import type { ActionTarget } from '../../contract/gate/traits.ts';
import {
  type ProposalRiskTag,
  type RiskTag,
  ProposalRiskTag as ProposalTags,
} from '../../contract/gate/permissions.ts';
import { DEFAULT_WINDOW_MINUTES } from '../../contract/gate/card-lines.ts';
import { allowedScopes, auditArguments, auditContent, chosenNames, draftCard } from './card.ts';
import {
  GATE_STEPS,
  type Answer,
  type GatePassed,
  type GateRecord,
  type GateSubject,
  type GateWorld,
} from './gate-types.ts';
import { judge, type Verdict } from './judge.ts';
import { isHigherRisk } from '../../contract/gate/orders.ts';
import { isPress } from '../risk/keys/console.ts';
import { deriveRisk, type Risk } from '../risk/target/risk.ts';
import { keyOf, pressedAt, type LeftBehind } from '../risk/content/keyboard.ts';
import { atBegin, survey, type Progress, type Survey } from './survey.ts';

export type { GatePassed, GateSubject, GateWorld } from './gate-types.ts';
export { judge, type JudgeFacts } from './judge.ts';

/**
 * The only way to the desktop: steps 0 to 11 in order (docs/behaviour.md#the-gate). Each outcome is audited before anything
 * is delivered; the first failure throws a typed error and nothing is done.
 */
export async function passGate(subject: GateSubject, world: GateWorld): Promise<GatePassed> {
  const progress = atBegin();
  const recorder = recorderOf(subject, world, progress);
  const first = await recorder.guard(() => survey(subject, world, progress, false));
  progress.step = 'decision';
  const verdict = judge(first);
  if (verdict.result === 'execute') {
    await recorder.write('execute', { verdict, survey: first, approvalId: verdict.covered?.approvalId ?? null });
    verdict.covered?.use();
    return passed(world, subject, first, verdict, verdict.covered?.approvalId ?? null);
  }
  if (verdict.result !== 'approve') return recorder.refuse(verdict, first);
  await recorder.guard(async () => assertPossible(first));
  return askThenPass(subject, world, progress, recorder, { first, verdict });
}

/**
 * No person is asked for input that the target cannot take. Where no one is asked, the desktop answers, after it has
 * looked again. Errors: target_disabled, target_readonly.
 */
function assertPossible({ traits, window, context, start }: Survey): void {
  for (const [target, seen] of [
    [traits.target, context],
    [traits.from, start?.context ?? null],
  ] as const) {
    if (seen?.isWindowDisabled === true && window !== null)
      throw disabledTarget(`Window ${quoted(window.title)}`, seen.dialogInFront ?? null);
    const element = seen?.element ?? null;
    if (target?.kind !== 'element' || target.purpose === 'look' || target.purpose === 'scroll') continue;
    if (element?.states.includes('disabled') === true)
      throw disabledTarget(describeElement(element), seen?.dialogInFront ?? null);
    if (element?.states.includes('readonly') === true && target.purpose === 'type')
      throw readOnlyTarget(describeElement(element));
  }
}

/** Step 10's question, and step 11: after the answer everything is surveyed again. */
async function askThenPass(
  subject: GateSubject,
  world: GateWorld,
  progress: Progress,
  recorder: Recorder,
  { first, verdict }: { readonly first: Survey; readonly verdict: Verdict },
): Promise<GatePassed> {
  await recorder.write('asked', { verdict, survey: first });
  const card = draftCard(subject, verdict, {
    ...first,
    sessionId: world.session.id,
    timeoutMs: first.policy.approvals.timeoutMs,
    goal: world.session.goal,
  });
  const answer = await ask(world, card, recorder, verdict, first);
  progress.step = 'recheck';
  // If the second survey fails, its error is reported and the approval becomes void.
  let second: Survey;
  try {
    second = await survey(subject, world, progress, true);
  } catch (thrown) {
    await world.voidApproval(answer.approvalId, toUiaHostError(thrown).message);
    await recorder.failed(thrown, answer);
    throw thrown;
  }
  progress.step = 'recheck';
  const again = judge({ ...second, allowances: null });
  const voided = voidReason(first, verdict, second, again);
  if (voided !== null) {
    await world.voidApproval(answer.approvalId, voided);
    await recorder.write('void', { verdict: again, survey: second, answer, code: 'state_conflict', reason: voided });
    throw new UiaHostError('state_conflict', `${voided} The approval is void; nothing was done.`, {
      hint: 'Look again, then propose the action again.',
    });
  }
  if (again.result === 'block' || again.result === 'review') {
    await world.voidApproval(answer.approvalId, again.reason);
    return recorder.refuse(again, second, answer);
  }
  // Recorded before any lasting approval takes effect.
  await recorder.write('approved', { verdict, survey: second, answer });
  keepScope(subject, world, second, verdict, answer);
  return passed(world, subject, second, verdict, answer.approvalId);
}

async function ask(
  world: GateWorld,
  card: ReturnType<typeof draftCard>,
  recorder: Recorder,
  verdict: Verdict,
  first: Survey,
): Promise<Answer> {
  let answer: Answer;
  try {
    answer = await world.ask(card, world.signal);
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    const decidedBy = error instanceof NotApproved ? error.decidedBy : undefined;
    await recorder.write('denied', { verdict, survey: first, code: error.code, reason: error.message, decidedBy });
    throw thrown;
  }
  if (answer.decision === 'approve') return answer;
  const error = new UiaHostError('approval_denied', `A person (${answer.decidedBy}) denied: ${card.summary}`);
  await recorder.write('denied', { verdict, survey: first, answer, code: error.code, reason: error.message });
  throw error;
}

/** Why an approval given for the first survey does not apply to the second; null = it applies. */
function voidReason(first: Survey, shown: Verdict, second: Survey, again: Verdict): string | null {
  if (second.digest !== first.digest) return 'While a person decided, the target or its window changed.';
  if (isHigherRisk(again.riskLevel, shown.riskLevel))
    return `While a person decided, the risk rose from ${shown.riskLevel} to ${again.riskLevel}.`;
  const newTag = again.riskTags.find((tag) => !shown.riskTags.includes(tag));
  if (newTag !== undefined) return `While a person decided, the risk ${newTag} appeared.`;
  const newReason = again.why.find(
    ({ kind, text }) => !shown.why.some((one) => one.kind === kind && one.text === text),
  );
  if (newReason !== undefined) return `While a person decided, another reason to ask came up: ${newReason.text}`;
  const newGround = again.grounds.find((ground) => !shown.grounds.includes(ground));
  return newGround === undefined ? null : `While a person decided, another reason to ask came up: ${newGround}.`;
}

/** Stores what the answer allows beyond this action. A scope that the card did not offer counts as once. */
function keepScope(subject: GateSubject, world: GateWorld, found: Survey, verdict: Verdict, answer: Answer): void {
  if (!allowedScopes(subject, verdict, found).includes(answer.scope)) return;
  const approved = {
    approvalId: answer.approvalId,
    riskLevel: verdict.riskLevel,
    riskTags: verdict.riskTags,
    flags: found.missingFlags,
    grounds: verdict.grounds,
  };
  const { coverage } = verdict;
  if (answer.scope === 'window' && found.binding !== null && coverage !== null) {
    world.allowances.allowWindow(coverage.key, found.binding, answer.minutes ?? DEFAULT_WINDOW_MINUTES, approved);
  }
  if (answer.scope !== 'session') return;
  if (found.missingFlags.includes('displayCapture')) world.grants.grantFlag('displayCapture');
  if (found.app !== null && coverage !== null) {
    if (verdict.why.some(({ kind }) => kind === 'tier')) world.grants.grantApp(found.app.bundleId, subject.traits.tier);
    if (coverage.inSession !== null)
      world.allowances.allowSession(coverage.key, found.app, subject.traits.tier, approved);
  }
}

/** Keeps what outlives the call. Returns what says that it has succeeded. */
function noteLeft(
  left: LeftBehind,
  { traits }: GateSubject,
  { window, context, exits }: Pick<Survey, 'window' | 'context' | 'exits'>,
): () => void {
  if (traits.effect === 'observe' && traits.reads) left.noteRead();
  if (exits.some(isPress)) left.notePress(pressedAt(window, context));
  return left.noteKeys(keyOf(window), exits, context);
}

function passed(
  world: GateWorld,
  subject: GateSubject,
  found: Survey,
  verdict: Verdict,
  approvalId: string | null,
): GatePassed {
  const { start, traits } = found;
  return {
    decision: { result: 'execute', riskLevel: verdict.riskLevel, riskTags: [...verdict.riskTags], approvalId },
    context: found.context,
    app: found.app,
    binding: found.binding,
    permit: {
      exits: found.exits,
      target: placeOf(traits.target, found.window, found.context),
      start: start === null || traits.from === null ? null : placeOf(traits.from, start.window, start.context),
    },
    digest: found.digest,
    approvalId,
    succeeded: noteLeft(world.left, subject, found),
  };
}

const placeOf = (
  { kind }: ActionTarget,
  window: BindingRecord | null,
  context: ElementContext | null,
): PermittedPlace => ({
  window,
  element: context?.element ?? null,
  isNamed: kind === 'element',
  chosen: context?.chosen,
  dialogTitle: context?.dialogTitle,
  question: context?.dialogTexts,
  defaultButton: context?.defaultButtonName,
  address: context?.address,
  keysTo: context?.keysTo,
});

/** What a record says about the decision, as far as the gate got. */
interface RecordDetails {
  readonly verdict?: Verdict;
  readonly survey?: Survey;
  readonly answer?: Answer | undefined;
  readonly approvalId?: string | null;
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** Who ended the question, where there is no answer. */
  readonly decidedBy?: string | undefined;
}

type Recorder = ReturnType<typeof recorderOf>;

/** Writes the outcomes of one action. */
function recorderOf(subject: GateSubject, world: GateWorld, progress: Progress) {
  const typesSecret = subject.secret !== null;
  const write = async (
    outcome: GateRecord['outcome'],
    { verdict, survey: found, answer, approvalId, code, reason, decidedBy }: RecordDetails,
  ): Promise<void> => {
    const { traits, claims } = subject;
    const app = found?.app ?? progress.app;
    const binding = found?.window ?? progress.binding;
    const context = found?.context ?? progress.context;
    const element = context?.element ?? null;
    // Refused before its risk was weighed: only the kind of action and the proposer's claims are known.
    const early = (): Risk =>
      deriveRisk({ traits: { ...traits, chords: [] }, app, binding, context, typesSecret, claims });
    const known = verdict === undefined ? early() : { level: verdict.riskLevel, tags: verdict.riskTags };
    // The tags without the proposer's.
    const own = (): readonly RiskTag[] =>
      found === undefined ? [] : deriveRisk({ ...found, binding: found.window, claims: null, typesSecret }).tags;
    await world.record({
      actionId: subject.actionId,
      action: subject.action,
      sessionId: world.session.id,
      tokenId: world.session.tokenId,
      step: GATE_STEPS.indexOf(progress.step),
      stepName: progress.step,
      outcome,
      decision: verdict?.result ?? (code === undefined ? null : decisionOf(code)),
      code: code ?? null,
      reason: reason ?? verdict?.reason ?? '',
      why: verdict?.why ?? [],
      riskLevel: known.level,
      riskTags: known.tags,
      flags: verdict?.flags ?? (code === undefined ? [] : [code]),
      claims: claims === null ? null : compareClaims(claims.riskTags, claims.requiresApproval, own()),
      app: app === null ? null : { bundleId: app.bundleId, displayName: app.displayName },
      window: binding === null ? null : { hwnd: binding.hwnd, pid: binding.pid },
      element:
        element === null ? null : { role: element.controlType, name: element.name, automationId: element.automationId },
      arguments: auditArguments(subject, known.tags),
      chosen: chosenNames(context),
      content: auditContent(subject, known.tags, (text) => world.hashText(text)),
      digest: found?.digest ?? null,
      approvalId: answer?.approvalId ?? approvalId ?? null,
      decidedBy: answer?.decidedBy ?? decidedBy ?? null,
      scope: answer?.scope ?? null,
    });
  };
  const failed = async (thrown: unknown, answer?: Answer): Promise<void> => {
    const { code, message: reason } = toUiaHostError(thrown);
    await write(answer === undefined ? 'refused' : 'void', { code, reason, answer });
  };
  return {
    write,
    failed,
    /** Runs a survey; an error is audited with the step it stopped at. */
    async guard<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run();
      } catch (thrown) {
        await failed(thrown);
        throw thrown;
      }
    },
    /** Audits a refusal by decision and throws its error. */
    async refuse(verdict: Verdict, found: Survey, answer?: Answer): Promise<never> {
      const { reason } = verdict;
      const code = verdict.code ?? 'blocked_by_policy';
      await write('refused', { verdict, survey: found, code, reason, answer });
      throw new UiaHostError(code, reason);
    },
  };
}

const REVIEWED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'review_required',
  'target_ambiguous',
  'target_not_found',
  'element_stale',
  'invalid_argument',
]);
const BLOCKED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'blocked_by_policy',
  'permission_denied',
  'grant_flag_required',
  'app_not_granted',
  'tier_insufficient',
  'key_blocked',
  'target_elevated',
]);

/** The decision that an error stands for; null if the state, not the gate, prevented the action. */
function decisionOf(code: ErrorCode): 'review' | 'block' | null {
  if (REVIEWED.has(code)) return 'review';
  return BLOCKED.has(code) ? 'block' : null;
}

function compareClaims(
  proposed: readonly ProposalRiskTag[],
  requiresApproval: boolean,
  found: readonly RiskTag[],
): NonNullable<GateRecord['claims']> {
  const seeds: readonly string[] = ProposalTags.options;
  return {
    riskTags: [...proposed],
    requiresApproval,
    onlyProposed: proposed.filter((tag) => !found.includes(tag)),
    onlyFound: found.filter((tag) => seeds.includes(tag) && !(proposed as readonly string[]).includes(tag)),
  };
}

export interface Assessment {
  readonly decision: 'execute' | 'review' | 'approve' | 'block';
  readonly verdict: Verdict | null;
  readonly survey: Survey | null;
  readonly reason: string;
  readonly error: UiaHostError | null;
}

/**
 * How the gate would decide now, steps 0 to 10, without asking, counting, recording or running anything.
 * Errors: all but review and block (window_gone, stopped, session_ended, …).
 */
export async function assess(subject: GateSubject, world: GateWorld): Promise<Assessment> {
  try {
    const found = await survey(subject, world, atBegin(), true);
    const verdict = judge(found);
    return {
      decision: verdict.result,
      verdict,
      survey: found,
      reason: verdict.reason,
      error: verdict.code === null ? null : new UiaHostError(verdict.code, verdict.reason),
    };
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    const decision = decisionOf(error.code);
    if (decision === null) throw thrown;
    return { decision, verdict: null, survey: null, reason: error.message, error };
  }
}
