/** How often a test repeats itself. */

/**
 * `whole` in `npm test`, `quick` in `npm test -- --quick`, which is meant for waiting while you write. For tests that try
 * the same claim many times over (kills, random changes, random sequences), never for the cases of a table.
 */
export function rounds({ whole, quick }: { whole: number; quick: number }): number {
  return process.env['UIAHOST_TEST_QUICK'] === '1' ? quick : whole;
}
