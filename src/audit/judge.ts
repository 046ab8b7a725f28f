import type { KeyObject } from 'node:crypto';
import { GENESIS_HASH, isSameHex, parseLine, recordMac, type ParsedLine } from './chain.ts';
import type { AuditEntry, AuditFault, AuditReceipt } from './entry.ts';

/** The action of the record that the log itself writes about damage it found. Nobody else may write one. */
export const DAMAGE_ACTION = 'audit.damaged';

export interface Fault {
  readonly seq: number;
  readonly reason: AuditFault;
}

/** Follows the chain record by record. It says what is wrong with the first record that does not fit, and judges nothing after it. */
export class ChainJudge {
  readonly #key: KeyObject | null;
  #head: AuditReceipt;
  #flush: number;
  /** The last record of the flush before the current one. */
  #beforeFlush: AuditReceipt;
  #records = 0;
  #damage: Fault | null = null;
  readonly #rememberSeq: number | null;
  #remembered: string | null = null;

  /** `start`: the record after which to begin; `key` null leaves out what only the key can show; of the record `rememberSeq` the hash is kept. */
  constructor(key: KeyObject | null, start: AuditReceipt = { seq: 0, hash: GENESIS_HASH }, rememberSeq: number | null = null) {
    this.#rememberSeq = rememberSeq;
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
    if (parsed.seq > seq) return { seq, reason: 'gap' };
    if (parsed.seq < seq) return { seq, reason: 'order' };
    if (parsed.previous !== this.#head.hash) return { seq, reason: 'hash' };
    if (this.#key !== null && !isSameHex(recordMac(this.#key, parsed.hash), parsed.mac)) return { seq, reason: 'key' };
    if (parsed.flush !== seq && parsed.flush !== this.#flush) return { seq, reason: 'order' };
    this.#accept(parsed, line);
    return null;
  }

  #accept(parsed: ParsedLine, line: Uint8Array): void {
    if (parsed.flush === parsed.seq) this.#beforeFlush = this.#head;
    this.#flush = parsed.flush;
    this.#head = { seq: parsed.seq, hash: parsed.hash };
    this.#records += 1;
    if (parsed.seq === this.#rememberSeq) this.#remembered = parsed.hash;
    // The words may also stand in some text; only then is the record read as a whole to see.
    if (this.#damage === null && Buffer.from(line.buffer, line.byteOffset, line.byteLength).includes(DAMAGE_ACTION)) this.#damage = damageOf(parsed.entry());
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

  get remembered(): string | null {
    return this.#remembered;
  }

  /** The first damage that the log itself recorded. */
  get damage(): Fault | null {
    return this.#damage;
  }
}

function damageOf(entry: AuditEntry): Fault | null {
  if (entry.action !== DAMAGE_ACTION) return null;
  const { seq, reason } = entry.details as Partial<Fault>;
  return { seq: typeof seq === 'number' ? seq : entry.seq, reason: reason ?? 'hash' };
}
