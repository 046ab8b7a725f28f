/** How often a test repeats its check. */

/**
 * `whole` in `npm test`, `quick` in `npm test -- --quick`, which is meant for use while you write code. For tests that
 * check the same claim many times (kills, random changes, random sequences), never for the cases of a table.
 */
export function rounds({ whole, quick }: { whole: number; quick: number }): number {
  return process.env['UIAHOST_TEST_QUICK'] === '1' ? quick : whole;
}
