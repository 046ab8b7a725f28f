/** What may fail, and for what is expected to: no reason is needed. */

/** What the work returns, or `otherwise` where it throws. */
export function attempt<T, O>(work: () => T, otherwise: O): T | O {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
