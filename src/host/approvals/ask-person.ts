/** Cards about the host itself: a looser policy, the release of the emergency stop, and what programs ask for by the API. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { Sentence } from '../../contract/gate/card-words.ts';
import { toUiaHostError, type UiaHostError } from '../../contract/errors.ts';
import { NotApproved } from '../../contract/gate/approval.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import { stepDigest, type CardDraft } from '../../policy/gate/index.ts';
import { whyNotApproved, type Approvals } from './approval-service.ts';
import { newId, type Caller } from '../face/caller.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { PermissionAnswer, PermissionRequest } from '../face/host.ts';

export interface AskParts {
  readonly approvals: Approvals;
  policy(): Policy;
  audit(entry: AuditEntryInput): Promise<unknown>;
}

const EDITED = 'The policy’s file was edited.';
const ASKED_FOR = 'It was asked for with an operator’s token.';

/** A card about nothing on the screen: it is approved once. */
type PlainCard = Pick<
  CardDraft,
  'actionId' | 'sessionId' | 'summary' | 'sentence' | 'riskLevel' | 'arguments' | 'byHost'
> & {
  readonly action: string;
  readonly why: string;
};

interface PlainAsk {
  readonly parts: Pick<AskParts, 'approvals' | 'policy'>;
  readonly card: PlainCard;
  readonly tokenId: string;
  readonly signal: AbortSignal;
  record(decision: 'approved' | 'denied', why: string): Promise<unknown>;
}

/** Null for an approval, else the reason. Any failure counts as a denial; both are audited. */
async function refusalOf({ parts, card, tokenId, signal, record }: PlainAsk): Promise<UiaHostError | null> {
  const { why, ...own } = card;
  const draft: CardDraft = {
    ...own,
    why: [{ kind: 'host', text: why }],
    proposerReason: null,
    app: null,
    window: null,
    page: null,
    element: null,
    riskTags: [],
    flags: [],
    digest: stepDigest(own.action, own.arguments),
    allowedScopes: ['once'],
    timeoutMs: parts.policy().approvals.timeoutMs,
    outline: null,
  };
  try {
    const answer = await parts.approvals.ask(draft, tokenId, signal, () => {});
    await record('approved', `by ${answer.decidedBy}`);
    return null;
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    await record('denied', `${error.code}: ${whyNotApproved(error)}`).catch(() => {});
    return error;
  }
}

/** What a person is asked by the host itself. */
interface HostCard {
  readonly action: 'policyChange' | 'releaseStop' | 'liftPause';
  readonly summary: string;
  readonly sentence: Sentence;
  readonly why: string;
  readonly points: readonly string[];
  /** The token that asks; null if the policy's file was edited. */
  readonly by: string | null;
}

function askByHost(parts: AskParts, { points, by, ...card }: HostCard): Promise<UiaHostError | null> {
  const actionId = newId('act');
  return refusalOf({
    parts,
    card: { ...card, actionId, sessionId: 'host', arguments: { points }, riskLevel: 'critical', byHost: true },
    tokenId: by ?? 'file',
    signal: new AbortController().signal,
    record: (decision, reason) =>
      parts.audit({
        kind: 'approval',
        actor: { tokenId: by, surface: by === null ? 'file' : 'api' },
        actionId,
        action: card.action,
        decision,
        why: [reason],
        details: { points: [...points] },
      }),
  });
}

/** Asks a person whether the policy may allow more. Errors: of a question that ended before anyone decided. `by`: the token that asks; null if its file was edited, or was not seen before. */
export async function askLoosening(
  parts: AskParts,
  points: readonly string[],
  by: string | null,
  cause: 'change' | 'unseen',
): Promise<boolean> {
  const refusal = await askByHost(parts, {
    action: 'policyChange',
    summary:
      cause === 'unseen'
        ? 'Let agents do more than look, with a data directory that was not used before'
        : 'Let the policy allow more than it does now',
    sentence: { act: cause === 'unseen' ? '#loosenUnseen' : '#loosen' },
    why: cause === 'unseen' ? 'No person has agreed to it.' : by === null ? EDITED : ASKED_FOR,
    points,
    by,
  });
  if (refusal !== null && !(refusal instanceof NotApproved)) throw refusal;
  return refusal === null;
}

/** What is taken back for an operator's token. */
async function askTakenBack(parts: AskParts, card: Omit<HostCard, 'why'>): Promise<void> {
  const why = 'It was asked for with an operator’s token, which a program of the same user can read.';
  const refusal = await askByHost(parts, { ...card, why });
  if (refusal !== null) throw refusal;
}

/** Asks a person whether agents may act again after an emergency stop. Errors: approval_denied, approval_expired; the stop stays on. */
export const askRelease = (parts: AskParts, stoppedBy: string, by: string): Promise<void> =>
  askTakenBack(parts, {
    action: 'releaseStop',
    summary: 'Release the emergency stop: agents may act again',
    sentence: { act: '#resume' },
    points: [`stopped by ${stoppedBy}`],
    by,
  });

/**
 * Lets a paused agent ask again. If the operator's token cannot approve cards, a person must agree: a program that can
 * read a token file must not undo a person's denial. Errors: not_found, approval_denied, approval_expired; the pause
 * stays.
 */
export async function liftPause(parts: AskParts, owner: string, by: string): Promise<void> {
  const isPaused = parts.approvals
    .pauses()
    .some((pause) => pause.owner === owner || pause.owner.startsWith(`${owner}/`));
  if (isPaused && !parts.policy().approvals.surfaces.includes('api'))
    await askTakenBack(parts, {
      action: 'liftPause',
      summary: `Let the agent ${owner} ask again`,
      sentence: { act: '#lift', paused: quoted(owner) },
      points: [`everything of ${owner} is denied at present`],
      by,
    });
  parts.approvals.lift(owner, by);
}

interface PermissionParts extends AskParts {
  isStopped(): boolean;
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
  const actionId = newId('act');
  const tool = quoted(request.toolName);
  const refusal = await refusalOf({
    parts,
    card: {
      actionId,
      action: 'permissionPrompt',
      sessionId: caller.session,
      summary: `Let the agent use its own tool ${tool}`,
      sentence: { act: '#ownTool', tool },
      why: 'The agent CLI asks before it uses a tool on this machine.',
      arguments: { tool: request.toolName, input: request.input },
      riskLevel: 'high',
    },
    tokenId: caller.tokenId,
    signal,
    record: (decision, why) =>
      parts.audit({
        kind: 'approval',
        actor: { tokenId: caller.tokenId, surface: caller.surface },
        sessionId: caller.session,
        actionId,
        action: 'permissionPrompt',
        decision,
        why: [why],
        details: { tool: request.toolName, toolUseId: request.toolUseId },
      }),
  });
  return refusal === null ? { behavior: 'allow' } : { behavior: 'deny', message: refusal.message };
}
