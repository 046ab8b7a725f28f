// One run of vitest as part of `npm test`: its output goes to the terminal as it arrives, and its counts are returned.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { toolNode } from './dependencies.mjs';
import { root, windowsPath } from './places.mjs';
import { ended, signalGroup } from './processes.mjs';
import { windowsTool } from './test-setup.mjs';

const vitest = 'node_modules/vitest/vitest.mjs';
/** A run without output for this long hangs (a call into Windows that never returns). */
const silenceLimit = 10 * 60_000;

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed tests, and files that could not run
 * @property {string[]} notRun names of skipped tests: none may be skipped
 * @property {number} outside how many of `failed` belong to no file that reported its tests
 * @property {Record<string, { passed: number, failed: number, notRun: string[], failures?: string[] }>} files that
 * reported, by path from the root; `failures` are the failed tests' names, each with the first line of its error
 */

/**
 * @typedef {object} Shown
 * @property {string} [label] at the beginning of each line, where several run at the same time
 * @property {boolean} [isPatient] it leaves the processors to what waits for windows
 */

/**
 * Runs vitest in this machine's Node.
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @param {Shown} [shown]
 * @returns {Promise<Counts>}
 */
export function runVitest(args, env = {}, shown = {}) {
  return collect(shown, (report) =>
    spawn(toolNode(), [path.join(root, vitest), 'run', ...args, ...reporters(report)], {
      cwd: root,
      env: { ...process.env, ...colour(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    }),
  );
}

/**
 * Runs vitest in Node for Windows: on a desktop under Wine, or on Windows itself.
 * @param {readonly string[]} args
 * @param {import('./test-setup.mjs').TestSetup} setup
 * @param {import('./desktop.mjs').Desktop} [desktop]
 * @param {Shown} [shown]
 * @returns {Promise<Counts>}
 */
export function runVitestOnWindows(args, setup, desktop, shown = {}) {
  return collect(shown, (report) => {
    const { program, args: all } = windowsTool(setup.windowsTree, vitest, [
      'run',
      '--root',
      windowsPath(root),
      ...args,
      ...reporters(windowsPath(report)),
    ]);
    /** @type {{ cwd: string, env: Record<string, string | undefined>, stdio: import('node:child_process').StdioOptions }} */
    const options = { cwd: root, env: { ...setup.nativeEnv, ...colour() }, stdio: ['ignore', 'pipe', 'pipe'] };
    return desktop
      ? desktop.run(program, all, options)
      : spawn(program, all, { ...options, env: { ...process.env, ...options.env } });
  });
}

const reporters = (report) => [
  '--reporter=default',
  '--reporter=./scripts/lib/long-file-reporter.mjs',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
const colour = () => (process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' });

/** @param {Shown} shown */
async function collect({ label, isPatient = false }, start) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-test-'));
  const report = path.join(folder, 'report.json');
  try {
    const child = start(report);
    if (isPatient && child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    let silent;
    const heard = () => {
      clearTimeout(silent);
      silent = setTimeout(() => {
        process.stderr.write(`\nNo output for ${silenceLimit / 60_000} minutes: the run was ended.\n`);
        signalGroup(child, 'SIGKILL');
      }, silenceLimit);
    };
    heard();
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', heard);
      if (label === undefined) from.pipe(to, { end: false });
      else readline.createInterface({ input: from }).on('line', (line) => to.write(`${label} | ${line}\n`));
    }
    const stop = () => signalGroup(child, 'SIGKILL');
    process.once('exit', stop);
    await ended(child);
    process.off('exit', stop);
    clearTimeout(silent);
    return countsOf(report, child);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(report, child) {
  if (!existsSync(report)) {
    process.stderr.write(
      `\nvitest ended without a report (${child.signalCode ?? `status ${child.exitCode}`}): counted as one failure.\n`,
    );
    return { passed: 0, failed: 1, notRun: [], outside: 1, files: {} };
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const count = (results, wanted) => results.filter(({ status }) => status === wanted).length;
  /** @type {Counts['files']} */
  const files = {};
  let outside = 0;
  for (const { name, status, assertionResults } of testResults) {
    const failed = count(assertionResults, 'failed');
    // a file that could not run, or whose process died, has no failed test
    if (status === 'failed' && failed === 0) outside += 1;
    else
      files[fromRoot(name)] = {
        passed: count(assertionResults, 'passed'),
        failed,
        notRun: assertionResults
          .filter((each) => each.status !== 'passed' && each.status !== 'failed')
          .map(({ fullName }) => fullName),
        failures: assertionResults.filter(({ status: each }) => each === 'failed').map(failureOf),
      };
  }
  const sum = (key) => Object.values(files).reduce((total, each) => total + each[key], 0);
  // an error outside a test fails vitest but is in no report
  if (outside === 0 && sum('failed') === 0 && child.exitCode !== 0) outside = 1;
  return {
    passed: sum('passed'),
    failed: sum('failed') + outside,
    notRun: Object.values(files).flatMap(({ notRun }) => notRun),
    outside,
    files,
  };
}

/** A failed test in a line: its name, and how its error begins. */
const failureOf = ({ fullName, failureMessages: [message = ''] }) =>
  `${fullName}: ${message.split('\n', 1)[0].slice(0, 300)}`;

/** Node for Windows names files by its own drive (`Z:/…`). */
const fromRoot = (file) => {
  const plain = file.replaceAll('\\', '/');
  const start = plain.lastIndexOf('/test/');
  return plain.startsWith('test/') || start < 0 ? plain : plain.slice(start + 1);
};
