// `npm run packages-test [-- PATTERN…]`: the tests of what `npm run package` makes, as part of `npm run test:all`: upgrade,
// downgrade, repair, rollback and removal by Wine's msiexec on machines of their own.
import { ensurePackages } from './lib/dependencies.mjs';
import { endRuns } from './lib/processes.mjs';
import { fail, say } from './lib/progress.mjs';
import { runVitest } from './lib/vitest.mjs';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    say('stopping …');
    void endRuns().finally(() => process.exit(130));
  });

try {
  await ensurePackages();
  const { passed, failed, notRun } = await runVitest(['--project=packages', ...process.argv.slice(2)]);
  for (const name of notRun) process.stdout.write(`skipped, which counts as failed: ${name}\n`);
  process.stdout.write(`\n${passed} passed, ${failed + notRun.length} failed\n`);
  process.exitCode = failed + notRun.length === 0 ? 0 : 1;
} catch (error) {
  fail(error);
}
