// `npm run fleet`: a fleet to try on one machine (Linux). A NATS server, three hosts each on a Windows desktop of its own with
// the demo, an orchestrator's ten jobs to their pool, one link killed meanwhile, and the table of outcomes. Everything ends.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, ensureWindowsTree, toolNode } from './lib/dependencies.mjs';
import { demoCommand } from './lib/demo.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { startHost } from './lib/host.mjs';
import { ensureNatsServer } from './lib/nats.mjs';
import { isWindows, root, windowsPath } from './lib/places.mjs';
import { end, ended, endRuns, start } from './lib/processes.mjs';
import { fail, say, SetupError, step } from './lib/progress.mjs';
import { ensureWine } from './lib/wine.mjs';

const SEATS = ['pc1', 'pc2', 'pc3'];
const JOBS = 10;
const ANSWERS_MS = 30_000;

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-fleet-'));
/** What is running, in start order; ended in reverse order. */
const clean = [];
/** The link of each seat. */
const links = new Map();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await stopAll();
    process.exit(1);
  });

try {
  if (isWindows)
    throw new SetupError('This demonstration is for Linux, where each host gets a desktop.', 'see docs/fleet.md');
  const [windowsTree, program] = await Promise.all([
    ensureWindowsTree(),
    ensureNatsServer(),
    ensurePackages(),
    ensureWine(),
  ]);
  const { build } = await import('./build.mjs');
  await build({ windowsTree });
  const began = performance.now();
  await startServer(program);
  await step('three hosts', () => Promise.all(SEATS.map((name) => startSeat(name, windowsTree))));
  await step('ten jobs, and one kill', runJobs);
  say(`${((performance.now() - began) / 1000).toFixed(0)} s from the server’s start to the last outcome`);
} catch (error) {
  fail(error);
} finally {
  await stopAll();
}

async function stopAll() {
  for (const undo of clean.splice(0).reverse())
    await Promise.resolve(undo()).catch((error) => process.stderr.write(`${error.message}\n`));
  await endRuns();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A command of uiahost for one machine; its output. */
async function uiahost(name, ...words) {
  const env = { ...process.env, UIAHOST_DATA_DIR: path.join(folder, name) };
  const child = spawn(toolNode(), [path.join(root, 'bin/uiahost.mjs'), ...words], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await ended(child);
  if (child.exitCode !== 0) throw new SetupError(`uiahost ${words.join(' ')} ended with ${child.exitCode}: ${output}`);
  return output;
}

async function startServer(program) {
  const tenant = path.join(folder, 'tenant');
  await uiahost('admin', 'fleet', 'init', '--tenant', tenant, '--server', `nats://127.0.0.1:${await freePort()}`);
  const server = start(program, ['-c', path.join(tenant, 'server.conf')], { stdio: 'ignore' });
  clean.push(() => end(server, 0));
  await until(() => uiahost('admin', 'fleet', 'provision', '--tenant', tenant).then(() => true), 'the server');
  const enrol = (name, ...more) =>
    uiahost('admin', 'fleet', 'enrol', name, '--tenant', tenant, '--out', path.join(folder, `${name}.json`), ...more);
  await enrol('orders', '--role', 'orchestrator');
  for (const name of SEATS) await enrol(name, '--pools', 'demo');
}

async function startSeat(name, windowsTree) {
  const dataDir = path.join(folder, name);
  const desktop = await startDesktop({ prefix: path.join(folder, `${name}-desktop`) });
  clean.push(() => desktop.stop());
  const { program, args } = demoCommand(windowsTree);
  desktop.run(program, args);
  const env = { UIAHOST_DEMO_APPS: windowsPath(program), UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full' };
  const host = await startHost({ dataDir, windowsTree, desktop, env });
  clean.push(() => host.stop());
  await desktop.waitForWindow();
  await uiahost(name, 'fleet', 'join', path.join(folder, `${name}.json`), '--orchestrator', 'orders');
  startLink(name);
  const report = path.join(dataDir, 'fleet/link.json');
  await until(
    () => existsSync(report) && JSON.parse(readFileSync(report, 'utf8')).takesNoJob === null,
    `the link of ${name}`,
  );
}

function startLink(name) {
  const link = start(toolNode(), [path.join(root, 'dist/fleet.mjs'), path.join(folder, name)], { stdio: 'ignore' });
  if (!links.has(name)) clean.push(() => end(links.get(name), 0));
  links.set(name, link);
}

async function runJobs() {
  const { fleet: open } = await import(pathToFileURL(path.join(root, 'dist/client.mjs')).href);
  const fleet = await open({ credential: readFileSync(path.join(folder, 'orders.json'), 'utf8') });
  try {
    const told = Array.from({ length: JOBS }, (_, index) =>
      fleet.run(
        'p_demo',
        [
          { action: 'bind-to-window', input: { title: 'uiahost demo' } },
          { action: 'type-into-element', input: { name: 'Customer', text: `job ${index + 1}` } },
        ],
        { idempotencyKey: `job-${index + 1}` },
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    say('killing the link of pc2, and starting it again');
    links.get('pc2').kill('SIGKILL');
    await ended(links.get('pc2'));
    startLink('pc2');
    const outcomes = await Promise.all(told);
    process.stdout.write(
      `\n${['job', 'seat', 'outcome', 'delivery', 'why'].map((word) => word.padEnd(12)).join('')}\n`,
    );
    for (const { id, seat, status, delivery, code = '' } of outcomes)
      process.stdout.write(`${[id, seat ?? '-', status, delivery, code].map((word) => word.padEnd(12)).join('')}\n`);
    process.stdout.write('\n');
    if (outcomes.some(({ status }) => status !== 'succeeded' && status !== 'unknown')) process.exitCode = 1;
  } finally {
    await fleet.close();
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Errors: SetupError with the last reason. */
async function until(look, what) {
  let last = '';
  for (const latest = performance.now() + ANSWERS_MS; performance.now() < latest;) {
    try {
      if (await look()) return;
    } catch (error) {
      last = error.message;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new SetupError(`${what} did not come within ${ANSWERS_MS / 1000} s. ${last}`, 'see docs/fleet.md');
}
