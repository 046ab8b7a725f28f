/** When a host that ended is started again: after 1, 2, 4 … 60 seconds, and from the beginning after ten good minutes. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A host that ran this long had no lasting fault. */
const GOOD_MS = 600_000;

export class BackOff {
  #failures = 0;

  /** Milliseconds until the next start, after a run of this length. */
  next(ranMs: number): number {
    if (ranMs >= GOOD_MS) this.#failures = 0;
    const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    return delay;
  }
}
