/**
 * How far the log reaches, noted outside its folder, so that deleting, truncating or restarting it is noticed: an anchor in the
 * database, and reports to a witness outside the data directory.
 */
import { isSameHex } from './chain.ts';
import type { AuditLog, AuditReceipt } from './entry.ts';
import type { ChainJudge, Fault } from './chain-judge.ts';

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

/** At least this often, so that what was rewritten and not yet told is little: an hour, or some hundred actions. */
const EVERY_RECORDS = 1000;
const EVERY_MS = 3_600_000;
/** What an ending host waits for the last report. */
const LAST_MS = 2000;

/** `failed`: the last report was refused, or nothing was kept. */
export type WitnessState = 'waiting' | 'kept' | 'failed';

export interface WitnessOptions {
  /** Names the audit in the report. */
  readonly directory: string;
  /** True where it was kept. It may reject. */
  report(text: string): Promise<boolean>;
}

/**
 * The same log, which reports its first record, then regularly by number and each hour, and the last one. A failed
 * report harms nothing.
 */
export function witnessed(
  log: AuditLog,
  { directory, report }: WitnessOptions,
): { readonly log: AuditLog; state(): WitnessState } {
  let state: WitnessState = 'waiting';
  let head: AuditReceipt | null = null;
  let reportedSeq: number | null = null;
  let underWay: Promise<void> | null = null;

  const send = async ({ seq, hash }: AuditReceipt): Promise<void> => {
    reportedSeq = seq;
    const isKept = await report(`uiahost audit in ${directory}: record ${seq} has the hash ${hash}.`).catch(
      () => false,
    );
    state = isKept ? 'kept' : 'failed';
  };
  const tell = (): Promise<void> => {
    if (underWay !== null) return underWay;
    if (head === null || head.seq === reportedSeq) return Promise.resolve();
    underWay = send(head).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const hourly = setInterval(() => {
    void tell();
  }, EVERY_MS);
  hourly.unref();

  return {
    state: () => state,
    log: {
      ...log,
      async append(entry) {
        const receipt = await log.append(entry);
        if (head === null || receipt.seq > head.seq) head = receipt;
        if (reportedSeq === null || head.seq - reportedSeq >= EVERY_RECORDS) void tell();
        return receipt;
      },
      async close() {
        clearInterval(hourly);
        await log.close();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, LAST_MS);
        });
        // Twice: a report in progress does not know the last record.
        await Promise.race([tell().then(tell), late]);
        clearTimeout(timer);
      },
    },
  };
}
