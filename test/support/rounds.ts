/** How often a test repeats its check. */

/**
 * `quick` in `npm test`, `whole` in `npm run test:all` and where a file is asked for by its name. For tests that check the
 * same claim many times (kills, random changes, random sequences), never for the cases of a table.
 */
export function rounds({ whole, quick }: { whole: number; quick: number }): number {
  return process.env['UIAHOST_TEST_QUICK'] === '1' ? quick : whole;
}
