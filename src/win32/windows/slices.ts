/** Long readings in slices: other calls of this process get their turn, and an abort is heard. */
import type { CallContext } from '../../desktop/call.ts';
import { throwIfAborted } from './waiting.ts';

/** Long enough to cost little, short enough that nobody notices. */
const SLICE_MS = 20;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Gives others their turn whenever a slice is over. */
export class Turns {
  #since = performance.now();

  /** True where others had their turn. */
  async next(): Promise<boolean> {
    if (performance.now() - this.#since < SLICE_MS) return false;
    await turn();
    this.#since = performance.now();
    return true;
  }
}

/** Goes through all steps. `each` ends it by answering false. Errors: cancelled. */
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
