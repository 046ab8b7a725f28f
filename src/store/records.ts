/** What the store keeps, as plain data. */
import type { ActionDelivery, ActionStatus, SessionEndStatus, SessionStatus } from '../contract/gate/session-status.ts';
import type { ApprovalCard, ApprovalScope, ApprovalStatus } from '../contract/gate/approval.ts';
import type { Problem } from '../contract/errors.ts';
import type { Level } from '../contract/gate/permissions.ts';
import type { TokenView } from '../contract/gate/views.ts';

/** What the store keeps, as plain data. Every time is ISO 8601 in UTC with milliseconds, so that text order is time order. */

export interface SessionRecord {
  readonly sessionId: string;
  /** The token that started it. */
  readonly tokenId: string;
  readonly goal: string;
  readonly urls: readonly string[];
  readonly hints: Readonly<Record<string, unknown>>;
  readonly status: SessionStatus;
  readonly summary: string;
  readonly lastUrl: string | null;
  readonly actionsExecuted: number;
  readonly maxActions: number;
  readonly maxDurationMs: number;
  /** Consecutive denials. */
  readonly denialsInRow: number;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly error: string | null;
}

export type NewSession = Pick<
  SessionRecord,
  'sessionId' | 'tokenId' | 'goal' | 'urls' | 'hints' | 'maxActions' | 'maxDurationMs' | 'startedAt'
>;

export type SessionPatch = Partial<Pick<SessionRecord, 'summary' | 'lastUrl' | 'denialsInRow' | 'evidence'>>;

export interface SessionEnd {
  readonly status: SessionEndStatus;
  readonly summary: string;
  readonly endedAt: string;
  readonly error?: string | null;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** Any event that can be stored: a stream event of the protocol, or one of tool.start, tool.progress, tool.end and the host's own. */
export interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface StoredEvent {
  /** `<streamId>:<sequence>`; the stream of a session bears the session's id. */
  readonly id: string;
  readonly sequence: number;
  readonly event: StreamEvent;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** True when something between `after` and the first event here can no longer be read, or `after` is not an id of this stream. */
  readonly hasGap: boolean;
  /** True when more events follow the last one here. */
  readonly hasMore: boolean;
  readonly lastSequence: number;
  /** True when the stream has ended: no event can follow its last one. */
  readonly isClosed?: boolean;
}

export interface ApprovalRecord {
  readonly card: ApprovalCard;
  readonly tokenId: string;
  /** The scope a person chose; null until then. */
  readonly scope: ApprovalScope | null;
  readonly decidedAt: string | null;
}

export interface ApprovalResolution {
  readonly status: Exclude<ApprovalStatus, 'pending'>;
  readonly decidedBy: string | null;
  readonly decidedAt: string;
  readonly scope?: ApprovalScope | null;
}

export interface ActionRecord {
  readonly actionId: string;
  readonly tokenId: string;
  readonly sessionId: string;
  /** The action's kebab-case name. */
  readonly action: string;
  readonly status: ActionStatus;
  readonly delivery: ActionDelivery;
  readonly approvalId: string | null;
  /** The whole answer of a succeeded action. */
  readonly result: unknown;
  readonly error: Problem | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type NewAction = Pick<ActionRecord, 'actionId' | 'tokenId' | 'sessionId' | 'action' | 'createdAt'> & {
  readonly status: 'pending' | 'running';
  readonly approvalId?: string | null;
};

export interface ActionPatch {
  readonly status: ActionStatus;
  /** Absent: unchanged. An action that has ended is `done`. */
  readonly delivery?: 'delivering';
  readonly updatedAt: string;
  readonly approvalId?: string | null;
  readonly result?: unknown;
  readonly error?: Problem | null;
}

export interface IdempotencyRequest {
  readonly tokenId: string;
  readonly key: string;
  /** Hash over route and body. */
  readonly bodyHash: string;
  readonly actionId: string;
  readonly at: string;
}

/**
 * `new`: run it and call `finish`. `replay`: answer this. `running`: the same request is running as `actionId`.
 * `interrupted`: it was running when a host of an earlier version died. `mismatch`: the key was used before with a different body.
 */
export type IdempotencyAnswer =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly actionId: string; readonly response: unknown }
  | { readonly kind: 'running' | 'interrupted'; readonly actionId: string }
  | { readonly kind: 'mismatch' };

export interface TokenRecord extends Omit<TokenView, 'limits' | 'from'> {
  /** SHA-256 of the token in lower-case hex. The token itself is never stored. */
  readonly hash: string;
  readonly limits: { readonly apps: string[] | null; readonly level: Level | null };
}

/** What a killed host left open, and what was done about it. The host writes it into the audit. */
export interface Recovery {
  readonly failedSessions: readonly string[];
  readonly cancelledApprovals: readonly string[];
  readonly failedActions: readonly string[];
  readonly interruptedRequests: number;
}

/** How long things are kept, in milliseconds back from `now`. */
export interface RetentionPolicy {
  readonly now: string;
  /** Ended sessions with their events and approvals. */
  readonly sessionDays?: number;
  /** Number of newest events kept of a stream that is not a session's. */
  readonly eventsPerStream?: number;
}
