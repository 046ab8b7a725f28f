/** What the gate takes, what it needs from the host, and what it answers. */
import type { ApprovalCard, ApprovalReason, ApprovalScope } from '../../contract/gate/approval.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Permit } from '../../contract/gate/exit.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { Decision, DecisionResult } from '../../contract/outcome.ts';
import type { Level, Policy, ProposalRiskTag, RiskLevel, RiskTag } from '../../contract/gate/permissions.ts';
import type { ProposerClaims, ActionTarget, ActionTraits, TerminalLaunch } from '../../contract/gate/traits.ts';
import type { CellsAim, CellsBefore } from '../../contract/cells/sheet.ts';
import type { Allowances } from '../rights/allowances.ts';
import type { SessionGrants } from '../rights/grants.ts';
import type { LeftBehind } from '../risk/content/keyboard.ts';

/** One call of one action, as it will run. */
export interface GateSubject {
  /** Method name: clickElement. */
  readonly action: string;
  readonly actionId: string;
  /** The very object that will run; never cloned, so that the judged item is what runs. */
  readonly input: unknown;
  readonly traits: ActionTraits;
  readonly claims: ProposerClaims | null;
  /** Set for a step of a batch that a person approved as one plan. */
  readonly planStep: { readonly planId: string } | null;
  /** A secret that the action will type: entry and field, never its text. */
  readonly secret: { readonly ref: string; readonly field: string } | null;
}

export interface GateSession {
  readonly id: string;
  readonly tokenId: string;
  /** Limits of the caller's token; null = none. */
  readonly tokenLimits: { readonly level?: Level | undefined; readonly apps?: readonly string[] | undefined } | null;
  /** What a computer-use session is for, in the agent's words; its cards show it. */
  readonly goal?: string | undefined;
  /** The `urls` that a computer-use session may touch; null for a plain session, which is not narrowed. */
  readonly urls: readonly string[] | null;
  /** Step 0: authenticated, live, not stopped. Errors: unauthenticated, session_ended, stopped, cancelled. */
  assertLive(): void;
  /**
   * Step 2. Errors: action_limit_exceeded, duration_exceeded, rate_limited.
   * `isRecheck`: the same action after a person's answer, or a proposal that is only judged; counts nothing.
   */
  takeAction(changesSomething: boolean, isRecheck: boolean): void;
}

/** What the gate needs from the host. Everything is queried again each time, so that changes count from the next survey on. */
export interface GateWorld {
  policy(): Policy;
  readonly session: GateSession;
  readonly grants: SessionGrants;
  readonly allowances: Allowances;
  /** What outlives a call. */
  readonly left: LeftBehind;
  /** Denied programs and consoles that the program of an earlier action's window started after it. */
  readonly started: readonly string[];
  /** Aborts the wait for a person: caller gone, cancelled, session ended. */
  readonly signal: AbortSignal;
  /** The bound window, verified now; null if nothing is bound. Errors: window_gone, window_hung, target_elevated. */
  binding(): Promise<BindingRecord | null>;
  /** Errors: element_stale or invalid_argument for an unknown observation. */
  assertObservation(id: string): void;
  /**
   * The unique live element and its surroundings, of a verified window; null if the target has none. Errors: those of
   * `verify`, target_not_found, target_ambiguous, element_stale.
   */
  context(target: ActionTarget, window: BindingRecord | null): Promise<ElementContext | null>;
  /** The cells that a call is aimed at, as they are now; null where it changes none. Errors: those of the write, before it. */
  cells(aim: CellsAim, window: BindingRecord): Promise<CellsBefore | null>;
  /**
   * The window that input to this target reaches: the bound one, the one at a point, or the foreground one for real keys.
   * Null if there is none, or input may not go there.
   */
  windowOf(target: ActionTarget, isForeground: boolean): Promise<BindingRecord | null>;
  /** Errors: window_gone, window_hung, target_elevated. */
  verify(window: BindingRecord): Promise<void>;
  /** The application that a launch or a query names; null = unknown. */
  appOf(target: ActionTarget): Promise<AppIdentity | null>;
  /** The programs that a terminal would start: its own, the shell in it and the command's. Errors: launch_failed, invalid_argument. */
  programsOf(launch: TerminalLaunch): Promise<readonly AppIdentity[]>;
  /** Whether a path leads to another machine or to a device. Touches no file. */
  isForeignPath(path: string): Promise<boolean>;
  /** The text that is on the clipboard now; empty if there is none. */
  clipboard(): Promise<string>;
  /** Keys that this host currently holds down for its callers, for combinations over several calls. */
  heldKeys(): readonly string[];
  /** Whether a stored secret belongs to this application and the page of its field. Errors: not_found, blocked_by_policy. */
  assertSecret(ref: string, place: { readonly app: AppIdentity | null; readonly context: ElementContext | null }): void;
  /** Shows a card and waits. Errors: approval_denied, approval_expired, cancelled. */
  ask(card: CardDraft, signal: AbortSignal): Promise<Answer>;
  /** Voids the card of an approval that was given but no longer applies. */
  voidApproval(approvalId: string, reason: string): Promise<void>;
  /** Keyed hash of typed text for the audit; null for a secret. */
  hashText(text: string): string | null;
  /** Writes to the audit. Errors: audit_unavailable. */
  record(step: GateRecord): Promise<void>;
}

/** A card before the host adds id, times and picture. */
export type CardDraft = Omit<
  ApprovalCard,
  | 'approvalId'
  | 'owner'
  | 'agent'
  | 'status'
  | 'pictureUrl'
  | 'pictureOutline'
  | 'createdAt'
  | 'expiresAt'
  | 'decidedBy'
> & {
  /** Milliseconds until no answer means no. */
  readonly timeoutMs: number;
  /** The target's rectangle in screen pixels, outlined in the picture. */
  readonly outline: Rect | null;
  /** The page it concerns, if known. The card itself shows the window. */
  readonly address?: string | null;
  /** What is recorded instead if a card contains typed text, or an agent's words that repeat it. */
  readonly kept?: Partial<Pick<ApprovalCard, 'proposerReason' | 'covers' | 'cells'>> & { readonly arguments: unknown };
  /** Names of the items that would be chosen: content, which the record of the card does not repeat. */
  readonly chosen?: readonly string[];
  /** True: the host itself asks, not an agent. */
  readonly byHost?: boolean;
};

export interface Answer {
  readonly decision: 'approve' | 'deny';
  readonly scope: ApprovalScope;
  /** For scope window. */
  readonly minutes: number | null;
  readonly decidedBy: string;
  readonly approvalId: string;
}

/** Names of the steps in their order (docs/behaviour.md#the-gate). */
export const GATE_STEPS = [
  'live',
  'schema',
  'limits',
  'level',
  'grant',
  'binding',
  'observation',
  'target',
  'risk',
  'keys',
  'decision',
  'recheck',
] as const;
export type GateStepName = (typeof GATE_STEPS)[number];

/** One outcome of the gate for the audit. Typed text appears only as length and keyed hash. */
export interface GateRecord {
  readonly actionId: string;
  readonly action: string;
  readonly sessionId: string;
  readonly tokenId: string;
  /** 0–11, numbered as in the order. */
  readonly step: number;
  readonly stepName: GateStepName;
  readonly outcome: 'execute' | 'refused' | 'asked' | 'approved' | 'denied' | 'void';
  readonly decision: DecisionResult | null;
  readonly code: ErrorCode | null;
  readonly reason: string;
  readonly why: readonly ApprovalReason[];
  readonly riskLevel: RiskLevel | null;
  readonly riskTags: readonly RiskTag[];
  readonly flags: readonly string[];
  /** The proposer's tags next to ours, and what only one side has; null without claims. */
  readonly claims: {
    readonly riskTags: readonly ProposalRiskTag[];
    readonly requiresApproval: boolean;
    readonly onlyProposed: readonly ProposalRiskTag[];
    readonly onlyFound: readonly RiskTag[];
  } | null;
  readonly app: { readonly bundleId: string; readonly displayName: string } | null;
  readonly window: { readonly hwnd: string; readonly pid: number } | null;
  readonly element: { readonly role: string; readonly name: string; readonly automationId: string } | null;
  /** Arguments with typed text masked. */
  readonly arguments: unknown;
  /** Names of the items that would be chosen: content, which the audit does not repeat. */
  readonly chosen: readonly string[];
  /** Length in code units and keyed hash; the hash is null for secrets and for text in a password field. */
  readonly content: { readonly length: number; readonly hmac: string | null } | null;
  readonly digest: string | null;
  readonly approvalId: string | null;
  readonly decidedBy: string | null;
  readonly scope: ApprovalScope | null;
}

/** What the runner needs for steps 12 to 14. */
export interface GatePassed {
  readonly decision: Decision;
  readonly context: ElementContext | null;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly permit: Permit;
  readonly digest: string;
  readonly approvalId: string | null;
  /** To be called once the call has succeeded: what it ended or replaced counts until then. */
  succeeded(): void;
}
