/** Everything that an edge may use of the host. */
import type { z } from 'zod';
import type { ApprovalCard, ApprovalDecision, AskPause } from '../../contract/gate/approval.ts';
import type { SpoolContext } from '../../artifacts/spool.ts';
import type { DocumentArtifact, ImageArtifact, ToolContent, WholeOutput } from '../../contract/artifact.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import type { ProposerClaims } from '../../contract/gate/traits.ts';
import type { Effect, Policy } from '../../contract/gate/permissions.ts';
import type { PolicyFlaws, PolicySetting } from '../../contract/gate/policy-sources.ts';
import type { SecretView } from '../../contract/gate/secret.ts';
import type {
  ComputerUseControlRequest,
  ComputerUseInput,
  ComputerUseStreamEvent,
  SessionView,
} from '../../contract/gate/session.ts';
import type {
  ActionRecord,
  AuditVerdict,
  HostStatus,
  NewToken,
  OpenSession,
  PolicyDifference,
  Scope,
  Stopped,
  TokenLimits,
  TokenView,
  ToolHints,
} from '../../contract/gate/views.ts';
import type { Caller } from './caller.ts';

/** One action as the edges see it: everything but the way to run it. */
export interface CatalogEntry {
  /** kebab-case. */
  readonly name: string;
  /** camelCase. */
  readonly method: string;
  /** snake_case. */
  readonly tool: string;
  readonly topic: string;
  readonly meaning: string;
  readonly effect: Effect;
  readonly cap: string;
  readonly needs: string;
  readonly hints: ToolHints;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** JSON Schema (draft 2020-12) of input and output. */
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
}

export interface Catalog {
  readonly entries: readonly CatalogEntry[];
  /** By any of its names; undefined if there is none. */
  find(name: string): CatalogEntry | undefined;
  /** Names similar to an unknown one. */
  near(name: string): string[];
}

export interface RunOptions {
  /** Same key and body → the first answer; another body → idempotency_mismatch. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the action and withdraws its card: for a closed connection or a cancelled call. */
  readonly signal?: AbortSignal | undefined;
  /** What a model's own safety system reports about the action; it can only raise what the gate finds. */
  readonly claims?: ProposerClaims | null;
}

/** An action under way. */
export interface ActionRun {
  readonly actionId: string;
  /** Rejects with UiaHostError. */
  readonly result: Promise<ActionResult>;
  /** Resolves with the approval's id as soon as a person is asked, with null if the action ended without asking. */
  readonly pending: Promise<string | null>;
  cancel(reason: string): void;
}

export interface Runner {
  /** The only way to an action, for every edge. Never throws synchronously. */
  run(caller: Caller, action: string, input: unknown, options?: RunOptions): ActionRun;
  /** Kept 24 hours; action_not_found for unknown ids and for other tokens' actions. */
  record(caller: Caller, actionId: string): Promise<ActionRecord>;
  cancel(caller: Caller, which: string): Promise<ActionRecord>;
}

/** Where cards are answered; the policy's approvals.surfaces lists the surfaces whose approvals count. */
export type SurfaceName = 'overlay' | 'api' | 'page' | 'approver';

export interface ApprovalService {
  list(options: {
    status: 'pending' | 'all';
    cursor?: string | undefined;
    limit?: number | undefined;
  }): Promise<{ approvals: ApprovalCard[]; nextCursor: string | null }>;
  get(approvalId: string): Promise<ApprovalCard>;
  /**
   * The first decision wins; repeating it is not an error; the opposite is approval_conflict. An approval from a
   * surface that the policy does not list is permission_denied; a denial is always accepted.
   */
  decide(
    approvalId: string,
    decision: ApprovalDecision,
    decidedBy: string,
    surface: SurfaceName,
  ): Promise<ApprovalCard>;
  /** Waits until the card is no longer pending or the time is over; returns the card as it then is. */
  settled(approvalId: string, timeoutMs: number, signal?: AbortSignal): Promise<ApprovalCard>;
  /** Denies every open card of an agent (TOKEN/SESSION, or TOKEN) and refuses its requests until that is lifted. */
  /** An agent's program has told its name: cards quote it. */
  noteClient(caller: Caller, name: string): void;
  denyAll(owner: string, decidedBy: string): Promise<{ pause: AskPause; denied: string[] }>;
  /** The agents whose requests are refused without asking. */
  pauses(): AskPause[];
}

export interface PolicyService {
  /** Absent in hosts whose policy has no files. */
  readonly flaws?: PolicyFlaws;
  /** Where each value in force comes from; absent in hosts whose policy has no files. */
  settings?(): PolicySetting[];
  get(): { policy: Policy; etag: string };
  /** What a merge patch would allow and forbid, in words, without making the change. Errors: invalid_argument. */
  compare(change: unknown): PolicyDifference;
  /**
   * `merge`: RFC 7396. Errors: state_conflict if `ifMatch` does not match; invalid_argument with the reason. Nothing is
   * changed then.
   */
  change(
    change: unknown,
    how: 'replace' | 'merge',
    ifMatch: string | undefined,
    by: string,
  ): Promise<{ policy: Policy; etag: string }>;
}

export interface TokenService {
  /** Constant time; null for an unknown, expired or revoked token. */
  authenticate(token: string): { tokenId: string; scope: Scope; limits: TokenLimits | null } | null;
  /** Aborted, with the error for what was under way, when the token is revoked or expires. */
  endOf(tokenId: string): AbortSignal;
  list(): Promise<TokenView[]>;
  /** The name of a token for people; its id if it has none. */
  nameOf(tokenId: string): string;
  /** The token itself is returned only this once. `by`: the id of the operator's token. */
  create(request: NewToken, by: string): Promise<TokenView & { token: string }>;
  /** Ends what entered under the token: answers when nothing of it is under way any longer. */
  revoke(tokenId: string, by: string): Promise<TokenView>;
}

/** What a page may do: what an operator may, or look. */
export type PageScope = 'operator' | 'viewer';

/** The page's one-time codes and sessions. */
export interface PageService {
  /** A code that opens the page once, within a minute, with the rights of this token. */
  code(tokenId: string, scope: PageScope): { code: string; expiresAt: string };
  /** Exchanges a code. Errors: unauthenticated for a code that is unknown, used or too old. */
  open(code: string): { cookie: string; key: string; scope: PageScope };
  /** Null unless both halves belong to one session that has not ended. */
  authenticate(cookie: string, key: string): { tokenId: string; scope: PageScope } | null;
  end(cookie: string, key: string): void;
  /** Counts a page that follows the events, until the returned function is called. */
  watch(cookie: string, key: string): () => void;
  /** Whether a page is open on which cards can be answered. */
  isOperatorWatching(): boolean;
}

/** Stored secrets, for the operator. An edge has no way to a secret's text. */
export interface SecretService {
  list(): Promise<SecretView[]>;
  /** Stores or replaces. Errors: invalid_argument for an application that is not named whole, and for a browser without an origin. */
  set(
    name: string,
    entry: { app: string; origin?: string | undefined; secret: string },
    by: string,
  ): Promise<SecretView>;
  /** Errors: not_found. */
  remove(name: string, by: string): Promise<SecretView>;
}

/** Numbered event of a stream. */
export interface StreamItem<T> {
  readonly sequence: number;
  readonly event: T;
  /** It happened before the reader connected. */
  readonly isPast?: boolean;
}

export interface HostEvent {
  readonly type: string;
  readonly time: string;
  readonly [key: string]: unknown;
}

export interface SessionPage {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface SessionService {
  start(caller: Caller, input: ComputerUseInput, idempotencyKey?: string): Promise<{ computerUseSessionId: string }>;
  /** Newest first, in pages. */
  list(caller: Caller, page?: SessionPage): Promise<{ sessions: SessionView[]; nextCursor: string | null }>;
  get(caller: Caller, id: string): Promise<SessionView>;
  control(caller: Caller, id: string, request: ComputerUseControlRequest): Promise<{ status: string }>;
  propose(caller: Caller, id: string, proposal: unknown, options?: RunOptions): Promise<unknown>;
  complete(caller: Caller, id: string, summary: string): Promise<SessionView>;
  /** Events after `afterSequence` from the store, then live ones. A gap is reported by an `error` event with code EVENTS_LOST. Ends after session.ended. */
  stream(
    caller: Caller,
    id: string,
    afterSequence: number | null,
    signal: AbortSignal,
  ): AsyncIterable<StreamItem<ComputerUseStreamEvent>>;
  /** Whether nothing can follow `afterSequence`: the session has ended, and that was its last event. */
  isReadToEnd(caller: Caller, id: string, afterSequence: number): Promise<boolean>;
}

export interface Readiness {
  readonly ready: boolean;
  /** Codes of findings that block, `stopped`, `disabled`, `worker_…`. */
  readonly reasons: readonly string[];
}

/** A tool that an agent CLI wants to use on its own machine, such as its shell. `input` comes from the CLI. */
export interface PermissionRequest {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly toolUseId: string | null;
}

export type PermissionAnswer = { readonly behavior: 'allow' } | { readonly behavior: 'deny'; readonly message: string };

/** Everything that an edge may use. The runner is the only way from here to an action's `run`. */
export interface Host {
  readonly version: string;
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly approvals: ApprovalService;
  readonly policy: PolicyService;
  readonly tokens: TokenService;
  readonly secrets: SecretService;
  readonly pages: PageService;
  readonly sessions: SessionService;
  /** Never waits long for native work; facts that it could not get are omitted. */
  status(caller: Caller): Promise<HostStatus>;
  /** Every session of every client that is open now. */
  openSessions(withQuiet?: boolean): Promise<OpenSession[]>;
  /** A paused agent (TOKEN/SESSION, or TOKEN) gets user_active for each further action until a person ends the pause. */
  pause(owner: string, isPaused: boolean, by: string): Promise<void>;
  /** Whether an action could run now; the codes of what prevents it. Asked at most once a second. */
  readiness(): Promise<Readiness>;
  /** In Prometheus' text format. Errors: unsupported where nothing is measured. */
  metrics(): Promise<string>;
  /**
   * Asks a person, on the same surfaces as every card, whether an agent CLI may use one of its own tools. A denial, the
   * deadline, a missing surface, the emergency stop and an aborted signal are all `deny`; an abort withdraws the card.
   */
  askPermission(caller: Caller, request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  /**
   * Lets an agent ask again; if the operator’s token cannot decide cards, after a person’s approval. Errors: not_found,
   * approval_denied, approval_expired.
   */
  liftPause(owner: string, by: string): Promise<void>;
  stop(by: string): Promise<Stopped>;
  resume(by: string): Promise<{ stopped: false }>;
  artifact(sha256: string): Promise<ImageArtifact | DocumentArtifact>;
  /** Truncates a tool's output that is too large and keeps the full output in the spool. Never fails. */
  spoolOutput(content: readonly ToolContent[], context: SpoolContext): Promise<ToolContent[]>;
  /** The full text of a truncated output. Errors: artifact_not_found for an unknown id and for another token's. */
  spooled(caller: Caller, spoolId: string): Promise<WholeOutput>;
  artifactContent(sha256: string): Promise<{ bytes: Uint8Array; mimeType: string }>;
  auditEntries(after: number, limit: number): Promise<{ entries: unknown[]; next: number | null }>;
  auditVerify(): Promise<AuditVerdict>;
  /** Everything that happens, from `after` on if the buffer reaches back that far; below 0, with that many of the latest. */
  events(after: number | null, signal: AbortSignal): AsyncIterable<StreamItem<HostEvent>>;
  /** For requests that were refused before any action was known (no token, foreign Host …): they are audited too. */
  recordRefusal(refusal: { code: string; surface: string; route: string; tokenId: string | null }): void;
}
