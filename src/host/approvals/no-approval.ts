/** The errors of a card that ended without an approval. */
import type { ApprovalCard, ApprovalStatus } from '../../contract/gate/approval.ts';
import { abortReason, UiaHostError } from '../../contract/errors.ts';

/** The error for the action that waited for the answer. */
export function noApproval(
  card: ApprovalCard,
  status: Exclude<ApprovalStatus, 'pending' | 'approved'>,
  decidedBy: string,
  signal: AbortSignal,
): UiaHostError {
  if (status === 'denied')
    return new UiaHostError('approval_denied', `A person (${decidedBy}) said no to: ${card.summary}`);
  if (status === 'expired')
    return new UiaHostError(
      'approval_expired',
      `No decision came before ${card.expiresAt}, which counts as no. It was asked for: ${reasonsOf(card)}.`,
    );
  return signal.aborted
    ? abortReason(signal, 'The action was cancelled.')
    : new UiaHostError(
        'cancelled',
        `The request was withdrawn before anyone decided (${decidedBy}); its card is gone.`,
      );
}

/** Why the card was shown, in the words of its flags, kinds of reasons and tags. */
function reasonsOf(card: ApprovalCard): string {
  const tags = card.flags.flatMap((flag) =>
    flag.startsWith('approval_required:') ? [flag.slice('approval_required:'.length)] : [],
  );
  const kinds = card.why.map(({ kind }) => kind).filter((kind) => kind !== 'alwaysAsk' && kind !== 'tag');
  return [
    ...new Set([...tags, ...kinds, ...(card.riskTags.length === 0 ? [] : [`risk ${card.riskTags.join(', ')}`])]),
  ].join('; ');
}
