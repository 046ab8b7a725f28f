/** The shape of an audit entry, as callers give it and as the log keeps it. */
import type { ErrorCode } from '../contract/errors.ts';
import type { DecisionResult } from '../contract/outcome.ts';
import type { RiskLevel } from '../contract/gate/permissions.ts';

/** What an audit entry is about. */
type AuditKind =
  | 'host'
  | 'request'
  | 'decision'
  | 'delivery'
  | 'outcome'
  | 'approval'
  | 'session'
  | 'policy'
  | 'grant'
  | 'token'
  | 'secret'
  | 'stop'
  | 'artifact'
  | 'audit';

/** All that the audit records of typed text. Length in UTF-16 units; a keyed hash of the UTF-8 bytes, null for secrets. */
export interface TextDigest {
  readonly length: number;
  readonly hmac: string | null;
}

/** Written by older hosts: a hash without a key. */
interface PlainTextDigest {
  readonly length: number;
  readonly sha256: string;
}

/** One thing to record. Absent fields are recorded as null. */
export interface AuditEntryInput {
  readonly kind: AuditKind;
  readonly actor: { readonly tokenId: string | null; readonly surface: string };
  readonly sessionId?: string | null;
  readonly actionId?: string | null;
  /** The action's name, or what happened: `session.started`, `token.revoked`. */
  readonly action?: string | null;
  readonly decision?: DecisionResult | 'approved' | 'denied' | 'refused' | null;
  readonly riskLevel?: RiskLevel | null;
  readonly riskTags?: readonly string[];
  /** Reasons in the order they were found. */
  readonly why?: readonly string[];
  readonly outcome?: Readonly<Record<string, unknown>> | null;
  readonly errorCode?: ErrorCode | null;
  readonly text?: TextDigest | null;
  /** The input as returned by a `Redactor`. */
  readonly input?: unknown;
  /** Digest that an approval was bound to. */
  readonly digest?: string | null;
  /** Content hashes of pictures. */
  readonly artifacts?: readonly string[];
  /** Further facts for one kind. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One record as the log holds it. */
export interface AuditEntry extends Required<Omit<AuditEntryInput, 'decision' | 'text'>> {
  /** 1, 2, 3 … without gaps across all files. */
  readonly seq: number;
  /** First sequence number of the flush that this record was written with. */
  readonly flush: number;
  readonly time: string;
  readonly decision: string | null;
  readonly text: TextDigest | PlainTextDigest | null;
  /** Segment of the key that sealed it; absent in records of older hosts, which are segment 0. */
  readonly segment?: number;
  /** `mac` of the record before; absent in segment 0. */
  readonly previousMac?: string;
  /** Hash of the record before; 64 zeros for the first. */
  readonly previous: string;
  /** SHA-256 of this record's JSON without `hash` and `mac`. */
  readonly hash: string;
  /** HMAC-SHA-256 over `hash` with the key of its segment, its first 128 bits. */
  readonly mac: string;
}

export interface AuditReceipt {
  readonly seq: number;
  readonly hash: string;
}

export type AuditFault = 'hash' | 'gap' | 'order' | 'truncated' | 'key';

export interface AuditVerification {
  readonly ok: boolean;
  /** Records that verified before the first bad one. */
  readonly records: number;
  /** The last record that verified; null in an empty log. */
  readonly head: AuditReceipt | null;
  readonly firstBad: { readonly seq: number; readonly reason: AuditFault } | null;
  /** Valid records of one flush that the checkpoint does not cover yet: the host was killed at that point, or is writing. */
  readonly ahead: number;
  /** Bytes of a record that was being written when the host was killed. It was never acknowledged. */
  readonly tornBytes: number;
  /** The first record whose seal was checked: earlier keys are gone, so only the hash chain covers the records before it. Null if none was. */
  readonly sealsCheckedFrom: number | null;
  /** The first record that is there: 1, or where the log was cut when its records had become too old. */
  readonly completeFrom: number;
}

export interface AuditPage {
  readonly entries: AuditEntry[];
  /** Pass it as `after` for the next page; null if there are no more entries yet. */
  readonly next: number | null;
}

export interface AuditOpenReport {
  readonly head: AuditReceipt | null;
  /** Valid records of one flush that the checkpoint did not cover yet; they were kept. */
  readonly ahead: number;
  /** Bytes of an unfinished record that were cut off. */
  readonly tornBytes: number;
  /** The damage found. It has been recorded in the log as `audit.damaged`, and `verify` keeps reporting it. */
  readonly damage: { readonly seq: number; readonly reason: AuditFault } | null;
}

export interface AuditLog {
  /** Opens the log for writing; `append` does so itself. Only the one running host may. Errors: audit_unavailable. */
  open(): Promise<AuditOpenReport>;
  /** Resolves when the record and its checkpoint are on disk. Errors: audit_unavailable. */
  append(entry: AuditEntryInput): Promise<AuditReceipt>;
  /** Entries with seq greater than `after` (default 0), oldest first, at most `limit` (default 100, at most 1,000). */
  read(query?: { after?: number; limit?: number }): Promise<AuditPage>;
  /** Reads and verifies the whole log, with or without a running host. */
  verify(): Promise<AuditVerification>;
  /** Deletes whole files older than this number of days, each after a record of it. Answers how many. Errors: audit_unavailable. */
  cut(days: number): Promise<number>;
  /** Marks a clean shutdown in the checkpoint and closes the files. */
  close(): Promise<void>;
}
