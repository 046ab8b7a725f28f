/** Long readings in slices: other calls of this process get their turn, and an abort is heard. */
import type { CallContext } from '../desktop/call.ts';
import { throwIfAborted } from './waiting.ts';

/** Long enough to cost little, short enough that nobody notices. */
const SLICE_MS = 20;

const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

/**
 * Goes through all steps. `each` ends it by answering false. Errors: cancelled.
 */
export async function inSlices<T>(steps: Iterable<T>, call: CallContext, each: (step: T) => boolean | void): Promise<void> {
  let since = performance.now();
  for (const step of steps) {
    if (each(step) === false) return;
    if (performance.now() - since < SLICE_MS) continue;
    await turn();
    throwIfAborted(call);
    since = performance.now();
  }
}
