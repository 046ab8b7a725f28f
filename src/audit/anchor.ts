/** Anchors: notes of how far the log reaches, kept outside of its folder, so that a log that was deleted, cut or begun again is noticed. */
import type { AuditReceipt } from './entry.ts';
import type { ChainJudge, Fault } from './judge.ts';
import { isSameHex } from './chain.ts';

export interface Anchor extends AuditReceipt {
  /** Tells keys apart and gives none away. */
  readonly keyId: string;
  readonly at: string;
}

/** Under this key the database keeps the anchor. It is written after the record is on disk, so it is never ahead of the log. */
export const ANCHOR_KEY = 'audit-anchor';

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

/** What an anchor says of a log that ends in `head`; `hashAt` is the hash of its record of the anchor's number. */
export function anchorFault(anchor: Anchor, head: AuditReceipt, hashAt: string | null): Fault | null {
  if (head.seq < anchor.seq) return { seq: head.seq + 1, reason: 'truncated' };
  return hashAt !== null && isSameHex(hashAt, anchor.hash) ? null : { seq: anchor.seq, reason: 'hash' };
}

/** The same of a chain that was judged to its end; the judge was made to remember the anchor's record. */
export const anchorFaultOf = (anchor: Anchor | null, judge: ChainJudge): Fault | null =>
  anchor === null ? null : anchorFault(anchor, judge.head, judge.remembered);
