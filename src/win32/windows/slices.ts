/** Long loops in slices, so that other calls of this process run in between and an abort takes effect. */
import type { CallContext } from '../../desktop/call.ts';
import { throwIfAborted } from './waiting.ts';

/** Long enough to cost little, short enough not to be noticed. */
const SLICE_MS = 20;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Yields to other calls whenever a slice is over. */
export class Turns {
  #since = performance.now();

  /** True if it yielded. */
  async next(): Promise<boolean> {
    if (performance.now() - this.#since < SLICE_MS) return false;
    await turn();
    this.#since = performance.now();
    return true;
  }
}

/** Runs `each` for all steps, until it returns false. Errors: cancelled. */
export async function inSlices<T>(
  steps: Iterable<T>,
  call: CallContext,
  each: (step: T) => boolean | void,
): Promise<void> {
  const turns = new Turns();
  for (const step of steps) {
    if (each(step) === false) return;
    if (await turns.next()) throwIfAborted(call);
  }
}
