/** One desktop for all end-to-end tests of a run: `npm test` provides one; started by hand, vitest makes its own. */
import { startDesktop } from '../../scripts/lib/desktop.mjs';
import { prepareTests } from '../../scripts/lib/test-setup.mjs';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['UIAHOST_TEST_DESKTOP']) return undefined;
  const { env } = await prepareTests();
  const desktop = await startDesktop();
  Object.assign(process.env, env, { UIAHOST_TEST_DESKTOP: JSON.stringify(desktop.description) });
  return () => desktop.stop();
}
