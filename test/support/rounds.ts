/** How often a test repeats its check. */

/**
 * `quick` in `npm test`, `whole` in `npm run test:all` and where a file is asked for by its name. For tests that check the
 * same claim many times (kills, random changes, random sequences), never for the cases of a table.
 */
export function rounds({ whole, quick }: { whole: number; quick: number }): number {
  return process.env['UIAHOST_TEST_QUICK'] === '1' ? quick : whole;
}

/** Counts up to `count`, with a line now and then: a run that is silent for too long counts as hanging (scripts/lib/vitest.mjs). */
export function* counting(count: number): Generator<number, void, undefined> {
  let said = performance.now();
  for (let round = 0; round < count; round += 1) {
    if (performance.now() - said > 30_000) {
      said = performance.now();
      console.log(`round ${round} of ${count}`);
    }
    yield round;
  }
}
