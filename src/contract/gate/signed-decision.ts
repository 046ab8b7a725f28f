/** An answer to a card that is given on another device and signed there. */
import { z } from 'zod';
import { canonicalJson } from '../json/strict-json.ts';
import { ApprovalCard, ApprovalScope } from './approval.ts';

const time = z.iso.datetime({ precision: null });

/** What is signed. It names its kind, its host and its card, so that it means nothing anywhere else. */
export const Decision = z.strictObject({
  v: z.literal(1),
  kind: z.literal('decision'),
  /** The host, by the id that it sends with the card. */
  target: z.string().max(100),
  /** The card's approvalId. */
  id: z.string().max(100),
  /** The card's digest; for the approver of a fleet, the SHA-256 of `questionText` in hex. */
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

/**
 * What the approver of a fleet is shown. Others carry it, so its own hash is signed: nothing of it can be exchanged on the way
 * without the host noticing.
 */
export const Question = z.strictObject({
  target: z.string().max(100),
  host: z.strictObject({ name: z.string(), user: z.string(), session: z.int().nullable() }),
  /** As it was when it came. */
  card: ApprovalCard,
  /** SHA-256 of the picture of the window; null where none is sent. */
  picture: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});
export type Question = z.infer<typeof Question>;

/** The text whose SHA-256 is signed as the digest. */
export const questionText = (question: Question): string => canonicalJson(question);
