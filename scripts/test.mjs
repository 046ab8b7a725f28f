// `npm test [-- --quick | PATTERN…]`: sets up what is missing, checks the sources, runs every test: in this machine's
// Node those that need no Windows and the end-to-end tests, in Node for Windows (under Wine on Linux) those that call
// Windows. With patterns only the test files whose path contains one of them. `--quick` is for use while writing code:
// the checks, the tests that need no Windows, and one walk through a running host. The last line is `N passed, N
// failed`.
import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { ensurePackages } from './lib/dependencies.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { isWindows, root } from './lib/places.mjs';
import { endRuns } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { prepareTests } from './lib/test-setup.mjs';
import { withSecondChance } from './lib/second-chance.mjs';
import { runVitest, runVitestOnWindows } from './lib/vitest.mjs';

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const patterns = words.filter((word) => word !== '--quick').map((text) => text.replaceAll('\\', '/'));
/** What needs more registries is left to `npm run programs`. */
const toolkitTests = 'test/programs/';
/** What takes minutes is left to `npm run packages-test`. */
const longPackageTests = 'test/packages/long/';
/** The walk of a quick run: the README's first session on a desktop, from start to end. */
const quickWalk = 'test/e2e/first-session.test.ts';
/** Tests with repetitions repeat less often in a quick run (test/support/rounds.ts). */
const quickEnv = { UIAHOST_TEST_QUICK: '1' };
/** Many of these tests wait for timers and processes: one more than there are processors fills the gaps. */
const quickWorkers = [`--maxWorkers=${os.availableParallelism() + 1}`];
let desktop;

/** Ends what runs when a person stops the tests; after a kill the kernel does (lib/processes.mjs). */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    say('stopping …');
    void Promise.all([endRuns(), desktop?.stop()]).finally(() => process.exit(130));
  });
}

try {
  const { passed, failed } = await testAll();
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  fail(error);
}

async function testAll() {
  if (isQuick && patterns.length > 0)
    throw new SetupError('--quick runs a fixed selection of tests and takes no pattern.');
  const files = filesToRun();
  const has = (sort) => files.some((file) => sortOf(file) === sort);
  const setup = has('native') || has('e2e') ? await prepareTests() : undefined;
  await ensurePackages();

  const counts = [];
  if (patterns.length === 0) {
    say('checks …');
    counts.push(await runChecks());
  }
  const endToEnd = isQuick ? [quickWalk] : patterns;
  const repeatable = (sort, chosen, run) =>
    withSecondChance(
      run,
      chosen,
      files.filter((file) => sortOf(file) === sort),
    );
  const hasPrograms = setup?.unbuilt === undefined;
  const groups = [];
  if (has('pure'))
    groups.push(() =>
      group('tests in Node', () =>
        repeatable('pure', patterns, (chosen) =>
          runVitest(['--project=pure', ...(isQuick ? quickWorkers : []), ...chosen], isQuick ? quickEnv : {}),
        ),
      ),
    );
  if (has('native') && setup && hasPrograms)
    groups.push(() =>
      group('tests in Node for Windows', () =>
        repeatable('native', patterns, (chosen) =>
          onDesktop((own) => runVitestOnWindows(['--config', 'vitest.native.config.ts', ...chosen], setup, own)),
        ),
      ),
    );
  if (has('e2e') && setup && !isWindows)
    groups.push(() =>
      group('end-to-end tests', () =>
        repeatable('e2e', endToEnd, (chosen) =>
          onDesktop((own) =>
            runVitest(['--project=e2e', ...chosen], {
              ...setup.env,
              ...(isQuick ? quickEnv : {}),
              UIAHOST_TEST_DESKTOP: JSON.stringify(own.description),
            }),
          ),
        ),
      ),
    );
  if (has('packages') && !isWindows)
    groups.push(() =>
      group('tests of the packages', () =>
        repeatable('packages', patterns, (chosen) =>
          runVitest(['--project=packages', ...(chosen.length === 0 ? ['--exclude', `${longPackageTests}**`] : chosen)]),
        ),
      ),
    );
  // The walk of a quick run mostly waits, so it runs while the tests in Node do; in the whole run nothing runs in
  // parallel.
  if (isQuick) counts.push(...(await both(groups)));
  else for (const each of groups) counts.push(await each());
  if (!hasPrograms)
    say(`not run here: the tests in Node for Windows (test/native), which need test programs in C. ${setup.unbuilt}`);
  if (isWindows)
    say(
      'not run here, only on Linux: the end-to-end tests (test/e2e), which need an X server for input as from a real keyboard and mouse',
    );

  const skipped = counts.flatMap(({ notRun = [] }) => notRun);
  for (const name of skipped) process.stdout.write(`skipped, which counts as failed: ${name}\n`);
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  return { passed: sum('passed'), failed: sum('failed') + skipped.length };
}

/** Runs them in parallel, to the end even if one fails. */
async function both(groups) {
  const ends = await Promise.allSettled(groups.map((each) => each()));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

async function group(title, work) {
  say(`${title} …`);
  return work();
}

/** Each kind gets its own desktop, so that windows left by one do not disturb the other. */
async function onDesktop(work) {
  if (isWindows) return work(undefined);
  desktop = await startDesktop();
  try {
    return await work(desktop);
  } finally {
    await desktop.stop();
    desktop = undefined;
  }
}

function filesToRun() {
  const all = readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith(toolkitTests));
  if (isQuick) return all.filter((file) => sortOf(file) === 'pure' || file === quickWalk);
  const chosen =
    patterns.length === 0
      ? all.filter((file) => !file.startsWith(longPackageTests))
      : all.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  if (chosen.length === 0)
    throw new SetupError(
      patterns.length === 0
        ? 'There are no test files in test/.'
        : `No test file's path contains ${patterns.join(' or ')}.`,
    );
  return chosen;
}

function sortOf(file) {
  if (file.startsWith('test/native/')) return 'native';
  if (file.startsWith('test/packages/')) return 'packages';
  return file.startsWith('test/e2e/') ? 'e2e' : 'pure';
}
