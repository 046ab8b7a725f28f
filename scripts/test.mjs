// `npm test [PATTERN…]`: sets up what is missing, checks the sources, runs the tests that a change needs: in this
// machine's Node the tests that need no Windows and the end-to-end core, in Node for Windows (under Wine on Linux) the
// tests that call Windows. `--all` (`npm run test:all`) runs everything but the nightly forms, `--rest` only the part
// that `npm test` leaves out; `--after "N passed, N failed"` adds an earlier run's counts. With patterns only the test
// files whose path contains one of them, whatever command runs them. The last line is `N passed, N failed`.
import { statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runChecks } from './check.mjs';
import { ensurePackages } from './lib/dependencies.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { isWindows, root } from './lib/places.mjs';
import { endRuns } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { withSecondChance } from './lib/second-chance.mjs';
import { commandOf, isShortened, needsNarrow, runsAlone, slownessOf, sortOf, testFiles } from './lib/suites.mjs';
import { prepareNarrow, prepareTests } from './lib/test-setup.mjs';
import { runVitest, runVitestOnWindows } from './lib/vitest.mjs';

const { scope, patterns, before, misunderstood } = wanted(process.argv.slice(2));
/** Lanes of each kind. Each has a desktop; most of the time they wait, for timers and for windows. */
const lanes = Math.min(os.availableParallelism(), 8);
const nativeLanes = isWindows ? 1 : lanes;
/** Tests that repeat themselves do so less often here (test/support/rounds.ts). */
const pictures = process.env['CARD_PICTURES'];
const env = {
  UIAHOST_TEST_QUICK: scope === 'short' ? '1' : '0',
  // a folder for pictures of the cards that the tests draw
  ...(pictures === undefined ? {} : { CARD_PICTURES: pictures }),
};
const desktops = new Set();
/** Number of this run's next desktop: desktops spread over the processors, also those of several runs. */
let lane = process.pid;

/** Ends what runs when a person stops the tests; after a kill the kernel does (lib/processes.mjs). */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    say('stopping …');
    void Promise.all([endRuns(), ...[...desktops].map((each) => each.stop())]).finally(() => process.exit(130));
  });
}

try {
  const { passed, failed } = await testAll();
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  fail(error);
}

/** What the words of the command ask for. */
function wanted(words) {
  const at = words.indexOf('--after');
  const [, passed = 0, failed = 1] = /^(\d+) passed, (\d+) failed$/.exec(at < 0 ? '' : (words[at + 1] ?? '')) ?? [];
  const rest = at < 0 ? words : words.toSpliced(at, 2);
  const texts = rest.filter((word) => !word.startsWith('--')).map((text) => text.replaceAll('\\', '/'));
  const options = rest.filter((word) => word.startsWith('--'));
  const scopes = { '--all': 'all', '--rest': 'rest' };
  return {
    scope: texts.length > 0 ? 'chosen' : (scopes[options[0]] ?? 'short'),
    patterns: texts,
    misunderstood: texts.length > 0 ? options[0] : options.find((word) => !(word in scopes)),
    before: at < 0 ? { passed: 0, failed: 0 } : { passed: Number(passed), failed: Number(failed) },
  };
}

async function testAll() {
  if (misunderstood !== undefined)
    throw new SetupError(
      `${misunderstood} is not understood here.`,
      'node scripts/test.mjs [PATTERN…], or node scripts/test.mjs --all',
    );
  const files = filesToRun();
  const of = (sort) => files.filter((file) => sortOf(file) === sort);
  const needsWindows = files.some((file) => sortOf(file) === 'native' || (sortOf(file) === 'e2e' && !isWindows));
  const setup = needsWindows ? await prepareTests() : undefined;
  await ensurePackages();

  const onWindows = (setup?.unbuilt === undefined ? of('native') : []).filter((file) => !needsNarrow(file));
  const narrow = isWindows ? [] : of('native').filter(needsNarrow);
  const endToEnd = isWindows ? [] : of('e2e');
  const alone = endToEnd.filter(runsAlone);
  const shared = endToEnd.filter((file) => !alone.includes(file));
  const counts = await together([
    // one after another: each of these uses every processor by itself
    async () => [
      ...(scope === 'short' || scope === 'all' ? await group('checks', runChecks) : []),
      ...(await inNode('pure', of('pure'))),
      ...(await inNode('long', of('long'))),
      ...(await inNode('packages', isWindows ? [] : of('packages'))),
    ],
    ...shares(onWindows, nativeLanes).map((share) => () => native(share, setup)),
    async () => (narrow.length === 0 ? [] : native(narrow, setup, await prepareNarrow())),
    () => onLanes(shared, lanes, setup),
  ]);
  counts.push(...(await onLanes(alone, 1, setup)));
  if (setup?.unbuilt !== undefined)
    say(`not run here: the tests in Node for Windows (test/native), which need test programs in C. ${setup.unbuilt}`);
  if (isWindows && of('native').some(needsNarrow))
    say('not run here, only on Linux: the tests of 32-bit programs, which need a second compiler');
  if (isWindows && of('e2e').length > 0)
    say(
      'not run here, only on Linux: the end-to-end tests (test/e2e), which need an X server for input as from a real keyboard and mouse',
    );

  for (const [file, { failures = [] }] of counts.flatMap(({ files = {} }) => Object.entries(files)))
    for (const failure of failures) process.stdout.write(`failed: ${file}: ${failure}\n`);
  const skipped = counts.flatMap(({ notRun = [] }) => notRun);
  for (const name of skipped) process.stdout.write(`skipped, which counts as failed: ${name}\n`);
  const sum = (key) => counts.reduce((total, count) => total + count[key], before[key]);
  return { passed: sum('passed'), failed: sum('failed') + skipped.length };
}

/** Runs the works at the same time, each to its end even if another fails, and returns all counts. */
async function together(works) {
  const ends = await Promise.allSettled(works.map((work) => work()));
  return ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

async function inNode(project, files) {
  if (files.length === 0) return [];
  const label = { pure: 'tests in Node', long: 'generated requests, and tools', packages: 'packages' }[project];
  return group(label, () =>
    repeatable(files, (chosen) =>
      runVitest([`--project=${project}*`, ...chosen], env, { label: project, isPatient: true }),
    ),
  );
}

/** In Node for Windows, on a desktop of its own. */
async function native(files, setup, narrow) {
  if (files.length === 0) return [];
  return group('tests in Node for Windows', () =>
    repeatable(files, (chosen) =>
      onDesktops(
        1,
        ([own]) =>
          runVitestOnWindows(
            ['--config', 'vitest.native.config.ts', ...chosen],
            { ...setup, nativeEnv: { ...setup.nativeEnv, ...env, ...narrow?.nativeEnv } },
            own,
            { label: 'native' },
          ),
        { narrow: narrow?.wine },
      ),
    ),
  );
}

/** End to end: each lane takes the next file, on its own desktop. */
async function onLanes(files, most, setup) {
  if (files.length === 0) return [];
  const count = Math.min(most, files.length);
  return group(`end-to-end tests on ${count === 1 ? 'a desktop' : `${count} desktops`}`, () =>
    repeatable(files, (chosen) =>
      onDesktops(Math.min(count, chosen.length), (own) =>
        runVitest(
          ['--project=e2e', ...chosen],
          {
            ...setup.env,
            ...env,
            UIAHOST_TEST_DESKTOP: JSON.stringify(own.map(({ description }) => description)),
          },
          { label: 'e2e' },
        ),
      ),
    ),
  );
}

function repeatable(files, run) {
  return withSecondChance(run, files, files);
}

/** Deals the files out, the largest first. */
function shares(files, count) {
  const size = (file) => statSync(path.join(root, file)).size * slownessOf(file);
  const dealt = Array.from({ length: count }, () => ({ files: /** @type {string[]} */ ([]), size: 0 }));
  for (const file of files.toSorted((a, b) => size(b) - size(a))) {
    const least = dealt.reduce((a, b) => (b.size < a.size ? b : a));
    least.files.push(file);
    least.size += size(file);
  }
  return dealt.map((share) => share.files);
}

async function group(title, work) {
  say(`${title} …`);
  const from = performance.now();
  const counts = await work();
  say(
    `${title}: ${counts.passed} passed, ${counts.failed} failed in ${((performance.now() - from) / 1000).toFixed(0)} s`,
  );
  return [counts];
}

/** Desktops of its own for each group, so that windows left by one do not disturb another. */
async function onDesktops(count, work, options = {}) {
  if (isWindows) return work([]);
  const own = await Promise.all(Array.from({ length: count }, () => startDesktop({ lane: lane++, ...options })));
  for (const each of own) desktops.add(each);
  try {
    return await work(own);
  } finally {
    await Promise.all(own.map((each) => each.stop()));
    for (const each of own) desktops.delete(each);
  }
}

function filesToRun() {
  const all = testFiles();
  const inScope = {
    chosen: (file) => sortOf(file) !== 'programs' && patterns.some((pattern) => file.includes(pattern)),
    short: (file) => commandOf(file) === 'node scripts/test.mjs',
    rest: (file) =>
      commandOf(file) === 'node scripts/test.mjs --all' ||
      (commandOf(file) === 'node scripts/test.mjs' && isShortened(file)),
    all: (file) => commandOf(file) !== 'nightly',
  };
  const files = all.filter(inScope[scope]);
  if (files.length === 0) throw new SetupError(`No test file's path contains ${patterns.join(' or ')}.`);
  return files;
}
