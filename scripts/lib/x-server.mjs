// Our own X server without a screen (Xvfb), on an unused display number.
import { connect } from 'node:net';
import { end, ended, start } from './processes.mjs';
import { onProcessor } from './processors.mjs';
import { SetupError } from './progress.mjs';

/** Numbers below are for people's own sessions. */
const firstDisplay = 99;
const lastDisplay = 399;

/**
 * Starts Xvfb on the first free display from :99 up. Xvfb's own lock file decides between two that start at the same
 * time.
 * @param {import('./wine.mjs').WineRuntime} wine
 * @param {{ width: number, height: number, processor?: number | undefined }} options size in pixels; the processor to stay on
 * @returns {Promise<{ display: string, process: import('node:child_process').ChildProcess }>}
 */
export async function startXServer(wine, { width, height, processor }) {
  let lastOutput = '';
  for (let number = firstDisplay; number <= lastDisplay; number += 1) {
    if (await isTaken(number)) continue;
    const { command, args, cwd } = wine.xvfb;
    const server = start(
      ...onProcessor(processor, command, [
        `:${number}`,
        ...args,
        '-displayfd',
        '3',
        '-screen',
        '0',
        `${width}x${height}x24`,
        '-nolisten',
        'tcp',
        '-noreset',
      ]),
      {
        cwd,
        env: { ...process.env, ...wine.env },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        deathSignal: 'TERM',
      },
    );
    let words = '';
    const errors = /** @type {import('node:net').Socket} */ (server.stderr);
    errors.setEncoding('utf8').on('data', (text) => {
      words = (words + text).slice(-2000);
    });
    if (await answersOn(server)) {
      errors.removeAllListeners('data').resume();
      errors.unref();
      return { display: `:${number}`, process: server };
    }
    await end(server);
    lastOutput = words;
    // another start took the number first: Xvfb finds its lock file or its socket
    if (!/already|in use|lock/i.test(words) && !(await isTaken(number))) break;
  }
  throw new SetupError(
    `Xvfb, the X server, did not start.${lastOutput ? `\n    ${lastOutput.trim().replaceAll('\n', '\n    ')}` : ''}`,
    'end other X servers, or remove the cache folder and run the command again',
  );
}

/** True once the server has written its number to the pipe; false if it ended or wrote nothing for 20 seconds. */
async function answersOn(server) {
  const pipe = server.stdio[3];
  // the number and the line end come in two writes; closing the pipe between them would end the server
  const written = new Promise((resolve) =>
    pipe.on('data', (data) => {
      if (data.includes(10)) resolve(true);
    }),
  );
  const gone = ended(server, 20_000).then(() => false);
  server.once('error', () => {});
  const result = await Promise.race([written, gone]);
  pipe.destroy();
  return result;
}

function isTaken(number) {
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code !== 'ENOENT' && error.code !== 'ECONNREFUSED'),
    );
  });
}
