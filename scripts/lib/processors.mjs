// On which processor a desktop's programs run best. Windows programs under Wine take turns with its server many
// thousand times a second, each waiting for the other. Virtual machines need 15 to 100 microseconds longer to wake another
// processor than for a turn on one and the same; there a desktop on a single processor is about three times as fast (a C
// program read 300 controls in 67 ms instead of 264, where a turn took 17 to 43 microseconds longer).
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { isWindows } from './places.mjs';

const TURNS = 400;
/** How much longer a turn between two processors may take, in microseconds. */
const MOST_LONGER = 10;

/**
 * The processor that a new desktop's programs should stay on, or undefined for all of them: where turns between two
 * processors are quick, where there is one, or without `taskset` of util-linux.
 * @param {number} [lane] the desktop's number among those at the same time, which spread; several runs spread as well
 * @returns {Promise<number | undefined>}
 */
export async function processorOfDesktop(lane = process.pid) {
  if (isWindows || os.availableParallelism() < 2) return undefined;
  if (spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const all = ownProcessors();
  const at = lane % all.length;
  const [here, there] = [all[at], all[(at + 1) % all.length]];
  const measured = await measure(here, there);
  return measured !== undefined && measured.there - measured.here > MOST_LONGER ? here : undefined;
}

/** A command that stays on a processor, and all that it starts. The pid is the command's own. */
/** @returns {[command: string, args: string[]]} */
export function onProcessor(processor, command, args) {
  return processor === undefined ? [command, [...args]] : ['taskset', ['-c', String(processor), command, ...args]];
}

/** The processors that this process may use: "0-3,8". */
function ownProcessors() {
  const [, list = '0'] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** Median microseconds of a turn on one processor, and with the other one; undefined if it cannot be measured. */
async function measure(here, there) {
  const child = spawn(
    'taskset',
    ['-c', here, process.execPath, fileURLToPath(import.meta.url), here, there].map(String),
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await new Promise((done) => child.once('close', done).once('error', done));
  clearTimeout(timer);
  try {
    return JSON.parse(out);
  } catch {
    return undefined;
  }
}

/** Turns with `cat` on that processor. */
async function turn(processor) {
  const [command, args] = onProcessor(processor, 'cat', []);
  const echo = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const times = [];
  for (let count = 0; count < TURNS; count += 1) {
    const start = process.hrtime.bigint();
    echo.stdin.write('x');
    await new Promise((done) => echo.stdout.once('data', done));
    times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  echo.stdin.end();
  return times.sort((a, b) => a - b)[TURNS / 2];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [here, there] = process.argv.slice(2);
  process.stdout.write(JSON.stringify({ here: await turn(here), there: await turn(there) }));
}
