// `npm run programs [-- NAME…]`: drives Windows programs of other toolkits (Qt, walk, AccessKit, WinForms, WPF) and the prompts of
// console programs (inquirer, clack, prompts, enquirer, ink, huh, bubbletea) through a running host, and runs the cases of the
// standard controls on Microsoft's own managed proxies. It needs PyPI, Go and Rust, where `npm test` needs npm and the
// distribution alone; what cannot be had is named, and its tests are left out. The last line is `N passed, N failed`.
// `npm run programs -- pywinauto --from FOLDER`: what pywinauto's own tests assert of its sample programs; FOLDER is a clone of it.
// `npm run programs -- node [PATTERN…]`: the tests that need no Windows (test/pure) in Windows' Node, from a copy on drive C.
import { parseArgs } from 'node:util';
import { startDesktop } from './lib/desktop.mjs';
import { ensurePackages } from './lib/dependencies.mjs';
import { isWindows, windowsPath } from './lib/places.mjs';
import { endRuns } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { runPywinauto } from './lib/pywinauto.mjs';
import { testFiles } from './lib/suites.mjs';
import { prepareTests } from './lib/test-setup.mjs';
import { ensureToolkits } from './lib/toolkits.mjs';
import { runVitest, runVitestOnWindows } from './lib/vitest.mjs';
import { testOnDriveC } from './lib/windows-copy.mjs';

let desktop;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    say('stopping …');
    void Promise.all([endRuns(), desktop?.stop()]).finally(() => process.exit(130));
  });
}

try {
  if (isWindows)
    throw new SetupError('These programs are driven under Wine, on Linux.', 'run node scripts/programs.mjs on Linux');
  const { values, positionals } = parseArgs({ options: { from: { type: 'string' } }, allowPositionals: true });
  if (positionals[0] === 'pywinauto') {
    const { from } = values;
    if (from === undefined)
      throw new SetupError('pywinauto needs --from FOLDER.', 'git clone github.com/pywinauto/pywinauto');
    await ensurePackages();
    finish(await runPywinauto(from));
  } else if (positionals[0] === 'node') {
    const patterns = positionals.slice(1);
    const folders = new Set(testFiles().flatMap((file) => /^test\/pure\/.*?\//.exec(file) ?? []));
    finish(await testOnDriveC(patterns.length === 0 ? [...folders] : patterns));
  } else await drive(positionals);
} catch (error) {
  fail(error);
} finally {
  await desktop?.stop();
}

function finish({ passed, failed }) {
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** @param {readonly string[]} names of toolkits; all if empty */
async function drive(names) {
  const setup = await prepareTests();
  await ensurePackages();
  const toolkits = await ensureToolkits(names);
  const present = toolkits.filter(({ folder }) => folder !== undefined);
  if (present.length === 0) throw new SetupError('None of the programs could be had on this machine.');
  desktop = await startDesktop();
  const counts = [
    await runVitest(['--project=programs', ...present.map(({ name }) => `test/programs/${name}.test.ts`)], {
      ...setup.env,
      UIAHOST_TEST_DESKTOP: JSON.stringify([desktop.description]),
      UIAHOST_TOOLKITS: JSON.stringify(Object.fromEntries(present.map((each) => [each.name, each]))),
    }),
  ];
  const dotnet = present.find(({ name }) => name === 'dotnet');
  if (dotnet !== undefined)
    counts.push(
      await runVitestOnWindows(
        ['--config', 'vitest.native.config.ts', 'test/programs/windows/proxies.test.ts'],
        { ...setup, nativeEnv: { ...setup.nativeEnv, UIAHOST_DOTNET: windowsPath(dotnet.folder) } },
        desktop,
      ),
    );
  const passed = counts.reduce((total, each) => total + each.passed, 0);
  const failed = counts.reduce((total, each) => total + each.failed + each.notRun.length, 0);
  for (const { name, version, missing } of toolkits)
    say(`${name} ${version}: ${missing === undefined ? 'driven' : `not driven: ${missing}`}`);
  finish({ passed, failed });
}
