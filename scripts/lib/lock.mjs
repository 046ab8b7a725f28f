// Locks between processes that set up the same thing. The kernel releases them when their owner dies, however it dies:
// on Linux flock(1) of util-linux holds a file for as long as its standard input is open, on Windows a named pipe
// exists for as long as its server.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { isWindows } from './places.mjs';
import { SetupError } from './progress.mjs';

/**
 * Takes the lock on a file, or returns undefined if another process has it.
 * @param {string} file
 * @returns {Promise<{ release(): Promise<void> } | undefined>}
 */
export function tryLock(file) {
  return isWindows ? lockByPipe(file) : lockByFlock(file, ['-n']);
}

/**
 * Waits for the lock on a file, runs the work, releases it.
 * @template T
 * @param {string} file
 * @param {() => Promise<T> | T} work
 * @param {() => void} [onWait] called once if another process has it
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait) {
  let lock = await tryLock(file);
  if (!lock) {
    onWait?.();
    if (!isWindows) lock = await lockByFlock(file, []);
    while (!lock) {
      await new Promise((done) => setTimeout(done, 200));
      lock = await lockByPipe(file);
    }
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function lockByFlock(file, options) {
  mkdirSync(path.dirname(file), { recursive: true });
  return new Promise((resolve, reject) => {
    // its own process group: the terminal's Ctrl+C must not release a lock that is still needed
    const holder = spawn('flock', [...options, file, 'sh', '-c', 'echo; exec cat >/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    holder.stdin.on('error', () => {});
    holder.on('error', () => reject(new SetupError('flock(1) is missing.', 'install util-linux')));
    const ended = new Promise((done) => holder.on('exit', done));
    void ended.then((code) =>
      code === 1
        ? resolve(undefined)
        : reject(new SetupError(`The lock ${file} could not be acquired (flock: ${code}).`)),
    );
    holder.stdout.once('data', () => {
      holder.unref();
      resolve({
        async release() {
          holder.ref();
          holder.stdin.end();
          await ended;
        },
      });
    });
  });
}

function lockByPipe(file) {
  const name = `\\\\.\\pipe\\uiahost-lock-${createHash('sha256').update(path.resolve(file).toLowerCase()).digest('hex').slice(0, 24)}`;
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(done)) });
    });
  });
}
