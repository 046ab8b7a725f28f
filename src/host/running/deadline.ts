/** The deadline of an action. */
import { UiaHostError } from '../../contract/errors.ts';

/** A deadline that pauses while a person is asked. */
export class ActionDeadline {
  readonly totalMs: number;
  #left: number;
  #runningSince: number | null;

  constructor(totalMs: number) {
    this.totalMs = totalMs;
    this.#left = totalMs;
    this.#runningSince = performance.now();
  }

  pause(): void {
    this.#left = this.leftMs();
    this.#runningSince = null;
  }

  resume(): void {
    this.#runningSince ??= performance.now();
  }

  leftMs(): number {
    return this.#runningSince === null ? this.#left : this.#left - (performance.now() - this.#runningSince);
  }

  /**
   * Milliseconds left for a call, at least 1. Errors: deadline_exceeded if none are left; then nothing was delivered.
   */
  forCall(): number {
    const left = Math.round(this.leftMs());
    if (left <= 0)
      throw new UiaHostError(
        'deadline_exceeded',
        `The deadline of ${this.totalMs} ms passed before anything was delivered.`,
      );
    return left;
  }
}
