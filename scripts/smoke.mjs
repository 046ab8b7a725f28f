// `npm run smoke`: `npm start` as a person uses it, twice: started in a terminal, ready, a first action in the demo, ended by
// Ctrl+C, and by closing the terminal; nothing may be left.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensurePackages } from './lib/dependencies.mjs';
import { isWindows } from './lib/places.mjs';
import { isAlive } from './lib/processes.mjs';
import { fail, say, SetupError } from './lib/progress.mjs';
import { openTerminal } from './lib/terminal.mjs';

/** The first start sets up what is missing: downloads, and a build. */
const readyWithin = 20 * 60_000;
const endsWithin = 30_000;
const every = 100;

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-smoke-'));
try {
  // On Windows the terminal is opened by a program that needs them.
  if (isWindows) await ensurePackages();
  await walk('Ctrl+C', (terminal) => terminal.interrupt());
  // What closes a terminal may end npm start before it has removed its files. Even then no program may be left.
  await walk('closing the terminal', (terminal) => terminal.close(), { isOrderly: !isWindows });
  say('everything worked, and nothing is left');
} catch (error) {
  fail(error);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Start, ready, first action, end, nothing left.
 * @param {string} name
 * @param {(terminal: import('./lib/terminal.mjs').Terminal) => void} stop
 * @param {{ isOrderly?: boolean }} [options]
 */
async function walk(name, stop, { isOrderly = true } = {}) {
  const dataDir = path.join(folder, name.replaceAll(/\W/g, ''));
  const readyFile = `${dataDir}.json`;
  const env = { ...withoutNpm(process.env), UIAHOST_DATA_DIR: dataDir, UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full' };
  const terminal = openTerminal(`npm start -- --ready-file "${readyFile}"`, env);
  try {
    await until(() => existsSync(readyFile) || terminal.process.exitCode !== null, readyWithin, 'npm start gets ready');
    if (!existsSync(readyFile)) throw new SetupError(`npm start ended with ${terminal.process.exitCode}.`);
    const ready = JSON.parse(readFileSync(readyFile, 'utf8'));
    say(`ready: ${ready.url}`);
    const pids = [ready.pid, ...(await firstAction(ready))];
    stop(terminal);
    if (isOrderly) await until(() => !existsSync(readyFile), endsWithin, `the ready file goes after ${name}`);
    await until(() => isGone(ready.url), endsWithin, `the host ends after ${name}`);
    if (isWindows) await until(() => !pids.some(isAlive), endsWithin, `host and demo end after ${name}`);
    if (existsSync(path.join(dataDir, 'host.json'))) throw new SetupError(`host.json is left after ${name}.`);
    say(`ended by ${name}`);
  } catch (error) {
    process.stderr.write(`\nWhat npm start printed:\n${terminal.output()}\n`);
    throw error;
  } finally {
    await terminal.dispose();
  }
}

/** Binds the demo and fills a field in; the process ids of the demo. */
async function firstAction({ url, agentTokenFile }) {
  const token = readFileSync(agentTokenFile, 'utf8').trim();
  const call = async (action, input) => {
    const answer = await fetch(`${url}/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const body = /** @type {any} */ (await answer.json());
    if (answer.status !== 200) throw new SetupError(`${action}: ${answer.status} ${JSON.stringify(body)}`);
    return body;
  };
  const { value: listed } = await call('list-visible-windows', {});
  const demos = listed.filter(({ title }) => title === 'uiahost demo');
  if (demos.length !== 1) throw new SetupError(`The demo's window is not visible; listed: ${JSON.stringify(listed)}`);
  await call('bind-to-window', { hwnd: demos[0].hwnd });
  const { outcome } = await call('type-into-element', { name: 'Customer', text: 'Smoke' });
  if (outcome?.effect !== 'confirmed') throw new SetupError(`The text is not confirmed: ${JSON.stringify(outcome)}`);
  say('first action: confirmed');
  return demos.map(({ pid }) => pid);
}

function isGone(url) {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  );
}

/** What this npm set for its own script is not what a person's terminal has. */
function withoutNpm(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
}

async function until(holds, milliseconds, what) {
  for (const limit = performance.now() + milliseconds; !(await holds());) {
    if (performance.now() > limit) throw new SetupError(`Not within ${milliseconds / 1000} s: ${what}.`);
    await new Promise((done) => setTimeout(done, every));
  }
}
