// `npm run bench [-- NAME… --OPTION…]`: runs the programs test/bench/NAME.bench.ts, one after the other, on a separate
// desktop, with those options (host.bench.ts knows --json and --write). A program that imports the bindings or the
// Windows
// layer itself runs in Node for Windows, any other runs in this machine's Node and starts a host as any client does.
// `--against COMMIT`: that commit is built in the cache, once, and a bench that compares gets its folder as --other.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolNode } from './lib/dependencies.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { cacheFolder, isWindows, root } from './lib/places.mjs';
import { ended } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { prepareTests, windowsTool } from './lib/test-setup.mjs';

/** The bundles alone: the types of the library take minutes. */
const BUILD = `
  const { ensureWindowsTree } = await import('./scripts/lib/dependencies.mjs');
  const { build } = await import('./scripts/build.mjs');
  await build({ windowsTree: await ensureWindowsTree() });`;

const words = process.argv.slice(2);
const against = words.includes('--against') ? words.splice(words.indexOf('--against'), 2)[1] : undefined;
const options = words.filter((word) => word.startsWith('--'));
let desktop;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    void Promise.resolve(desktop?.stop()).finally(() => process.exit(130));
  });

try {
  const names = words.filter((word) => !word.startsWith('--'));
  const files = readdirSync(path.join(root, 'test/bench'))
    .filter(
      (file) => file.endsWith('.bench.ts') && (names.length === 0 || names.includes(file.replace('.bench.ts', ''))),
    )
    .sort();
  if (files.length === 0) throw new SetupError('There is no such benchmark.', 'ls test/bench');
  const setup = await prepareTests();
  if (setup.unbuilt !== undefined) throw new SetupError(setup.unbuilt);
  if (against !== undefined) options.push(`--other=${buildOther(against)}`);
  for (const file of files) {
    // a bench that counts requests to Wine's server reads them from its log
    const log = file.startsWith('requests')
      ? path.join(mkdtempSync(path.join(os.tmpdir(), 'uiahost-bench-')), 'log')
      : undefined;
    desktop = isWindows ? undefined : await startDesktop({ requestLog: log });
    say(`${file} …`);
    const child = startBench(`test/bench/${file}`, setup, log);
    await ended(child);
    if (child.exitCode !== 0) {
      process.stderr.write(`${file} failed (${child.signalCode ?? `status ${child.exitCode}`})\n`);
      process.exitCode = 1;
    }
    await desktop?.stop();
    if (log !== undefined) rmSync(path.dirname(log), { recursive: true, force: true });
  }
} catch (error) {
  await desktop?.stop();
  fail(error);
}

function buildOther(name) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: Infinity });
  const commit = git('rev-parse', '--verify', `${name}^{commit}`).trim();
  const folder = path.join(cacheFolder(), `bench-${commit.slice(0, 12)}`);
  if (existsSync(path.join(folder, 'dist/.sources'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git('archive', '--output', `${folder}/source.tar`, commit);
  execFileSync('tar', ['-xf', 'source.tar'], { cwd: folder });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const args = ['--input-type=module', '--eval', BUILD];
  execFileSync(toolNode(), args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  return folder;
}

function startBench(file, setup, log) {
  const isNative = /from '(\.\.\/)+(native-bindings|src\/win32)\//.test(readFileSync(path.join(root, file), 'utf8'));
  if (isNative && desktop) {
    const { program, args } = windowsTool(setup.windowsTree, file, options);
    const child = desktop.run(program, args, { cwd: root, env: setup.nativeEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
    return child;
  }
  return spawn(toolNode(), [path.join(root, file), ...(log === undefined ? [] : [`--log=${log}`]), ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...setup.env,
      ...(desktop ? { UIAHOST_TEST_DESKTOP: JSON.stringify([desktop.description]) } : {}),
    },
  });
}
