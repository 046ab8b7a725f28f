/** Anchors record how far the log reaches, outside its folder, so that deleting, truncating or restarting the log is noticed. */
import type { AuditReceipt } from './entry.ts';
import type { ChainJudge, Fault } from './judge.ts';
import { isSameHex } from './chain.ts';

export interface Anchor extends AuditReceipt {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  readonly at: string;
}

/** The database keeps the anchor under this key. It is written after the record is on disk, so it is never ahead of the log. */
export const ANCHOR_KEY = 'audit-anchor';

/** Where the newest record on disk is noted outside the log's folder: the host's database. */
export interface AnchorKeeper {
  kept(): Anchor | null;
  /** False if it could not be written. */
  keep(anchor: Anchor): boolean;
}

/** Null for anything that is not an anchor. */
export function parseAnchor(text: string | null): Anchor | null {
  if (text === null) return null;
  try {
    const { seq, hash, keyId, at } = JSON.parse(text) as Partial<Record<keyof Anchor, unknown>>;
    if (!Number.isSafeInteger(seq) || Number(seq) < 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
      return null;
    return { seq: Number(seq), hash, keyId: String(keyId), at: String(at) };
  } catch {
    return null;
  }
}

/** What an anchor shows about a log that ends in `head`; `hashAt` is the hash of the record with the anchor's number. */
export function anchorFault(anchor: Anchor, head: AuditReceipt, hashAt: string | null): Fault | null {
  if (head.seq < anchor.seq) return { seq: head.seq + 1, reason: 'truncated' };
  return hashAt !== null && isSameHex(hashAt, anchor.hash) ? null : { seq: anchor.seq, reason: 'hash' };
}

/** The same for a chain judged to its end, by a judge that remembered the anchor's record. */
export const anchorFaultOf = (anchor: Anchor | null, judge: ChainJudge): Fault | null =>
  anchor === null ? null : anchorFault(anchor, judge.head, judge.remembered);
