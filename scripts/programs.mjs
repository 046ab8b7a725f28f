// `npm run programs [-- NAME…]`: drives Windows programs of other toolkits (Qt, walk, AccessKit, WinForms, WPF) and the prompts of
// console programs (inquirer, clack, prompts, enquirer, ink, huh, bubbletea) through a running host.
// It needs PyPI, Go and Rust, where `npm test` needs npm and the distribution alone; what cannot be had is named, and its
// tests are left out. The last line is `N passed, N failed`.
import { startDesktop } from './lib/desktop.mjs';
import { ensurePackages } from './lib/dependencies.mjs';
import { isWindows } from './lib/places.mjs';
import { endRuns } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { prepareTests } from './lib/test-setup.mjs';
import { ensureToolkits } from './lib/toolkits.mjs';
import { runVitest } from './lib/vitest.mjs';

let desktop;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    say('stopping …');
    void Promise.all([endRuns(), desktop?.stop()]).finally(() => process.exit(130));
  });
}

try {
  if (isWindows)
    throw new SetupError('These programs are driven under Wine, on Linux.', 'run npm run programs on Linux');
  const { env } = await prepareTests();
  await ensurePackages();
  const toolkits = await ensureToolkits(process.argv.slice(2));
  const present = toolkits.filter(({ folder }) => folder !== undefined);
  if (present.length === 0) throw new SetupError('None of the programs could be had on this machine.');
  desktop = await startDesktop();
  const { passed, failed, notRun } = await runVitest(
    ['--project=programs', ...present.map(({ name }) => `test/programs/${name}.test.ts`)],
    {
      ...env,
      UIAHOST_TEST_DESKTOP: JSON.stringify([desktop.description]),
      UIAHOST_TOOLKITS: JSON.stringify(Object.fromEntries(present.map((each) => [each.name, each]))),
    },
  );
  for (const { name, version, missing } of toolkits)
    say(`${name} ${version}: ${missing === undefined ? 'driven' : `not driven: ${missing}`}`);
  process.stdout.write(`\n${passed} passed, ${failed + notRun.length} failed\n`);
  process.exitCode = failed + notRun.length === 0 ? 0 : 1;
} catch (error) {
  fail(error);
} finally {
  await desktop?.stop();
}
