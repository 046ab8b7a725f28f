// Child processes: each leader has its own process group, so that the terminal's Ctrl+C reaches only the starter, and
// on Linux the kernel ends it if the starter is killed (SIGKILL).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isWindows } from './places.mjs';
import { SetupError } from './progress.mjs';

/** Full path of a program on PATH, or undefined. */
export function which(program, searchPath = process.env.PATH ?? '') {
  const suffixes = isWindows ? ['.exe', '.cmd', ''] : [''];
  for (const folder of searchPath.split(path.delimiter)) {
    for (const suffix of suffixes) {
      const file = path.join(folder, program + suffix);
      if (folder && existsSync(file)) return file;
    }
  }
  return undefined;
}

let hasSetpriv;
/** A command that ends with its parent: `setpriv --pdeathsig` of util-linux, if available. */
/** @returns {[command: string, args: string[]]} */
function boundToParent(command, args, signal) {
  hasSetpriv ??= !isWindows && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0;
  return hasSetpriv ? ['setpriv', ['--pdeathsig', signal, '--', command, ...args]] : [command, args];
}

/** Children of launch() that have not ended yet. */
const running = new Set();

/** Ends every set-up step that is still running: the command was stopped in the middle. npm obeys only SIGKILL. */
export async function endRuns() {
  const children = [...running];
  for (const child of children) child.kill('SIGTERM');
  for (const child of children) {
    if (!(await ended(child, 500))) child.kill('SIGKILL');
    await ended(child, 2000);
  }
}

/**
 * Starts a step of a set-up: it ends with this process, and by endRuns().
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess & { stdout: import('node:stream').Readable, stderr:
 * import('node:stream').Readable }} `stdout` and `stderr` if they are piped
 */
export function launch(command, args, options) {
  const [program, words] = boundToParent(command, args, 'KILL');
  const child = /** @type {any} */ (spawn(program, words, options));
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Runs a program to its end and returns its standard output. The error shows the end of its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, what?: string, cure?: string }} [options]
 * @returns {Promise<string>}
 */
export function run(command, args, { cwd, env, what = path.basename(command), cure } = {}) {
  return new Promise((resolve, reject) => {
    const child = launch(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let out = '';
    let all = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      all = (all + text).slice(-4000);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      all = (all + text).slice(-4000);
    });
    child.on('error', (error) => reject(new SetupError(`${what} could not be started: ${error.message}`, cure)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(out);
      else
        reject(
          new SetupError(
            `${what} failed (${signal ?? `status ${code}`}).${all.trim() ? `\n${indent(all.trim())}` : ''}`,
            cure,
          ),
        );
    });
  });
}

const indent = (text) =>
  text
    .split('\n')
    .slice(-20)
    .map((line) => `    ${line}`)
    .join('\n');

/**
 * Starts a program that ends with this process at the latest. Its pid is the child's own (setpriv execs it).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions, deathSignal?: 'TERM' | 'KILL', isShown?: boolean }} [options]
 *   isShown: a program with windows that people should see; on Windows others start hidden, including their windows
 * @returns {import('node:child_process').ChildProcess}
 */
export function start(command, args, { cwd, env, stdio = 'ignore', deathSignal = 'KILL', isShown = false } = {}) {
  const [program, argv] = boundToParent(command, args, deathSignal);
  return spawn(program, argv, { cwd, env, stdio, detached: true, windowsHide: !isShown });
}

/** Resolves when the child has ended (immediately if it already has); `false` after the time limit. */
export function ended(child, milliseconds = Infinity) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer =
      milliseconds === Infinity
        ? undefined
        : setTimeout(() => {
            child.off('exit', onExit);
            resolve(false);
          }, milliseconds);
    const onExit = () => {
      clearTimeout(timer);
      resolve(true);
    };
    child.once('exit', onExit);
  });
}

/**
 * Runs a program to its end without its output. For Wine's own programs: services that they start inherit the output
 * pipes and would keep them open for seconds.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, what?: string }} [options]
 */
export async function runQuietly(command, args, { env, what = path.basename(command) } = {}) {
  const child = launch(command, args, { env, stdio: 'ignore', windowsHide: true });
  await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SetupError(`${what} could not be started: ${error.message}`)));
    child.on('exit', (code, signal) =>
      code === 0 ? resolve(undefined) : reject(new SetupError(`${what} failed (${signal ?? `status ${code}`}).`)),
    );
  });
}

/** Ends a child's whole group: first with SIGTERM, then kills what is left after the grace time (milliseconds). */
export async function end(child, grace = 2000) {
  if (child?.pid === undefined) return;
  signalGroup(child, 'SIGTERM');
  if (!(await ended(child, grace))) {
    signalGroup(child, 'SIGKILL');
    await ended(child, 2000);
  }
}

export function signalGroup(child, signal) {
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Whether a process with this pid exists. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
