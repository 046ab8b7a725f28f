/** An answer to a card that is given on another device and signed there. */
import { z } from 'zod';
import { canonicalJson } from '../json/strict-json.ts';
import { ApprovalScope } from './approval.ts';

const time = z.iso.datetime({ precision: null });

/** What is signed. It names its kind, its host and its card, so that it means nothing anywhere else. */
export const Decision = z.strictObject({
  v: z.literal(1),
  kind: z.literal('decision'),
  /** The host, by the id that it sends with the card. */
  target: z.string().max(100),
  /** The card's approvalId. */
  id: z.string().max(100),
  /** The card's digest. */
  digest: z.string().max(200),
  decision: z.enum(['approve', 'deny']),
  /** The narrowest that the card allows: its first one. */
  scope: ApprovalScope,
  /** The approver's name. */
  by: z.string().max(100),
  at: time,
  /** The answer does not count later. */
  notAfter: time,
});
export type Decision = z.infer<typeof Decision>;

export const SignedDecision = z.strictObject({
  decision: Decision,
  /** Ed25519 over `decisionText`, in Base64. */
  signature: z.base64().max(100),
});
export type SignedDecision = z.infer<typeof SignedDecision>;

/** The text whose UTF-8 bytes are signed: canonical JSON (RFC 8785). */
export const decisionText = (decision: Decision): string => canonicalJson(decision);
