/** The card: what a person decides on, with its scopes, reasons and status. */
import { z } from 'zod';
import { CellChanges } from '../cells/book.ts';
import { UiaHostError } from '../errors.ts';
import { plain } from './input-content.ts';
import { Flag, RiskLevel, RiskTag, Tier } from './permissions.ts';
import { canonicalJson } from '../json/strict-json.ts';

/** A question that ended without an approval. */
export class NotApproved extends UiaHostError {
  /** Who ended it, as the audit names them: a surface with a token, the deadline, a lost overlay. */
  readonly decidedBy: string;
  /** The same in words. */
  readonly who: string;

  constructor(
    code: 'approval_denied' | 'approval_expired',
    text: string,
    more: { readonly decidedBy: string; readonly who: string; readonly hint?: string },
  ) {
    super(code, text, more.hint === undefined ? {} : { hint: more.hint });
    this.decidedBy = more.decidedBy;
    this.who = more.who;
  }
}

export const ApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled', 'void']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

export const ApprovalScope = z.enum(['once', 'window', 'plan', 'session']);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

/** Why a card asks: every reason, in the order the gate found them. */
export const ApprovalReason = z.strictObject({
  kind: z.enum([
    'level',
    'tier',
    'flag',
    'tag',
    'alwaysAsk',
    'proposer',
    'plan',
    'access',
    'display',
    'path',
    'unknown',
    'host',
  ]),
  text: z.string(),
});
export type ApprovalReason = z.infer<typeof ApprovalReason>;

/** The page that a browser shows, where a card is about a browser. */
export const CardPage = z.strictObject({
  /**
   * Scheme, host and port; a host in non-Latin letters is in its ASCII form (`xn--…`). Null = the page is not known, or
   * has no origin.
   */
  origin: z.string().nullable(),
  /** The host in the letters of its language, where that differs from its ASCII form. */
  unicodeHost: z.string().nullable(),
  /** Without user names and passwords; a long one is truncated. Null = unknown. */
  address: z.string().nullable(),
  /** The frame that the element is in, if it is a different document from the page; origin null = unknown. */
  frame: z.strictObject({ origin: z.string().nullable() }).nullable(),
});
export type CardPage = z.infer<typeof CardPage>;

/** Cells that a write changes, each as words: texts in quotation marks, formulas and numbers without. */
export const CardCells = z.strictObject({
  sheet: z.string(),
  /** The sheet is hidden. Older cards do not tell. */
  hidden: z.literal(true).optional(),
  range: z.string(),
  /** Cells that are overwritten first, then formulas. */
  ...CellChanges,
});
export type CardCells = z.infer<typeof CardCells>;

/**
 * A sentence in parts, for surfaces that speak the person's language: `act` and `where` name phrases (`#click`), the
 * others are quoted words, numbers, or phrases too.
 */
const CardSentence = z.record(z.string(), z.string());

/** What a person decides on. Times are ISO 8601; secrets are masked. */
export const ApprovalCard = z.strictObject({
  approvalId: z.string(),
  actionId: z.string(),
  action: z.string(),
  sessionId: z.string(),
  /** The agent that asks: its token and session, such as `agent/default`. Null if the host itself asks. */
  owner: z.string().nullable(),
  status: ApprovalStatus,
  summary: z.string(),
  /** The summary in parts; older cards have none. */
  sentence: CardSentence.optional(),
  /** The same for each step of a plan. */
  steps: z.array(CardSentence).optional(),
  /** Who asks: the token's name, and the name that its program gives itself. Null if the host itself asks. */
  agent: z.strictObject({ name: z.string(), callsItself: z.string().nullable() }).nullable().optional(),
  why: z.array(ApprovalReason),
  /** The proposer's own words, shown as such. */
  proposerReason: z.string().nullable(),
  app: z.strictObject({ bundleId: z.string(), displayName: z.string() }).nullable(),
  window: z.strictObject({ hwnd: z.string(), title: z.string(), pid: z.int() }).nullable(),
  page: CardPage.nullable(),
  element: z.strictObject({ role: z.string(), name: z.string(), automationId: z.string() }).nullable(),
  /** For each range that is written. Other cards, and recorded cards, have none. */
  cells: z.array(CardCells).optional(),
  arguments: z.unknown(),
  riskLevel: RiskLevel,
  riskTags: z.array(RiskTag),
  flags: z.array(z.string()),
  pictureUrl: z.string().nullable(),
  /** The target, in pixels of the picture. Recorded cards, and cards without a target, have none. */
  pictureOutline: z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  digest: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  allowedScopes: z.array(ApprovalScope),
  /**
   * What an approval of each allowed scope covers, in plain words; the answer sets how long one for a window lasts.
   * Older cards have none.
   */
  covers: z.array(z.strictObject({ scope: ApprovalScope, text: z.string() })).optional(),
  decidedBy: z.string().nullable(),
});
export type ApprovalCard = z.infer<typeof ApprovalCard>;

export const ApprovalDecision = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  scope: ApprovalScope.optional(),
  /** For scope window: its duration; default 10. */
  minutes: z.int().min(1).max(480).optional(),
  /** With deny: every open card of this agent, and no further card is shown for it until a person lifts the pause. */
  all: z.boolean().optional(),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** An agent: token and session (`agent/default`), or a token with all its sessions. */
export const AskOwner = z
  .string()
  .regex(
    /^[A-Za-z0-9_.:-]{1,100}(?:\/[A-Za-z0-9_-]{1,64})?$/,
    'TOKEN/SESSION as a card tells it, or TOKEN for all its sessions',
  );

/** An agent whose cards are paused. */
export const AskPause = z.strictObject({
  owner: z.string(),
  /** A person denied all its requests; or three of its cards in a row were denied or left unanswered. */
  reason: z.enum(['denied-all', 'denials']),
  since: z.string(),
  /** Null = until a person lifts it. */
  until: z.string().nullable(),
});
export type AskPause = z.infer<typeof AskPause>;

export const AccessRequest = z.strictObject({
  apps: z
    .array(z.strictObject({ app: plain(z.string().min(1).max(1024)), tier: Tier.optional() }))
    .min(1)
    .max(20),
  flags: z.array(Flag).optional(),
  reason: plain(z.string().min(1).max(1000)),
});

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
  /** SHA-256 of the question's text as it was displayed, in lower-case hex: `questionText`. */
  shown: z.string().regex(/^[0-9a-f]{64}$/),
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
