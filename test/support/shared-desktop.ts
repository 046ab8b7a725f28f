/** The desktop of a run's end-to-end tests: `npm test` provides one a lane; started by hand, vitest makes its own. */
import { startDesktop } from '../../scripts/lib/desktop.mjs';
import { prepareTests } from '../../scripts/lib/test-setup.mjs';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['UIAHOST_TEST_DESKTOP']) return undefined;
  const { env } = await prepareTests();
  const desktop = await startDesktop();
  Object.assign(process.env, env, { UIAHOST_TEST_DESKTOP: JSON.stringify([desktop.description]) });
  return () => desktop.stop();
}
