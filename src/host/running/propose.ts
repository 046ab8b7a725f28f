/** Runs a proposal through the gate and returns how it was judged. */
import { toUiaHostError } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { UiActionProposal, type ProposalAnswer } from '../../contract/gate/proposal.ts';
import type { GateRecord } from '../../policy/gate/index.ts';
import type { Caller } from '../face/caller.ts';
import type { RunOptions } from '../face/host.ts';
import { answerProposal, mapProposal } from './proposals.ts';
import { FROM_EDGE, type InnerRunner } from './run-scope.ts';

export interface ProposeOptions extends RunOptions {
  /** False: answer as soon as a person is asked. */
  readonly wait?: boolean | undefined;
  /** The action that made the proposal; null if a session did. */
  readonly outerId?: string | null;
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
