/** The given function tool request_ui_action: its parameters and the gate’s answer. */
import { z } from 'zod';
import { DecisionResult } from '../outcome.ts';
import { ProposalRiskTag, RiskLevel, RiskTag } from './permissions.ts';

/** Name of the given function tool. It executes nothing itself: whatever it leads to is a separate action. */
export const REQUEST_UI_ACTION = 'request_ui_action';

/** Parameters of the given function tool, word for word (schemas/seeds/request-ui-action.tool.json; a test compares). */
export const UiActionProposal = z.strictObject({
  action_type: z.enum(['click', 'type', 'keypress', 'scroll', 'wait']).describe('The UI operation the model proposes.'),
  target: z.strictObject({
    role: z
      .enum(['button', 'link', 'textbox', 'status', 'coordinate'])
      .describe('Accessible role, or coordinate only when the harness explicitly allows coordinate actions.'),
    name: z.string().describe('Accessible name or empty string when the action is wait.'),
    test_id: z.string().describe('Stable data-testid when available; empty string when unavailable.'),
  }),
  text: z.string().describe('Text to type for type actions; empty string otherwise.'),
  reason: z.string().describe('Short operational reason for the proposed action.'),
  risk_tags: z
    .array(ProposalRiskTag)
    .describe('Risk tags inferred by the model; the policy gate recomputes these from the UI state before execution.'),
  requires_approval: z
    .boolean()
    .describe(
      'Whether the model believes the action needs human approval. This is advisory; the policy gate is authoritative.',
    ),
});
export type UiActionProposal = z.infer<typeof UiActionProposal>;

/** What the gate answers to a proposal. */
export const ProposalAnswer = z.strictObject({
  decision: DecisionResult,
  riskLevel: RiskLevel,
  riskTags: z.array(RiskTag),
  proposedRiskTags: z.array(ProposalRiskTag),
  flags: z.array(z.string()),
  reason: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  approvalId: z.string().nullable(),
  actionId: z.string().nullable(),
  result: z.unknown(),
});
export type ProposalAnswer = z.infer<typeof ProposalAnswer>;

/** What a caller claims about its own action; it can only raise what the gate finds. */
export interface ProposerClaims {
  riskTags: ProposalRiskTag[];
  requiresApproval: boolean;
  reason: string | null;
}
