export interface Refusal {
  readonly code: string;
  readonly surface: string;
  readonly route: string;
  readonly tokenId: string | null;
}

/** Refusals of one code and surface that are written one by one in a minute; a flood must not fill the disk. */
const MOST_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Writes refusals of requests that never became actions: each one, and where they come as a flood, how many. */
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
      this.#tellRest(count);
      count = { since: now, written: 0, left: 0, last: refusal };
      this.#counts.set(key, count);
    }
    count.last = refusal;
    if (count.written < MOST_PER_MINUTE) {
      count.written += 1;
      this.#write(refusal, 1);
    } else count.left += 1;
  }

  /** Writes what was only counted so far; at the end of the host. */
  flush(): void {
    for (const count of this.#counts.values()) this.#tellRest(count);
    this.#counts.clear();
  }

  #tellRest(count: { left: number; last: Refusal } | undefined): void {
    if (count !== undefined && count.left > 0) this.#write(count.last, count.left);
  }
}
