/** Cards and answers to them, as they are on the bus: the seat signs the question, the approver what they were shown. */
import { createPublicKey, sign } from 'node:crypto';
import { z } from 'zod';
import { decisionText, Question, questionText, SignedDecision } from '../../contract/gate/signed-decision.ts';
import { hashOf } from './artifacts.ts';
import { claimedId, open, openAs, seal, type Signer, type Trust } from './signed.ts';

/** What a seat tells of a card: that it waits, that it waits no longer, or how the host took an answer. */
const noteSchema = z.strictObject({
  /** `job`: `target.id`. */
  asked: z.strictObject({ job: z.string().max(128), question: z.unknown() }).optional(),
  ended: z.literal(true).optional(),
  /** `of`: the SHA-256 of the answer's text, so that no reader takes it for that of another answer. `refused`: why it does not count. */
  answered: z.strictObject({ of: z.string().max(64), refused: z.string().max(1000).nullable() }).optional(),
});
export type ApprovalNote = z.infer<typeof noteSchema>;

export const sealNote = (seat: string, approvalId: string, note: ApprovalNote, signer: Signer): string =>
  seal({ kind: 'approval', target: seat, id: approvalId }, note, signer);

/** Null for what that seat did not sign. */
export function noteOf(text: string, seat: string, trust: Trust, now: number): (ApprovalNote & { id: string }) | null {
  const id = claimedId(text);
  const opened = openAs(noteSchema, text, { kind: 'approval', target: seat, id }, trust, now);
  return opened === null ? null : { ...opened.body, id };
}

/** Null for a card that this version does not know whole: no person signs what they were not shown. */
export function questionOf(asked: unknown, id: string): Question | null {
  const question = Question.safeParse(asked).data;
  return question?.card.approvalId === id ? question : null;
}

/** What is signed of it. */
export const digestOf = (question: Question): string => hashOf(Buffer.from(questionText(question)));

export type { Question };

export interface Decided {
  readonly decision: 'approve' | 'deny';
  /** The approver's, which the machine's policy has too. */
  readonly by: string;
  readonly now: number;
}

/** A signature is valid until then; the answer is sent again with a new one. */
const VALID_MS = 5 * 60_000;

/** The answer, by the key of the approver's card: the host checks it itself, the link only that the card was not revoked. */
export function sealDecision(seat: string, question: Question, { decision, by, now }: Decided, signer: Signer): string {
  const { target, card } = question;
  const id = card.approvalId;
  const time = (ms: number): string => new Date(ms).toISOString();
  const signed = {
    v: 1,
    kind: 'decision',
    target,
    id,
    digest: digestOf(question),
    decision,
    scope: card.allowedScopes[0] ?? 'once',
    by,
    at: time(now),
    notAfter: time(now + VALID_MS),
  } as const;
  const signature = sign(null, Buffer.from(decisionText(signed)), signer.key).toString('base64');
  return seal({ kind: 'decision', target: seat, id }, { answer: { decision: signed, signature } }, signer);
}

/** An approver's answer for this seat; the host decides whether it counts. */
export function decisionOf(text: string, seat: string, trust: Trust, now: number) {
  const id = claimedId(text);
  const opened = open(text, { kind: 'decision', target: seat, id }, trust, now);
  if ('refused' in opened) return opened;
  const answer = SignedDecision.safeParse(opened.body['answer']).data;
  // else the valid card of another approver would carry the answers of a revoked one
  if (answer?.decision.by !== opened.by.name) return { refused: 'it is the answer of another' };
  return { id, answer, card: opened.by.id };
}

/** The public half of the key, as the policy of a machine has it. */
export const publicKeyText = ({ key }: Signer): string =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
