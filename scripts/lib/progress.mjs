// Progress on the terminal: one line per step, with the seconds since the command began.
const began = performance.now();
const seconds = (since = began) => ((performance.now() - since) / 1000).toFixed(1);

/** Prints one line with the time. */
export function say(text) {
  process.stdout.write(`[${seconds().padStart(5)} s] ${text}\n`);
}

/**
 * Runs one step and reports when it is done; a long one also when it begins.
 * @template T
 * @param {string} what
 * @param {() => Promise<T> | T} work
 * @param {{ long?: boolean }} [options] long: also print a line at the beginning
 * @returns {Promise<T>}
 */
export async function step(what, work, { long = false } = {}) {
  const from = performance.now();
  if (long) say(`${what} …`);
  try {
    const result = await work();
    say(`${what}: ready in ${seconds(from)} s`);
    return result;
  } catch (error) {
    say(`${what}: failed after ${seconds(from)} s`);
    throw error;
  }
}

/** An error whose text is meant for the person at the terminal: what happened, and what to try. No stack is shown. */
export class SetupError extends Error {
  /** @param {string} what @param {string} [cure] @param {number} [exitCode] */
  constructor(what, cure, exitCode = 1) {
    super(cure ? `${what}\n  Try: ${cure}` : what);
    this.name = 'SetupError';
    this.exitCode = exitCode;
  }
}

/** What Node prints where Windows does not load a file, or does not start a program. */
const BLOCKED = /ERR_DLOPEN_FAILED|spawn UNKNOWN|ERROR_SYSTEM_INTEGRITY|Application Control policy/i;

/** The text; where a file was blocked on Windows, with what blocks unsigned files there. */
export const withBlocked = (text, platform = process.platform) =>
  platform === 'win32' && BLOCKED.test(text)
    ? `${text}\n  Smart App Control, or App Control for Business (WDAC), may have blocked a file that is not signed.\n  Try: docs/deploy/scanners.md says how to see that, and what to do`
    : text;

/** Ends a command after an error: the text alone for a SetupError, the stack for anything unforeseen. */
export function fail(error) {
  const text = error instanceof SetupError ? error.message : (error?.stack ?? String(error));
  process.stderr.write(`\n${withBlocked(text)}\n`);
  process.exitCode = 1;
}
