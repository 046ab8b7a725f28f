/** Requests that were refused before they became actions, for the audit. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Host } from '../face/host.ts';

type Refusal = Parameters<Host['recordRefusal']>[0];

/**
 * Number of refusals per minute, of one code and interface, that get separate entries; a flood must not fill the disk.
 */
const MAX_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Records each refusal; of a flood only the number. */
export class RefusalLog {
  readonly #write: (refusal: Refusal, times: number) => void;
  readonly #counts = new Map<string, { since: number; written: number; left: number; last: Refusal }>();

  constructor(write: (refusal: Refusal, times: number) => void) {
    this.#write = write;
  }

  add(refusal: Refusal, now: number = Date.now()): void {
    const key = `${refusal.code} ${refusal.surface}`;
    let count = this.#counts.get(key);
    if (count === undefined || now - count.since >= MINUTE_MS) {
      this.#writeRest(count);
      count = { since: now, written: 0, left: 0, last: refusal };
      this.#counts.set(key, count);
    }
    count.last = refusal;
    if (count.written < MAX_PER_MINUTE) {
      count.written += 1;
      this.#write(refusal, 1);
    } else count.left += 1;
  }

  /** Records the remaining numbers when the host ends. */
  flush(): void {
    for (const count of this.#counts.values()) this.#writeRest(count);
    this.#counts.clear();
  }

  #writeRest(count: { left: number; last: Refusal } | undefined): void {
    if (count !== undefined && count.left > 0) this.#write(count.last, count.left);
  }
}

/** Writes to the audit. */
export function auditRefusals(
  audit: (entry: AuditEntryInput) => Promise<unknown>,
  onFault: (error: unknown, where: string) => void,
): RefusalLog {
  return new RefusalLog((refusal, times) => {
    void audit({
      kind: 'request',
      actor: { tokenId: refusal.tokenId, surface: refusal.surface },
      action: refusal.route,
      decision: 'refused',
      errorCode: refusal.code as ErrorCode,
      ...(times === 1 ? {} : { details: { times } }),
    }).catch((error: unknown) => onFault(error, 'audit of a refusal'));
  });
}
