/** Whether a signed answer counts for a card: who signed it, for which host and card, and when. */
import { createPublicKey, verify } from 'node:crypto';
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import { decisionText, type SignedDecision } from '../../contract/gate/signed-decision.ts';

export interface Expected {
  readonly card: ApprovalCard;
  /** The id of this host. */
  readonly target: string;
  readonly approver: { readonly name: string; readonly publicKey: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Clocks of two machines differ by so much. */
const SKEW_MS = 60_000;
const LONGEST_MS = 86_400_000;

function isSigned({ decision, signature }: SignedDecision, publicKey: string): boolean {
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'base64').toString('base64url') },
      format: 'jwk',
    });
    return verify(null, Buffer.from(decisionText(decision), 'utf8'), key, Buffer.from(signature, 'base64'));
  } catch {
    // 32 bytes that are not a point of the curve sign nothing.
    return false;
  }
}

/** Null if the answer counts, else why not. */
export function whyNotCounted(answer: SignedDecision, { card, target, approver, now }: Expected): string | null {
  const { decision } = answer;
  if (!isSigned(answer, approver.publicKey)) return 'the signature is not the approver’s';
  if (decision.target !== target) return 'it is for another host';
  if (decision.id !== card.approvalId) return 'it is for another card';
  if (decision.digest !== card.digest) return 'it is for another content of the card';
  if (decision.by !== approver.name) return 'it names another approver';
  if (decision.decision === 'approve' && decision.scope !== (card.allowedScopes[0] ?? 'once'))
    return 'its scope is not the card’s narrowest';
  const [at, until] = [Date.parse(decision.at), Date.parse(decision.notAfter)];
  if (at > now + SKEW_MS || at < Date.parse(card.createdAt) - SKEW_MS) return 'its time is not the card’s';
  if (until < now) return 'it is too late';
  if (until - at > LONGEST_MS) return 'its time limit is longer than 24 hours';
  return null;
}
