/** Verifies a log record by record: finds the first that does not fit the chain, and why. */
import { GENESIS_END, isSameHex, parseLine, recordMac, type ChainEnd, type ParsedLine } from './chain.ts';
import type { AuditFault, AuditReceipt } from './entry.ts';
import { keyReached, type SegmentKey } from './key.ts';
import { attempt } from '../contract/attempt.ts';

/** The action of the record that the log itself writes about damage. Reserved for the log. */
export const DAMAGE_ACTION = 'audit.damaged';

/** The action of the record that the log itself writes before it deletes its oldest file. Reserved for the log. */
export const CUT_ACTION = 'audit.cut';

export interface Fault {
  readonly seq: number;
  readonly reason: AuditFault;
}

/** Follows the chain record by record. It reports why the first bad record does not fit, and checks nothing after it. */
export class ChainJudge {
  #sealing: SegmentKey | null;
  #head: ChainEnd;
  #flush: number;
  /** The last record of the flush before the current one. */
  #beforeFlush: AuditReceipt;
  #records = 0;
  #sealsCheckedFrom: number | null = null;
  #damage: Fault | null = null;
  readonly #start: ChainEnd;
  /** A record of the log says that it was cut where this chain begins. */
  #isStartKnown: boolean;
  readonly #rememberSeq: number | null;
  #remembered: string | null = null;

  /**
   * `start`: the record after which to begin; `key`: the earliest one present (its segment and later ones are checked), or null,
   * which omits the checks that need a key; the hash of record `rememberSeq` is kept.
   */
  constructor(key: SegmentKey | null, start: ChainEnd = GENESIS_END, rememberSeq: number | null = null) {
    this.#rememberSeq = rememberSeq;
    this.#sealing = key;
    this.#start = start;
    this.#isStartKnown = start.seq === 0;
    this.#head = start;
    this.#flush = start.seq;
    this.#beforeFlush = start;
  }

  /** Takes the next line; null when it fits. */
  take(line: Uint8Array): Fault | null {
    const seq = this.nextSeq;
    const parsed = parseLine(line);
    if (parsed === null || !parsed.isIntact) return { seq, reason: 'hash' };
    if (parsed.seq > seq) return { seq, reason: 'gap' };
    if (parsed.seq < seq) return { seq, reason: 'order' };
    if (parsed.previous !== this.#head.hash) return { seq, reason: 'hash' };
    if (parsed.segment < this.#head.segment) return { seq, reason: 'order' };
    if (parsed.previousMac !== null && parsed.previousMac !== this.#head.mac) return { seq, reason: 'hash' };
    if (!this.#isSealed(parsed)) return { seq, reason: 'key' };
    if (parsed.flush !== seq && parsed.flush !== this.#flush) return { seq, reason: 'order' };
    this.#accept(parsed, line);
    return null;
  }

  /** Also true if the record's segment is earlier than the first key present. */
  #isSealed({ seq, segment, hash, mac }: ParsedLine): boolean {
    if (this.#sealing === null || segment < this.#sealing.segment) return true;
    this.#sealing = keyReached(this.#sealing, segment, this.#head) ?? this.#sealing;
    if (segment !== this.#sealing.segment || !isSameHex(recordMac(this.#sealing.key, hash), mac)) return false;
    this.#sealsCheckedFrom ??= seq;
    return true;
  }

  #accept(parsed: ParsedLine, line: Uint8Array): void {
    if (parsed.flush === parsed.seq) this.#beforeFlush = this.#head;
    this.#flush = parsed.flush;
    this.#head = { seq: parsed.seq, hash: parsed.hash, mac: parsed.mac, segment: parsed.segment };
    this.#records += 1;
    if (parsed.seq === this.#rememberSeq) this.#remembered = parsed.hash;
    // The words may also occur inside a text, so only then is the whole record parsed.
    const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    if (this.#damage === null && bytes.includes(DAMAGE_ACTION)) this.#damage = damageOf(parsed);
    if (bytes.includes(CUT_ACTION)) this.#takeCut(parsed);
  }

  #takeCut(parsed: ParsedLine): void {
    const entry = attempt(() => parsed.entry(), null);
    if (entry?.action !== CUT_ACTION) return;
    const { last, hash, damage } = (entry.details ?? {}) as { last?: unknown; hash?: unknown; damage?: Fault | null };
    if (last === this.#start.seq && hash === this.#start.hash) this.#isStartKnown = true;
    if (damage !== null && damage !== undefined) this.#damage ??= faultIn(damage, parsed);
  }

  /** What is missing before a chain that does not begin with the first record, and that no record of a cut explains. */
  get missingStart(): Fault | null {
    return this.#isStartKnown ? null : { seq: 1, reason: 'gap' };
  }

  get nextSeq(): number {
    return this.#head.seq + 1;
  }

  get head(): ChainEnd {
    return this.#head;
  }

  /** Key of the segment that the chain has reached. */
  get sealing(): SegmentKey | null {
    return this.#sealing;
  }

  get sealsCheckedFrom(): number | null {
    return this.#sealsCheckedFrom;
  }

  /** First sequence of the flush that the head belongs to. */
  get flush(): number {
    return this.#flush;
  }

  get beforeFlush(): AuditReceipt {
    return this.#beforeFlush;
  }

  get records(): number {
    return this.#records;
  }

  get remembered(): string | null {
    return this.#remembered;
  }

  /** The first damage that the log itself recorded. */
  get damage(): Fault | null {
    return this.#damage;
  }
}

const FAULTS: ReadonlySet<unknown> = new Set<AuditFault>(['hash', 'gap', 'order', 'truncated', 'key']);

const faultIn = ({ seq, reason }: Partial<Fault>, parsed: ParsedLine): Fault => ({
  seq: Number.isSafeInteger(seq) ? (seq as number) : parsed.seq,
  reason: FAULTS.has(reason) ? (reason as AuditFault) : 'hash',
});

/** An exported record may be anyone's: what is not JSON, or names no fault, is damage itself. */
function damageOf(parsed: ParsedLine): Fault | null {
  const entry = attempt(() => parsed.entry(), null);
  if (entry === null) return { seq: parsed.seq, reason: 'hash' };
  if (entry.action !== DAMAGE_ACTION) return null;
  return faultIn((entry.details ?? {}) as Partial<Fault>, parsed);
}
