/** Makes the decision from everything that was found: execute, review, approve or block. */
import type { ApprovalReason } from '../../contract/gate/approval.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { Exit } from '../../contract/gate/exit.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { DecisionResult } from '../../contract/outcome.ts';
import {
  SHIPPED_ALWAYS_ASK,
  type AlwaysAsk,
  type Flag,
  type Level,
  type Policy,
  type RiskLevel,
  type RiskTag,
} from '../../contract/gate/permissions.ts';
import type { ProposerClaims, ActionTarget, ActionTraits } from '../../contract/gate/traits.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Allowances, PlanStepNow } from '../rights/allowances.ts';
import { coverageOf, leavesThrough, type Coverage } from '../rights/coverage.ts';
import { type Reach, requiredLevel } from '../rights/grants.ts';
import type { Risk } from '../risk/target/risk.ts';
import type { InstructionFinding } from '../risk/content/untrusted-text.ts';

/** What a drag picks up, judged like its target. */
export interface DragStart {
  readonly app: AppIdentity | null;
  readonly reach: Reach | null;
  /** The window it is picked up in. */
  readonly window: BindingRecord | null;
  readonly context: ElementContext | null;
}

/** A further application that is concerned: a terminal starts it, or it shows a popup. */
export interface OtherApp {
  readonly app: AppIdentity;
  readonly reach: Reach;
}

/** Everything the decision rests on: what steps 0 to 9 found. */
export interface JudgeFacts {
  readonly action: string;
  readonly traits: ActionTraits;
  /** What the call can let out. */
  readonly exits: readonly Exit[];
  readonly claims: ProposerClaims | null;
  readonly secret: { readonly ref: string; readonly field: string } | null;
  readonly policy: Policy;
  /** The level in force: the policy's, or the token's where that is lower. */
  readonly level: Level;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  /** The window that receives the input, bound or not. */
  readonly window: BindingRecord | null;
  readonly context: ElementContext | null;
  /** Null if no application is concerned. */
  readonly reach: Reach | null;
  readonly others: readonly OtherApp[];
  /** Whether the agent was given text of a document, mail, page or console. */
  readonly hasRead: boolean;
  /** Null for everything but a drag. */
  readonly start: DragStart | null;
  /** Paths of other machines and of devices that the action would reach. */
  readonly foreignPaths: readonly string[];
  readonly risk: Risk;
  readonly instruction: InstructionFinding | null;
  /** Flags of the action that have not been granted. */
  readonly missingFlags: readonly Flag[];
  readonly allowances: Allowances | null;
  readonly planStep: PlanStepNow | null;
  /** Denied programs and consoles that an earlier action made its program start. */
  readonly started: readonly string[];
}

export interface Verdict {
  readonly result: DecisionResult;
  /** For review and block. */
  readonly code: ErrorCode | null;
  readonly reason: string;
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
  readonly flags: readonly string[];
  /** Why a person is asked; empty if no one is. */
  readonly why: readonly ApprovalReason[];
  /** The same as names, which bind a lasting answer: the kind of reason, the tag of alwaysAsk, what else was odd about the call. */
  readonly grounds: readonly string[];
  /** What a lasting answer would cover; null if no answer may last. */
  readonly coverage: Coverage | null;
  /** The earlier approval that covers this action. */
  readonly covered: { readonly approvalId: string; readonly use: () => void } | null;
}

const isTagOfAlwaysAsk = (tag: RiskTag, always: readonly AlwaysAsk[]): tag is AlwaysAsk & RiskTag =>
  (always as readonly string[]).includes(tag);

/**
 * Step 10: execute, review, approve or block. Pure: it runs, asks and counts nothing.
 * Block beats review, review beats asking; a proposer's claims are already part of the risk and can only have raised it.
 */
export function judge(facts: JudgeFacts): Verdict {
  const { traits, policy, risk, instruction } = facts;
  const seen = instruction === null ? [] : ['untrusted_instruction_seen'];
  const verdict = (
    result: DecisionResult,
    code: ErrorCode | null,
    reason: string,
    flags: readonly string[],
    tags: readonly RiskTag[] = risk.tags,
  ): Verdict => ({
    result,
    code,
    reason,
    riskLevel: risk.level,
    riskTags: tags,
    flags: [...risk.flags, ...flags],
    why: [],
    grounds: [],
    coverage: null,
    covered: null,
  });

  if (instruction !== null && risk.tags.length > 0) {
    return verdict(
      'block',
      'blocked_by_policy',
      `Text on the screen gives orders (${quoted(instruction.excerpt)}), and this action has the risk ${risk.tags.join(', ')}; nothing was done.`,
      [...seen, 'sensitive_action_from_untrusted_context'],
    );
  }
  const whyNotPoint =
    facts.claims !== null && !policy.coordinateProposals
      ? 'A proposal must name an element: the policy does not allow coordinates (coordinateProposals). Nothing was done.'
      : policy.elementsOnly
        ? 'The policy allows actions on elements only, and this one uses coordinates; nothing was done.'
        : null;
  if (whyNotPoint !== null && acts(traits) && traits.isCoordinate)
    return verdict('review', 'review_required', whyNotPoint, [...seen, 'coordinate_click_blocked']);
  const why = reasonsToAsk(facts);
  if (why.length === 0) return verdict('execute', null, 'Allowed by the level and the grants.', seen);
  // The safety seed: input carries its tag where a confirmation is required.
  const sends = why.some(({ tag }) => tag === 'external_submit');
  const tags = [...new Set<RiskTag>([...risk.tags, ...(sends ? ['external_submit' as const] : [])])];
  if (traits.effect === 'input') tags.push('computer:input');
  const flags = [
    ...seen,
    ...why.filter((reason) => reason.kind === 'alwaysAsk').map((reason) => `approval_required:${reason.tag}`),
  ];
  const reasons = why.map(({ kind, text }) => ({ kind, text }));
  const grounds = [
    ...new Set([
      ...why.map(({ kind, tag }) => (tag === undefined ? kind : `${kind}:${tag}`)),
      ...seen,
      ...risk.flags.filter((flag) => flag === 'unknown_target'),
    ]),
  ];
  // What sends, rather than fills what may, is asked each time.
  const isOnce = leavesApp(facts) || (sends && risk.tags.includes('external_submit'));
  const coverage = isOnce ? null : coverageOf({ ...facts, binding: facts.window });
  // An earlier approval was for one application.
  const covered = leavesApp(facts)
    ? null
    : (facts.allowances?.find({
        covers: coverage?.key ?? null,
        app: facts.app,
        binding: facts.binding,
        tier: traits.tier,
        flags: facts.missingFlags,
        riskLevel: risk.level,
        riskTags: tags,
        grounds,
        planStep: facts.planStep,
      }) ?? null);
  if (covered !== null && facts.secret === null) {
    return { ...verdict('execute', null, `A person approved this before (${covered.kind}).`, flags, tags), covered };
  }
  return {
    ...verdict('approve', null, reasons.map((reason) => reason.text).join(' '), flags, tags),
    why: [...reasons, ...labels(risk, reasons)],
    grounds,
    coverage,
  };
}

/** Whether a drag goes from one application to another. */
export const isOfAnother = ({ app, start }: Pick<JudgeFacts, 'app' | 'start'>): boolean =>
  start !== null && start.app?.bundleId !== app?.bundleId;

/** Whether more than one application is concerned: a drag between two, or a popup that another one shows. */
export const leavesApp = (facts: Pick<JudgeFacts, 'app' | 'context' | 'start'>): boolean =>
  isOfAnother(facts) || facts.context?.otherApp !== undefined;

type TaggedReason = ApprovalReason & { readonly tag?: RiskTag };

function reasonsToAsk(facts: JudgeFacts): TaggedReason[] {
  const { traits, policy, level, reach, risk, claims, secret, missingFlags } = facts;
  const why: TaggedReason[] = [];
  if (requiredLevel(traits) !== 'observe' && level === 'control') {
    why.push({
      kind: 'level',
      text: `At level control a person confirms this; level full does not ask (control → full).`,
    });
  }
  const asksTier = (app: AppIdentity | null, of: Reach | null): void => {
    if (of?.result !== 'ask') return;
    const hint =
      of.unprotected === undefined
        ? ''
        : ` A grant by name does not count for a file that non-administrators can write, or whose access rights cannot be read; grant it by its path, ${quoted(of.unprotected, 300)}.`;
    why.push({
      kind: 'tier',
      text: `${quoted(app?.displayName ?? '')} is granted ${of.tier}, and this needs ${traits.tier} (${of.tier} → ${traits.tier}).${hint}`,
    });
  };
  asksTier(facts.app, reach);
  if (isOfAnother(facts)) asksTier(facts.start?.app ?? null, facts.start?.reach ?? null);
  for (const { app, reach: of } of facts.others) asksTier(app, of);
  for (const path of facts.foreignPaths) {
    // A grant opens the application and what the call names; a path that is typed may lead anywhere.
    const isNamed = traits.paths.includes(path) || path === facts.app?.executable;
    if (!isGranted(reach) || !isNamed)
      why.push({
        kind: 'path',
        text: `${quoted(path, 200)} leads to another machine or to a device; nothing there is touched until a person agrees.`,
      });
  }
  for (const flag of missingFlags) {
    if (flag === 'displayCapture')
      why.push({
        kind: 'display',
        text: 'A picture of the whole display shows other applications too, and the flag displayCapture is not granted.',
      });
    else if (level === 'control') why.push({ kind: 'flag', text: `The flag ${flag} is not granted.` });
  }
  for (const { tag, text } of risk.evidence) {
    if (isTagOfAlwaysAsk(tag, policy.alwaysAsk) && !mayBeSent(tag, facts))
      why.push({ kind: 'alwaysAsk', tag, text: `The policy always asks for ${tag}: ${text}.` });
  }
  // At control each call asks in any case.
  const surface = level === 'control' ? null : leavesThrough({ ...facts, binding: facts.window });
  const mayLeave = surface !== null && facts.hasRead && !why.some(({ tag }) => tag === 'external_submit');
  if (mayLeave && policy.alwaysAsk.includes('external_submit') && !mayBeSent('external_submit', facts))
    why.push({
      kind: 'alwaysAsk',
      tag: 'external_submit',
      text: `The policy always asks for external_submit: this goes to ${surface.what}, from where it may leave.`,
    });
  if (acts(traits) && facts.started.length > 0)
    why.push({
      kind: 'unknown',
      tag: 'customCommand',
      text: `After an earlier action the program started ${facts.started.map((name) => quoted(name)).join(', ')}.`,
    });
  if (isUnread(facts)) why.push({ kind: 'unknown', text: 'What this would reach could not be read.' });
  if (secret !== null)
    why.push({
      kind: 'tag',
      text: `It types the stored secret ${quoted(secret.ref)} into the field ${quoted(secret.field)}.`,
    });
  if (claims?.requiresApproval === true)
    why.push({ kind: 'proposer', text: 'The proposer asks for a person’s approval.' });
  return why;
}

/**
 * Sending to another machine or person asks, as shipped, once the agent was given text that may have brought the idea; not in
 * an application that the policy grants. A list of the operator's own always asks for what it names.
 */
function mayBeSent(tag: RiskTag, { policy, hasRead, reach }: JudgeFacts): boolean {
  if (tag !== 'external_submit' && tag !== 'pii_export') return false;
  const isShipped =
    policy.alwaysAsk.length === SHIPPED_ALWAYS_ASK.length &&
    SHIPPED_ALWAYS_ASK.every((one) => policy.alwaysAsk.includes(one));
  return isShipped && (!hasRead || (reach?.source === 'policy' && reach.result === 'within'));
}

const acts = ({ effect }: ActionTraits): boolean => effect !== 'observe';

/** Input goes where nothing could be read: neither a name nor a dialog shows what it does. */
function isUnread({ traits, context, start }: JudgeFacts): boolean {
  if (traits.effect !== 'input' || traits.isPointerMoveOnly) return false;
  const isRead = (target: ActionTarget, seen: ElementContext | null): boolean =>
    seen !== null || !(target.kind === 'focus' || (target.kind === 'point' && target.purpose !== 'scroll'));
  return (
    !isRead(traits.target, context) || (traits.from !== null && start !== null && !isRead(traits.from, start.context))
  );
}

/** An operator or a person named this very application; a default or a level does not count. */
const isGranted = (reach: Reach | null): boolean =>
  reach?.result === 'within' && (reach.source === 'policy' || reach.source === 'session');

/** The other risk labels, so that a person sees all of them with their cause. */
function labels(risk: Risk, reasons: readonly ApprovalReason[]): ApprovalReason[] {
  return risk.evidence
    .map(({ tag, text }): ApprovalReason => ({ kind: 'tag', text: `${tag}: ${text}.` }))
    .filter((label) => !reasons.some((reason) => reason.kind === 'alwaysAsk' && reason.text.endsWith(label.text)));
}
