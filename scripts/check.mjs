// `npm run check`: all checks of the sources that need no running program. Every part runs, and every failing part is
// shown, not only the first.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, toolNode } from './lib/dependencies.mjs';
import { ceilingProblems } from './lib/ceilings-check.mjs';
import { headerProblems } from './lib/headers-check.mjs';
import { linkProblems } from './lib/links-check.mjs';
import { licenceProblems, lockProblems } from './lib/packages-check.mjs';
import { root } from './lib/places.mjs';
import { fail } from './lib/progress.mjs';
import { rootProblems } from './lib/root-check.mjs';
import { wordProblems } from './lib/words-check.mjs';

/**
 * Each part: a program that fails with a status and prints why, or a function that returns the faults.
 * @returns {Array<[name: string, work: () => Promise<string | undefined>]>}
 */
function parts() {
  const tool =
    (file, ...args) =>
    () =>
      runTool([path.join(root, 'node_modules', file), ...args]);
  const generators = readdirSync(path.join(root, 'scripts'))
    .filter((file) => /^generate-.*\.(ts|mjs)$/.test(file))
    .sort();
  return [
    ['types', tool('typescript-native/bin/tsc', '-p', '.', ...remembered('types'))],
    ['types: page', tool('typescript-native/bin/tsc', '-p', 'src/page', ...remembered('page'))],
    // these two refuse built-ins that Node 20 lacks, for what runs in the Node of the machine
    ['types: scripts', tool('typescript-native/bin/tsc', '-p', 'tsconfig.scripts.json', ...remembered('scripts'))],
    ['types: Node 20', tool('typescript-native/bin/tsc', '-p', 'tsconfig.node20.json', ...remembered('node20'))],
    ['lint', tool('oxlint/bin/oxlint', '--quiet', 'src', 'native-bindings', 'scripts', 'test', 'bin')],
    ['format', tool('oxfmt/bin/oxfmt', '--check', '.')],
    [
      'layers',
      tool(
        'dependency-cruiser/bin/dependency-cruiser.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        'src',
        'native-bindings',
      ),
    ],
    ...generators.map(
      (file) =>
        /** @type {[string, () => Promise<string | undefined>]} */ ([
          `generated: ${file}`,
          () => runTool([path.join(root, 'scripts', file), '--check']),
        ]),
    ),
    ['unused', tool('knip/bin/knip.js', '--no-progress')],
    ['exits', () => runTool([path.join(root, 'scripts/check-exits.ts')])],
    ['constants', () => runTool([path.join(root, 'scripts/check-constants.ts')])],
    ['promises', () => runTool([path.join(root, 'scripts/check-promises.ts')])],
    ['workflows', () => runTool([path.join(root, 'scripts/check-workflows.ts')])],
    ['ceilings', async () => ceilingProblems()],
    ['headers', () => headerProblems()],
    ['words', () => wordProblems()],
    ['links', linkProblems],
    ['licences', async () => licenceProblems()],
    ['lock', async () => lockProblems()],
    ['root', async () => rootProblems()],
  ];
}

/**
 * The compiler's arguments for an incremental check, which reads only what has changed since the last one.
 * @param {string} name
 */
function remembered(name) {
  return ['--incremental', '--tsBuildInfoFile', path.join(root, `node_modules/.cache/${name}.tsbuildinfo`)];
}

/**
 * Runs all parts, a few at a time, and prints one line for each.
 * @returns {Promise<{ passed: number, failed: number, files: Record<string, { failures: string[] }> }>}
 */
export async function runChecks() {
  const queue = parts();
  const total = queue.length;
  const failures = [];
  const worker = async () => {
    for (let part = queue.shift(); part; part = queue.shift()) {
      const [name, work] = part;
      const from = performance.now();
      const problem = await work().catch((error) => error.message);
      process.stdout.write(
        `  ${problem ? 'FAILED' : 'ok    '} ${name} (${((performance.now() - from) / 1000).toFixed(1)} s)\n`,
      );
      if (problem) failures.push([name, problem]);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  for (const [name, problem] of failures) process.stdout.write(`\n${name}:\n${problem.trimEnd()}\n`);
  return {
    passed: total - failures.length,
    failed: failures.length,
    files: {
      'node scripts/check.mjs': {
        failures: failures.map(([name, problem]) => `${name}: ${problem.split('\n', 1)[0]}`),
      },
    },
  };
}

/**
 * Undefined if the tool finds nothing, else its output.
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>}
 */
function runTool(args) {
  if (!existsSync(args[0])) return Promise.resolve(`${args[0]} is missing. Try: npm ci`);
  return new Promise((resolve) => {
    const child = spawn(toolNode(), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    // in `npm test` they leave the processors to what waits for windows
    if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (data) => {
        text += data;
      });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : text || `ended with ${signal ?? `status ${code}`} without output`),
    );
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensurePackages();
    const { failed } = await runChecks();
    process.exitCode = failed === 0 ? 0 : 1;
  } catch (error) {
    fail(error);
  }
}
