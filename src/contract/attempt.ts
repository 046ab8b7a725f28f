/** Runs what may fail where the reason does not matter. */

/** What the work returns, or `otherwise` where it throws. */
export function attempt<T, O>(work: () => T, otherwise: O): T | O {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
