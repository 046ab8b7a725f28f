/** The interfaces of the repositories; the client offers the same methods across the thread boundary. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import type { ArtifactReference, ImageArtifact, StoredArtifact } from '../../contract/artifact.ts';
import type {
  ActionPatch,
  ActionRecord,
  ApprovalRecord,
  ApprovalResolution,
  EventPage,
  IdempotencyAnswer,
  IdempotencyRequest,
  NewAction,
  NewSession,
  SessionEnd,
  SessionPatch,
  SessionRecord,
  StreamEvent,
  TokenRecord,
} from '../records.ts';

/** The store's methods, as they run inside its thread. The client has the same ones, each answering a promise. */
export interface Repositories {
  readonly sessions: SessionRepository;
  readonly events: EventRepository;
  readonly approvals: ApprovalRepository;
  readonly actions: ActionRepository;
  readonly artifacts: ArtifactRepository;
  readonly idempotency: IdempotencyRepository;
  readonly tokens: TokenRepository;
  readonly meta: MetaRepository;
}

export interface SessionRepository {
  /** Errors: state_conflict when the id exists. */
  create(session: NewSession): SessionRecord;
  get(sessionId: string): SessionRecord | null;
  /** Newest first. */
  list(query: { tokenId?: string; limit?: number; cursor?: string | null }): {
    sessions: SessionRecord[];
    nextCursor: string | null;
  };
  /** Errors: session_not_found. An ended session does not change, apart from `evidence`. */
  update(sessionId: string, patch: SessionPatch): SessionRecord;
  /** Counts one action that changes something. `counted` is false, and nothing is counted, at the limit or after the end. Errors: session_not_found. */
  countAction(sessionId: string, lastUrl?: string | null): { counted: boolean; session: SessionRecord };
  /** Ends a running session; the first end remains (`ended` false for later ones). Errors: session_not_found. */
  end(sessionId: string, end: SessionEnd): { ended: boolean; session: SessionRecord };
}

export interface EventRepository {
  /** Assigns the stream's next sequence to the event. After session.ended: session_ended. */
  append(streamId: string, event: StreamEvent): { id: string; sequence: number };
  /** Events after the id `after` (null: from the start), oldest first, at most `limit` (default 500, at most 5,000). */
  read(query: { streamId: string; after: string | null; limit?: number }): EventPage;
}

export interface ApprovalRepository {
  /** Stores a new card. Errors: state_conflict when the id exists. */
  create(card: ApprovalCard, tokenId: string): ApprovalRecord;
  get(approvalId: string): ApprovalRecord | null;
  findByAction(actionId: string): ApprovalRecord[];
  /** Newest first; `nextCursor` is null at the end. */
  list(query: { status: 'pending' | 'all'; limit?: number; cursor?: string | null }): {
    approvals: ApprovalRecord[];
    nextCursor: string | null;
  };
  /** The first decision is final, but an approved one may become void; every status but approved counts as no. Returns what holds then. Errors: approval_not_found. */
  resolve(approvalId: string, resolution: ApprovalResolution): ApprovalRecord;
}

export interface ActionRepository {
  /** Errors: state_conflict when the id exists. */
  create(action: NewAction): void;
  get(actionId: string): ActionRecord | null;
  /** A finished action does not change again (`changed` false). Errors: action_not_found. */
  update(actionId: string, patch: ActionPatch): { changed: boolean };
}

export interface ArtifactRepository {
  /** Records a picture and one reference to it; the same reference twice counts once. */
  add(artifact: ImageArtifact, reference: ArtifactReference, storedAt: string): { references: number };
  /** Drops one reference. At zero the record goes too, and the caller deletes the file. */
  release(reference: ArtifactReference): { references: number };
  get(contentHash: string): StoredArtifact | null;
  /** Drops all references of a session; at zero the record goes too. */
  releaseSession(contentHash: string, sessionId: string): { references: number };
  /** Bytes of all pictures, and of the pictures that the session refers to. */
  usage(sessionId: string | null): { totalBytes: number; sessionBytes: number };
  /** Oldest first, stored before `before` (null: whenever), of one session (null: of all). */
  oldest(query: { before: string | null; ofSession: string | null; limit: number }): StoredArtifact[];
  /** Drops the record with all its references. */
  remove(contentHash: string): boolean;
  hashes(): string[];
}

export interface IdempotencyRepository {
  begin(request: IdempotencyRequest): IdempotencyAnswer;
  /** Keeps the first answer. */
  finish(tokenId: string, key: string, response: unknown): void;
  /** Forgets a request that was not run, so that it can be sent again. */
  abandon(tokenId: string, key: string): void;
}

export interface TokenRepository {
  /** Takes the place of tokens with its id or name that have ended. Errors: state_conflict when id, name or hash exists. */
  add(token: TokenRecord): TokenRecord;
  list(): TokenRecord[];
  /** The first revocation's time remains. Errors: not_found. */
  revoke(tokenId: string, at: string): TokenRecord;
}

export interface MetaRepository {
  get(key: string): string | null;
  set(key: string, value: string | null): void;
}
