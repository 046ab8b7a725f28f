import type { AuditEntryInput } from '../audit/entry.ts';
import { toUiaHostError } from '../contract/errors.ts';
import type { Policy } from '../contract/permissions.ts';
import { stepDigest } from '../policy/digest.ts';
import type { Approvals } from './approval-service.ts';
import { newId } from './ids.ts';

export interface LooseningParts {
  readonly approvals: Approvals;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

/** Asks a person whether the policy may allow more. `by`: the token that asks for it; null when its file was edited. Whatever goes wrong is a no. */
export async function askLoosening(parts: LooseningParts, points: readonly string[], by: string | null): Promise<boolean> {
  const actionId = newId('act');
  const args = { points };
  const tell = (decision: 'approved' | 'denied', why: string): Promise<unknown> => parts.audit({
    kind: 'approval', actor: { tokenId: by, surface: by === null ? 'file' : 'api' }, actionId, action: 'policyChange', decision, why: [why], details: { points: [...points] },
  });
  try {
    const answer = await parts.approvals.ask({
      actionId,
      action: 'policyChange',
      sessionId: 'host',
      summary: 'Let the policy allow more than it does now',
      why: [{ kind: 'proposer', text: by === null ? 'The policy’s file was edited.' : 'It was asked for with an operator’s token.' }],
      proposerReason: null,
      app: null,
      window: null,
      element: null,
      arguments: args,
      riskLevel: 'critical',
      riskTags: [],
      flags: [],
      digest: stepDigest('policyChange', args),
      allowedScopes: ['once'],
      timeoutMs: parts.policy().approvals.timeoutMs,
      outline: null,
    }, by ?? 'file', new AbortController().signal, () => {});
    await tell('approved', `by ${answer.decidedBy}`);
    return true;
  } catch (thrown) {
    await tell('denied', toUiaHostError(thrown).code).catch(() => {});
    return false;
  }
}
