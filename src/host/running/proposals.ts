/** Proposals as actions: judged, run once if they may, and answered. */
import { badInput, type ErrorCode, toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { ActionResult, DecisionResult } from '../../contract/outcome.ts';
import { type ProposalAnswer, UiActionProposal } from '../../contract/gate/traits.ts';
import type { GateRecord } from '../../policy/gate/index.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { newId, type Caller } from '../face/caller.ts';
import type { RunOptions } from '../face/host.ts';
import { FROM_EDGE, type InnerRunner } from './run-scope.ts';

/** The action that a proposal means. */
interface MappedProposal {
  readonly action: string;
  readonly input: Record<string, unknown>;
  /** The element that has to have the focus for it. */
  readonly focus?: Record<string, unknown>;
  /** The element that has the name of these keys, if there is one: then it is not clear what is meant. */
  readonly namesake?: Record<string, unknown>;
}

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * Maps the given tool's arguments to one of our actions (docs/behaviour.md#proposals). Empty strings count as absent.
 * Errors: invalid_argument for combinations that the seed does not define.
 */
function mapProposal(proposal: UiActionProposal): MappedProposal {
  const { action_type: type, target, text } = proposal;
  if (text !== '' && (type === 'click' || type === 'scroll' || type === 'wait')) {
    throw badInput(`\`text\` is valid only with type and keypress; ${type} takes an empty string.`);
  }
  const name = filled(target.name);
  const testId = filled(target.test_id);
  if (target.role === 'coordinate' && type !== 'wait') return mapCoordinate(type, target.name);
  const query = {
    ...(name === undefined ? {} : { name }),
    role: target.role,
    ...(testId === undefined ? {} : { automationId: testId }),
  };
  const isNamed = name !== undefined || testId !== undefined;
  switch (type) {
    case 'click':
      if (!isNamed) throw badInput('A click needs the name or test_id of its target.');
      return { action: 'click-element', input: query };
    case 'type':
      if (!isNamed) throw badInput('Typing needs the name or test_id of its target.');
      return { action: 'type-into-element', input: { ...query, text, mode: 'append' } };
    case 'keypress': {
      const keys = filled(text) ?? name;
      if (keys === undefined) throw badInput('A keypress needs its keys in text, or in target.name.');
      // Where the name has the keys, only a test_id can name the element.
      const { name: _keys, ...unnamed } = query;
      const focus = text === '' ? unnamed : query;
      const hasTarget = testId !== undefined || (name !== undefined && text !== '');
      return {
        action: 'virtual-keyboard',
        input: { action: 'combo', text: keys },
        ...(hasTarget ? { focus } : {}),
        ...(text === '' ? { namesake: query } : {}),
      };
    }
    case 'scroll':
      return isNamed ? { action: 'scroll-element', input: query } : { action: 'scroll-element', input: {} };
    case 'wait':
      if (name !== undefined || testId !== undefined) throw badInput('`wait` takes an empty target.');
      return { action: 'wait-quiet', input: {} };
  }
}

function mapCoordinate(type: 'click' | 'type' | 'keypress' | 'scroll', name: string): MappedProposal {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(name);
  if (found === null) throw badInput('With role coordinate the name is `x,y` in the latest observation.');
  const point = { x: Number(found[1]), y: Number(found[2]) };
  if (type === 'click') return { action: 'click', input: point };
  if (type === 'scroll') return { action: 'scroll', input: { ...point, dx: 0, dy: 3 } };
  throw badInput(`${type} has no meaning at a coordinate.`);
}

/** The decision behind an error of the gate, if it is not a review. */
const DECISIONS: Partial<Record<ErrorCode, DecisionResult>> = {
  approval_denied: 'approve',
  approval_expired: 'approve',
  blocked_by_policy: 'block',
  permission_denied: 'block',
  grant_flag_required: 'block',
  app_not_granted: 'block',
  tier_insufficient: 'block',
  key_blocked: 'block',
  target_elevated: 'block',
};

/** The answer to a proposal, from the gate's judgement and how it ended. */
function answerProposal(
  proposal: UiActionProposal,
  gate: readonly GateRecord[],
  end: { readonly result: ActionResult } | { readonly error: UiaHostError },
  actionId: string,
): ProposalAnswer {
  const judged = gate.findLast((record) => record.riskLevel !== null) ?? gate.at(-1);
  const asked = gate.find((record) => record.outcome === 'asked');
  const isLetThrough = gate.some((record) => record.outcome === 'execute' || record.outcome === 'approved');
  const letThrough: DecisionResult = asked === undefined ? 'execute' : 'approve';
  // A proposal that failed before the gate allowed it, or before anything was delivered, did not run: the caller must look
  // again, unless the refusal is final or a person was asked.
  const decision: DecisionResult =
    'result' in end || (isLetThrough && (asked !== undefined || end.error.delivery !== 'not_delivered'))
      ? letThrough
      : (DECISIONS[end.error.code] ?? 'review');
  const reason = 'error' in end ? end.error.message : ((asked ?? judged)?.reason ?? '');
  return {
    decision,
    riskLevel: judged?.riskLevel ?? 'high',
    riskTags: [...(judged?.riskTags ?? [])],
    proposedRiskTags: [...new Set(proposal.risk_tags)],
    flags: [...new Set(gate.flatMap((record) => record.flags))],
    reason,
    evidence: {
      element: judged?.element ?? null,
      app: judged?.app ?? null,
      window: judged?.window ?? null,
      onlyProposed: judged?.claims?.onlyProposed ?? [],
      onlyFound: judged?.claims?.onlyFound ?? [],
    },
    approvalId: gate.findLast((record) => record.approvalId !== null)?.approvalId ?? null,
    actionId,
    result: 'result' in end ? end.result : { error: end.error.toProblem() },
  };
}

/** Who proposes, and what follows it. */
interface ProposeOptions extends RunOptions {
  readonly caller: Caller;
  /** The action that made the proposal; null if a session did. */
  readonly outerId: string | null;
  /** The id of the action that it leads to; default a new one. */
  readonly actionId?: string;
  onPending?(approvalId: string): void;
}

/**
 * Runs it once, if the gate allows it or a person approves. Keys for a named element give it the focus first, which is an
 * action of its own: judged, and asked for at the level `control`. Errors: those of requests that the gate could not judge
 * at all.
 */
export async function propose(runner: InnerRunner, raw: unknown, options: ProposeOptions): Promise<ProposalAnswer> {
  const proposal = parseOrRefuse(UiActionProposal, raw);
  const { focus, namesake, ...mapped } = mapProposal(proposal);
  if (
    namesake !== undefined &&
    (await runner.elementOf({ ...of(options), action: 'focus-element', input: namesake }))?.name === namesake['name']
  ) {
    const error = new UiaHostError(
      'review_required',
      `An element is named ${quoted(String(namesake['name']))}, so it is not clear that the name means keys; no key was sent.`,
      { hint: 'Put the keys in text; target then names the element that gets the focus first.' },
    );
    return answerProposal(proposal, [], { error }, options.actionId ?? newId('act'));
  }
  if (focus !== undefined && !(await isFocused(runner, options, mapped, focus))) {
    const { actionId: _ofTheKeys, ...rest } = options;
    const focusing = await runStep(runner, proposal, { action: 'focus-element', input: focus }, rest);
    if (focusing.error !== null) return focusing.answer;
    if (!(await isFocused(runner, options, mapped, focus))) {
      const error = new UiaHostError(
        'review_required',
        'The target of the keypress did not take the focus; no key was sent.',
        {
          hint: 'Take a snapshot to see what has the focus, or propose a click or typing instead.',
        },
      );
      return { ...focusing.answer, decision: 'review', reason: error.message, result: { error: error.toProblem() } };
    }
  }
  return (await runStep(runner, proposal, mapped, options)).answer;
}

/** Whether the keys would go to the named element. */
async function isFocused(
  runner: InnerRunner,
  options: ProposeOptions,
  { action, input }: MappedProposal,
  focus: Record<string, unknown>,
): Promise<boolean> {
  const meant = await runner.elementOf({ ...of(options), action: 'focus-element', input: focus });
  return meant !== null && meant.ref === (await runner.elementOf({ ...of(options), action, input }))?.ref;
}

const of = ({ caller, signal }: ProposeOptions) => ({ caller, ...(signal === undefined ? {} : { signal }) });

async function runStep(
  runner: InnerRunner,
  proposal: UiActionProposal,
  { action, input }: MappedProposal,
  { onPending, ...options }: ProposeOptions,
): Promise<{ readonly answer: ProposalAnswer; readonly error: UiaHostError | null }> {
  const gate: GateRecord[] = [];
  const run = runner.start({
    ...FROM_EDGE,
    ...options,
    action,
    input,
    claims: {
      riskTags: proposal.risk_tags,
      requiresApproval: proposal.requires_approval,
      reason: proposal.reason === '' ? null : proposal.reason,
    },
    onGate: (record) => gate.push(record),
  });
  const approvalId = run.pending.then((id) => {
    if (id !== null) onPending?.(id);
    return id;
  });
  try {
    return { answer: answerProposal(proposal, gate, { result: await run.result }, run.actionId), error: null };
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    // A judgement is an answer; a request that could not be judged at all stays an error.
    if (gate.length === 0 && error.code !== 'invalid_argument') throw error;
    const answer = answerProposal(proposal, gate, { error }, run.actionId);
    return { answer: { ...answer, approvalId: await approvalId }, error };
  }
}
