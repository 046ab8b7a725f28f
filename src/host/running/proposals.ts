/** Proposals as actions: judged, run once if they may, and answered. */
import { UiaHostError, type ErrorCode, toUiaHostError } from '../../contract/errors.ts';
import type { ActionResult, DecisionResult } from '../../contract/outcome.ts';
import { type ProposalAnswer, UiActionProposal } from '../../contract/gate/traits.ts';
import type { GateRecord } from '../../policy/gate/index.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import type { Caller } from '../face/caller.ts';
import type { RunOptions } from '../face/host.ts';
import { FROM_EDGE, type InnerRunner } from './run-scope.ts';

/** The action that a proposal means. */
interface MappedProposal {
  readonly action: string;
  readonly input: Record<string, unknown>;
}

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

/**
 * Maps the given tool's arguments to one of our actions (docs/behaviour.md#proposals). Empty strings count as absent.
 * Errors: invalid_argument for combinations that the seed does not define.
 */
function mapProposal(proposal: UiActionProposal): MappedProposal {
  const { action_type: type, target, text } = proposal;
  if (text !== '' && (type === 'click' || type === 'scroll' || type === 'wait')) {
    throw new UiaHostError(
      'invalid_argument',
      `\`text\` is valid only with type and keypress; ${type} takes an empty string.`,
    );
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
      if (!isNamed) throw new UiaHostError('invalid_argument', 'A click needs the name or test_id of its target.');
      return { action: 'click-element', input: query };
    case 'type':
      if (!isNamed) throw new UiaHostError('invalid_argument', 'Typing needs the name or test_id of its target.');
      return { action: 'type-into-element', input: { ...query, text, mode: 'append' } };
    case 'keypress': {
      const keys = filled(text) ?? name;
      if (keys === undefined)
        throw new UiaHostError('invalid_argument', 'A keypress needs its keys in text, or in target.name.');
      return { action: 'virtual-keyboard', input: { action: 'combo', text: keys } };
    }
    case 'scroll':
      return isNamed ? { action: 'scroll-element', input: query } : { action: 'scroll-element', input: {} };
    case 'wait':
      if (name !== undefined || testId !== undefined)
        throw new UiaHostError('invalid_argument', '`wait` takes an empty target.');
      return { action: 'wait-quiet', input: {} };
  }
}

function mapCoordinate(type: 'click' | 'type' | 'keypress' | 'scroll', name: string): MappedProposal {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(name);
  if (found === null)
    throw new UiaHostError('invalid_argument', 'With role coordinate the name is `x,y` in the latest observation.');
  const point = { x: Number(found[1]), y: Number(found[2]) };
  if (type === 'click') return { action: 'click', input: point };
  if (type === 'scroll') return { action: 'scroll', input: { ...point, dx: 0, dy: 3 } };
  throw new UiaHostError('invalid_argument', `${type} has no meaning at a coordinate.`);
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
  end: { readonly result: ActionResult } | { readonly error: UiaHostError } | { readonly pendingApprovalId: string },
  actionId: string,
): ProposalAnswer {
  const judged = gate.findLast((record) => record.riskLevel !== null) ?? gate.at(-1);
  const asked = gate.find((record) => record.outcome === 'asked');
  const isLetThrough = gate.some((record) => record.outcome === 'execute' || record.outcome === 'approved');
  const letThrough: DecisionResult = asked === undefined ? 'execute' : 'approve';
  // A proposal that failed before the gate allowed it did not run: the caller must look again, unless the refusal is
  // final.
  const decision: DecisionResult =
    'error' in end
      ? isLetThrough
        ? letThrough
        : (DECISIONS[end.error.code] ?? 'review')
      : 'result' in end
        ? letThrough
        : 'approve';
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
    approvalId:
      'pendingApprovalId' in end
        ? end.pendingApprovalId
        : (gate.findLast((record) => record.approvalId !== null)?.approvalId ?? null),
    actionId,
    result: 'result' in end ? end.result : 'error' in end ? { error: end.error.toProblem() } : null,
  };
}

interface ProposeOptions extends RunOptions {
  /** False: answer as soon as a person is asked. */
  readonly wait?: boolean | undefined;
  /** The action that made the proposal; null if a session did. */
  readonly outerId?: string | null;
  /** The id of the action that it leads to; default a new one. */
  readonly actionId?: string;
}

/**
 * Runs it once, if the gate allows it or a person approves. Errors: those of requests that the gate could not judge at
 * all.
 */
export async function propose(
  runner: InnerRunner,
  caller: Caller,
  raw: unknown,
  { wait = true, outerId = null, ...options }: ProposeOptions,
  onPending: (approvalId: string) => void = () => {},
): Promise<ProposalAnswer> {
  const proposal = parseOrRefuse(UiActionProposal, raw);
  const mapped = mapProposal(proposal);
  const gate: GateRecord[] = [];
  const run = runner.start({
    ...FROM_EDGE,
    ...options,
    caller,
    action: mapped.action,
    input: mapped.input,
    outerId,
    claims: {
      riskTags: proposal.risk_tags,
      requiresApproval: proposal.requires_approval,
      reason: proposal.reason === '' ? null : proposal.reason,
    },
    onGate: (record) => gate.push(record),
  });
  const approvalId = run.pending.then((id) => {
    if (id !== null) onPending(id);
    return id;
  });
  if (!wait) {
    const asked = await approvalId;
    if (asked !== null) return answerProposal(proposal, gate, { pendingApprovalId: asked }, run.actionId);
  }
  try {
    return answerProposal(proposal, gate, { result: await run.result }, run.actionId);
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    // A judgement is an answer; a request that could not be judged at all stays an error.
    if (gate.length === 0 && error.code !== 'invalid_argument') throw error;
    return { ...answerProposal(proposal, gate, { error }, run.actionId), approvalId: await approvalId };
  }
}
