import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back what the start of a process allocated and no longer needs. V8 grows the space for young objects while a start
 * allocates, which makes the start quick, and then keeps it: 12 MB in each process. Called once a process has started: from
 * then on that space no longer grows, and one collection shrinks it (docs/measurements.md).
 */
export function becomeFrugal(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;
  void collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
}
