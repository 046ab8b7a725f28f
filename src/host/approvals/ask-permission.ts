/** Asks a person whether an agent CLI may use one of its own tools. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import { stepDigest } from '../../policy/gate/index.ts';
import type { Approvals } from './approval-service.ts';
import type { Caller } from '../face/caller.ts';
import type { PermissionAnswer, PermissionRequest } from '../face/host.ts';
import { newId } from '../face/ids.ts';

export interface PermissionParts {
  readonly approvals: Approvals;
  policy(): Policy;
  isStopped(): boolean;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

/** Any failure counts as a denial. */
export async function askPermission(
  parts: PermissionParts,
  caller: Caller,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const policy = parts.policy();
  if (parts.isStopped()) return { behavior: 'deny', message: 'The emergency stop is on.' };
  if (policy.level === 'disabled') return { behavior: 'deny', message: 'The permission level is disabled.' };
  const args = { tool: request.toolName, input: request.input };
  const actionId = newId('act');
  const record = (decision: 'approved' | 'denied', why: string): Promise<unknown> =>
    parts.audit({
      kind: 'approval',
      actor: { tokenId: caller.tokenId, surface: caller.surface },
      sessionId: caller.session,
      actionId,
      action: 'permissionPrompt',
      decision,
      why: [why],
      details: { tool: request.toolName, toolUseId: request.toolUseId },
    });
  try {
    const answer = await parts.approvals.ask(
      {
        actionId,
        action: 'permissionPrompt',
        sessionId: caller.session,
        summary: `Let the agent use its own tool ${quoted(request.toolName)}`,
        why: [{ kind: 'host', text: 'The agent CLI asks before it uses a tool on this machine.' }],
        proposerReason: null,
        app: null,
        window: null,
        page: null,
        element: null,
        arguments: args,
        riskLevel: 'high',
        riskTags: [],
        flags: [],
        digest: stepDigest('permissionPrompt', args),
        allowedScopes: ['once'],
        timeoutMs: policy.approvals.timeoutMs,
        outline: null,
      },
      caller.tokenId,
      signal,
      () => {},
    );
    await record('approved', `by ${answer.decidedBy}`);
    return { behavior: 'allow' };
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    await record('denied', error.code).catch(() => {});
    return { behavior: 'deny', message: error.message };
  }
}
