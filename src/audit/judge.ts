import { GENESIS_HASH, isSameHex, parseLine, recordMac } from './chain.ts';
import type { AuditEntry, AuditFault, AuditReceipt } from './entry.ts';

/** The action of the record that the log itself writes about damage it found. Nobody else may write one. */
export const DAMAGE_ACTION = 'audit.damaged';

export interface Fault {
  readonly seq: number;
  readonly reason: AuditFault;
}

/** Follows the chain record by record. It says what is wrong with the first record that does not fit, and judges nothing after it. */
export class ChainJudge {
  readonly #key: Uint8Array | null;
  #head: AuditReceipt;
  #flush: number;
  /** The last record of the flush before the current one. */
  #beforeFlush: AuditReceipt;
  #records = 0;
  #damage: Fault | null = null;

  /** `start`: the record after which to begin; `key` null leaves out what only the key can show. */
  constructor(key: Uint8Array | null, start: AuditReceipt = { seq: 0, hash: GENESIS_HASH }) {
    this.#key = key;
    this.#head = start;
    this.#flush = start.seq;
    this.#beforeFlush = start;
  }

  /** Takes the next line; null when it fits. */
  take(line: Uint8Array): Fault | null {
    const seq = this.nextSeq;
    const parsed = parseLine(line);
    if (parsed === null || !parsed.isIntact) return { seq, reason: 'hash' };
    const { entry } = parsed;
    if (entry.seq > seq) return { seq, reason: 'gap' };
    if (entry.seq < seq) return { seq, reason: 'order' };
    if (entry.previous !== this.#head.hash) return { seq, reason: 'hash' };
    if (this.#key !== null && !isSameHex(recordMac(this.#key, entry.hash), entry.mac)) return { seq, reason: 'key' };
    if (entry.flush !== seq && entry.flush !== this.#flush) return { seq, reason: 'order' };
    this.#accept(entry);
    return null;
  }

  #accept(entry: AuditEntry): void {
    if (entry.flush === entry.seq) this.#beforeFlush = this.#head;
    this.#flush = entry.flush;
    this.#head = { seq: entry.seq, hash: entry.hash };
    this.#records += 1;
    if (entry.action === DAMAGE_ACTION) this.#damage ??= damageOf(entry);
  }

  get nextSeq(): number {
    return this.#head.seq + 1;
  }

  get head(): AuditReceipt {
    return this.#head;
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

  /** The first damage that the log itself recorded. */
  get damage(): Fault | null {
    return this.#damage;
  }
}

function damageOf(entry: AuditEntry): Fault {
  const { seq, reason } = entry.details as Partial<Fault>;
  return { seq: typeof seq === 'number' ? seq : entry.seq, reason: reason ?? 'hash' };
}
