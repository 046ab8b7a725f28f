/**
 * What the gate must know about one call, computed from the same input that runs, and what a caller proposes or claims
 * (the given function tool request_ui_action).
 */
import type { ElementQuery, WantedItem, ElementPurpose } from '../element/element.ts';
import type { Point, Space, WindowPlace } from '../element/geometry.ts';
import { type Effect, type Flag, type Tier, ProposalRiskTag, RiskLevel, RiskTag } from './permissions.ts';
import type { CellsAim } from '../cells/sheet.ts';
import { z } from 'zod';
import { DecisionResult } from '../outcome.ts';
import { plain } from './input-content.ts';

/** What one call of an action is aimed at, as its definition reads it from the parsed input. */
export type ActionTarget =
  | { readonly kind: 'none' }
  /** The bound window as a whole. */
  | { readonly kind: 'window' }
  /**
   * Whatever has the keyboard focus in the bound window, or in the foreground when nothing is bound. `takesText`: it
   * must be a single field. `staysInField`: a text field keeps all that is typed: characters, and no Enter or Tab.
   */
  | { readonly kind: 'focus'; readonly takesText?: boolean; readonly staysInField?: boolean }
  /** `item`: what is chosen inside the element. `isOnlyRead`: nothing is done to it, so what surrounds it is not judged. */
  | {
      readonly kind: 'element';
      readonly isOnlyRead?: boolean;
      readonly query: ElementQuery;
      readonly purpose: ElementPurpose;
      readonly item?: WantedItem | undefined;
    }
  /** `scroll`: turns the wheel there and presses nothing. */
  | {
      readonly kind: 'point';
      readonly at: Point;
      readonly space: Space;
      readonly observationId: string | undefined;
      readonly purpose?: 'press' | 'scroll';
    }
  /** Where the pointer is: the virtual one of the bound window, or, for real input, the cursor. */
  | { readonly kind: 'pointer'; readonly isReal: boolean }
  /** Applications by the names that the caller gave. */
  | { readonly kind: 'apps'; readonly names: readonly string[] };

/**
 * What the gate must know about one call: declared by the action's definition, computed from the same parsed input that
 * runs.
 */
export interface ActionTraits {
  readonly effect: Effect;
  /**
   * Which of the method's sub-actions: `close` of manageWindow, `combo` of virtualKeyboard; null if it has only one.
   */
  readonly variant: string | null;
  readonly target: ActionTarget;
  /** Where a drag starts: judged separately, like the target; null for everything else. */
  readonly from: ActionTarget | null;
  /**
   * Files and folders that the call names: those on another machine or a device are not accessed before a person
   * approves.
   */
  readonly paths: readonly string[];
  /**
   * `required`: refused with not_bound. `preferred`: acts on the bound window, else on the desktop where its flags are granted
   * already; a person is not asked for what the caller may not have meant. `optional`: acts on the bound window, else on the
   * desktop. `none`: has nothing to do with a window.
   */
  readonly binding: 'required' | 'preferred' | 'optional' | 'none';
  /** The tier that the target's application must be granted. */
  readonly tier: Tier;
  readonly flags: readonly Flag[];
  /** Key chords as typed by the caller; the gate canonicalises and checks them. */
  readonly chords: readonly string[];
  /** Text that will be typed or written, for the content check; never stored or logged. */
  readonly content: string | null;
  /** How often chords or text are sent. */
  readonly repeat: number;
  /** The text replaces the field's content. */
  readonly replacesText: boolean;
  /** True if the action uses coordinates instead of elements. */
  readonly isCoordinate: boolean;
  /** Pointer movement without a button: medium risk. */
  readonly isPointerMoveOnly: boolean;
  /** Tags that the kind of action carries by itself: prompts, customCommand. */
  readonly tags: readonly RiskTag[];
  /** If real input to the foreground is requested. */
  readonly isForeground: boolean;
  /** Counts against a session's maxActions. */
  readonly changesSomething: boolean;
  /** Application identities that the caller limits the call to; null = no limit. */
  readonly allowedBundleIds: readonly string[] | null;
  /** The cells that the call is aimed at; null where it is aimed at none. */
  readonly cells: CellsAim | null;
  /** Where a window is moved to; null for everything else. */
  readonly place: WindowPlace | null;
  /** The terminal and the program that the call starts, in addition to its target; null for everything else. */
  readonly starts: TerminalLaunch | null;
  /**
   * For a call that concerns no application by itself, which ones it reports on or changes: `any`, which a token
   * limited to some applications may not use; `permitted`, whose run omits applications that the caller may not see;
   * `none`.
   */
  readonly reaches: 'any' | 'permitted' | 'none';
  /** For a call that only observes: its answer may hold text of a document, mail, page or console, or a picture of it. */
  readonly reads: boolean;
}

/** What a terminal is opened with, as the caller gave it. */
export interface TerminalLaunch {
  readonly agent: 'claude' | 'codex' | 'gemini' | 'custom';
  readonly command?: string | undefined;
  readonly terminal?: 'wt' | 'powershell' | 'cmd' | undefined;
  readonly workingDirectory?: string | undefined;
}

/** Traits of an action that only reads and has no target. */
export const LOOKING: ActionTraits = {
  effect: 'observe',
  variant: null,
  target: { kind: 'none' },
  from: null,
  paths: [],
  binding: 'none',
  tier: 'read',
  flags: [],
  chords: [],
  content: null,
  repeat: 1,
  replacesText: false,
  isCoordinate: false,
  isPointerMoveOnly: false,
  tags: [],
  isForeground: false,
  changesSomething: false,
  allowedBundleIds: null,
  cells: null,
  place: null,
  starts: null,
  reaches: 'any',
  reads: true,
};

/** Traits of a read whose answer omits what the caller may not see. */
export const LOOKING_AT_PERMITTED: ActionTraits = { ...LOOKING, reaches: 'permitted', reads: false };

/** Traits of an action that has nothing to do with any application. */
export const TOUCHING_NONE: ActionTraits = { ...LOOKING, reaches: 'none', reads: false };

/** Name of the given function tool. It executes nothing itself: whatever it leads to is a separate action. */
export const REQUEST_UI_ACTION = 'request_ui_action';

/** Parameters of the given function tool, word for word (schemas/seeds/request-ui-action.tool.json; a test compares). */
export const UiActionProposal = z.strictObject({
  action_type: z.enum(['click', 'type', 'keypress', 'scroll', 'wait']).describe('The UI operation the model proposes.'),
  target: z.strictObject({
    role: z
      .enum(['button', 'link', 'textbox', 'status', 'coordinate'])
      .describe('Accessible role, or coordinate only when the harness explicitly allows coordinate actions.'),
    name: plain(z.string().describe('Accessible name or empty string when the action is wait.')),
    test_id: plain(z.string().describe('Stable data-testid when available; empty string when unavailable.')),
  }),
  text: z.string().describe('Text to type for type actions; empty string otherwise.'),
  reason: plain(z.string().describe('Short operational reason for the proposed action.')),
  risk_tags: z
    .array(ProposalRiskTag)
    .describe('Risk tags inferred by the model; the policy gate recomputes these from the UI state before execution.'),
  requires_approval: z
    .boolean()
    .describe(
      'Whether the model believes the action needs human approval. This is advisory; the policy gate is authoritative.',
    ),
});
export type UiActionProposal = z.infer<typeof UiActionProposal>;

/** What the gate answers to a proposal. */
export const ProposalAnswer = z.strictObject({
  decision: DecisionResult,
  riskLevel: RiskLevel,
  riskTags: z.array(RiskTag),
  proposedRiskTags: z.array(ProposalRiskTag),
  flags: z.array(z.string()),
  reason: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  approvalId: z.string().nullable(),
  actionId: z.string().nullable(),
  result: z.unknown(),
});
export type ProposalAnswer = z.infer<typeof ProposalAnswer>;

/** What a caller claims about its own action; it can only raise what the gate finds. */
export interface ProposerClaims {
  riskTags: ProposalRiskTag[];
  requiresApproval: boolean;
  reason: string | null;
}
