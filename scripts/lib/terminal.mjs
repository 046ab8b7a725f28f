// A command in a terminal of its own, as a person types it there: its output, Ctrl+C, and closing the terminal.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolNode } from './dependencies.mjs';
import { isWindows, root } from './places.mjs';
import { end } from './processes.mjs';

/**
 * @typedef {object} Terminal
 * @property {import('node:child_process').ChildProcess} process ends with the command, or with the terminal
 * @property {() => string} output what was printed so far
 * @property {() => void} interrupt Ctrl+C
 * @property {() => void} close closes the terminal's window, or hangs up
 * @property {() => Promise<void>} dispose ends what is left
 */

/**
 * @param {string} command a line for the shell
 * @param {NodeJS.ProcessEnv} env
 * @returns {Terminal}
 */
export function openTerminal(command, env) {
  const file = path.join(os.tmpdir(), `uiahost-terminal-${process.pid}-${performance.now()}.log`);
  const log = openSync(file, 'w');
  // Elsewhere a group of processes stands for the terminal: its leader's group gets the signals.
  const child = isWindows
    ? spawn(toolNode(), [path.join(root, 'scripts/lib/windows-terminal.ts'), file, command], {
        cwd: root,
        env,
        stdio: ['pipe', 'ignore', log],
      })
    : spawn('sh', ['-c', command], { cwd: root, env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  child.stdin?.on('error', () => {});
  const send = (word, signal) =>
    isWindows ? void child.stdin?.write(`${word}\n`) : void process.kill(-(child.pid ?? 0), signal);
  return {
    process: child,
    output: () => readFileSync(file, 'utf8'),
    interrupt: () => send('interrupt', 'SIGINT'),
    close: () => send('close', 'SIGHUP'),
    dispose: async () => {
      await end(child, 0);
      rmSync(file, { force: true });
    },
  };
}
