// `node scripts/start.mjs`, or `npm start`: sets up what is missing, starts the host (on Linux on its own Windows desktop, under Wine), prints where
// it is, and ends everything that it started when it must stop.
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, ensureWindowsTree } from './lib/dependencies.mjs';
import { demoCommand, endWithThisProcess, sayIfMissing, windowCame } from './lib/demo.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { lastOutput, settingsHelp, startHost } from './lib/host.mjs';
import { tryLock } from './lib/lock.mjs';
import { callerFolder, dataFolder, isWindows, root, shellWord, windowsPath } from './lib/places.mjs';
import { end, ended, endRuns, start } from './lib/processes.mjs';
import { fail, say, SetupError, withBlocked } from './lib/progress.mjs';
import { ensureWine } from './lib/wine.mjs';

const usage = `Usage: node scripts/start.mjs [--ready-file FILE] [--no-demo]
  --ready-file FILE  written when the host answers: {"url","pid","agentTokenFile","operatorTokenFile","display"}; removed at the end
  --no-demo          opens no demo window
  --by-program       a program starts it, and no person agrees to the policy of the data directory
Variables:
${settingsHelp()}`;

/** How long the demo may take to show itself on Windows (milliseconds). */
const demoWithin = 10_000;

/** As src/contract/process/exit-codes.ts says. */
const { placeTaken } = JSON.parse(readFileSync(path.join(root, 'src/contract/process/exit-codes.json'), 'utf8'));

/** As src/host/home/config.ts says. */
const usualPort = 7423;

const options = readOptions();
const dataDir = ownFolder();
const readyFile = options['ready-file'] && path.resolve(callerFolder(), options['ready-file']);
/** What is running, in start order; ended in reverse order. */
const clean = [];

/** Resolves with the reason when a person, or the system, requests a stop. A second signal changes nothing. */
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve({ reason: signal }));
  whenNpmEnds(() => resolve({ reason: 'npm ended' }));
});

let status = 0;
try {
  const outcome = await Promise.race([stopped, startAndWatch()]);
  if (outcome.problem) {
    status = 1;
    process.stderr.write(`\n${withBlocked(outcome.problem)}\n`);
  }
  if (outcome.wasAsked) say('the host was asked to end, and has ended');
  say(`${outcome.problem ? 'ending the rest' : 'stopping'} …`);
} catch (error) {
  fail(error);
  status = error?.exitCode ?? 1;
}
await endRuns();
for (const undo of clean.reverse())
  await Promise.resolve(undo()).catch((error) => process.stderr.write(`${error.message}\n`));
if (status === 0) say('everything has ended');
process.exit(status);

/**
 * npm puts a shell between itself and us that does not forward signals. So if one of the two is gone, a stop was
 * requested. Without npm, the parent does not matter: `node scripts/start.mjs &` may outlive its shell.
 */
function whenNpmEnds(stop) {
  if (isWindows || process.env.npm_lifecycle_event !== 'start') return;
  const parentOf = (pid) => {
    try {
      return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return undefined;
    }
  };
  const shell = process.ppid;
  const npm = parentOf(shell);
  setInterval(() => {
    if (process.ppid !== shell || parentOf(shell) !== npm) stop();
  }, 250).unref();
}

/** Starts everything; resolves when a part of it ends unexpectedly. */
async function startAndWatch() {
  await takeDataFolder();
  const port = await ownPort();
  const [windowsTree] = await Promise.all([ensureWindowsTree(), ensurePackages(), isWindows || ensureWine()]);
  const { build } = await import('./build.mjs');
  const [desktop] = await Promise.all([isWindows ? undefined : ownDesktop(), build({ windowsTree })]);

  const command = options['no-demo'] ? undefined : demoCommand(windowsTree);
  const demo = command && startDemo(command, desktop);
  // The host grants the demo's program full for this run.
  const env = {
    ...(command ? { UIAHOST_DEMO_APPS: windowsPath(command.program) } : {}),
    // Typed by a person, who agrees to the policy of the data directory; `uiahost start` and a bridge say that they are none.
    ...(options['by-program'] ? {} : { UIAHOST_NPM_START: '1' }),
  };
  const host = await startHost({ dataDir, windowsTree, desktop, env: { ...env, ...port } });
  clean.push(() => host.stop());
  if (demo) await sayIfMissing(demoCame(demo, desktop, host), say);
  announce(host, desktop);
  return Promise.race([
    ended(host.process).then(() => ({
      // With status 0 it was asked to: by `uiahost stop-host`, or by a signal.
      wasAsked: host.process.exitCode === 0,
      problem:
        host.process.exitCode === 0
          ? undefined
          : `The host ended unexpectedly (${host.process.signalCode ?? `status ${host.process.exitCode}`}). Last output:\n${lastOutput(host.logFile)}`,
    })),
    ...(desktop ? [desktop.lost().then((what) => ({ problem: `The desktop is lost: ${what} ended.` }))] : []),
  ]);
}

/** The host of a data directory of its own takes a free port where the usual one is used. */
async function ownPort() {
  if (process.env.UIAHOST_PORT?.trim()) return {};
  const user = await userOf(usualPort);
  if (user === undefined) return {};
  if (!process.env.UIAHOST_DATA_DIR)
    throw new SetupError(
      `${user} uses port ${usualPort}, which the host needs. Nothing was started.`,
      `end it, or take another port: UIAHOST_PORT=0 node scripts/start.mjs. Which process it is: ${isWindows ? 'netstat -ano' : 'ss -ltnp'}`,
      placeTaken,
    );
  say(`${user} uses port ${usualPort}: this host takes a free one`);
  return { UIAHOST_PORT: '0' };
}

/** What listens on a port of this machine, in words; undefined if nothing does. */
async function userOf(port) {
  const socket = net.connect(port, '127.0.0.1');
  const accepts = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!accepts) return undefined;
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
    .then((response) => response.json())
    .catch(() => undefined);
  return answer?.status === 'ok' && answer.version ? 'Another uiahost' : 'Another program';
}

/** Only one `npm start` for a data directory: two hosts would write one database, two Wines one disk. */
async function takeDataFolder() {
  mkdirSync(dataDir, { recursive: true });
  if (!isWindows) chmodSync(dataDir, 0o700);
  const lock = await tryLock(path.join(dataDir, 'start.lock'));
  if (!lock) {
    const other = readJson(path.join(dataDir, 'host.json'))?.url;
    throw new SetupError(
      `Another node scripts/start.mjs uses the data directory ${dataDir}${other ? ` (its host: ${other})` : ''}.`,
      'use that one, end it, or give this one its own directory and port: UIAHOST_DATA_DIR=… UIAHOST_PORT=0 node scripts/start.mjs',
      placeTaken,
    );
  }
  clean.push(() => lock.release());
  // what a killed start left behind must not be mistaken for ours
  for (const file of [readyFile, path.join(dataDir, 'desktop.json')]) if (file) rmSync(file, { force: true });
}

function ownFolder() {
  try {
    return dataFolder();
  } catch (error) {
    fail(error);
    return process.exit(1);
  }
}

async function ownDesktop() {
  const desktop = await startDesktop({ prefix: path.join(dataDir, 'desktop') });
  clean.push(() => desktop.stop());
  const place = path.join(dataDir, 'desktop.json');
  writeFileSync(place, `${JSON.stringify(desktop.description, null, 2)}\n`, { mode: 0o600 });
  clean.push(() => rmSync(place, { force: true }));
  return desktop;
}

function startDemo({ program, args }, desktop) {
  if (desktop) return desktop.run(program, args);
  const demo = start(program, args, { isShown: true });
  demo.on('error', (error) => say(`The demo could not be started: ${error.message}`));
  clean.push(() => end(demo, 0));
  endWithThisProcess(demo);
  return demo;
}

/** On Windows the host is asked: it sees what a person sees. */
async function demoCame(demo, desktop, host) {
  if (desktop) return desktop.waitForWindow();
  return (
    demo.pid !== undefined &&
    windowCame({
      url: host.url,
      token: readFileSync(host.agentTokenFile, 'utf8').trim(),
      pid: demo.pid,
      within: demoWithin,
    })
  );
}

function announce(host, desktop) {
  if (readyFile) {
    mkdirSync(path.dirname(readyFile), { recursive: true });
    writeFileSync(
      `${readyFile}.new`,
      JSON.stringify({
        url: host.url,
        pid: host.pid,
        agentTokenFile: host.agentTokenFile,
        operatorTokenFile: host.operatorTokenFile,
        ...(desktop ? { display: desktop.display } : {}),
      }),
    );
    renameSync(`${readyFile}.new`, readyFile);
    clean.push(() => rmSync(readyFile, { force: true }));
  }
  // The README's own lines, the same in every shell; another data directory is named first.
  const folder = process.env.UIAHOST_DATA_DIR && !isWindows ? `UIAHOST_DATA_DIR=${shellWord(dataDir)} ` : '';
  const next = ['list-visible-windows', 'bind-to-window --title "uiahost demo"', 'snapshot'];
  say('ready');
  process.stdout.write(`
uiahost answers on ${host.url}
  agent token      ${host.agentTokenFile}
  operator token   ${host.operatorTokenFile}
  log              ${path.join(dataDir, 'logs', 'host.log')}
${desktop ? `  desktop          ${desktop.display}, Windows disk in ${desktop.prefix}\n` : ''}
Next:
${next.map((words) => `  ${folder}node bin/uiahost.mjs ${words}`).join('\n')}

Ctrl+C ends it.
`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        'ready-file': { type: 'string' },
        'no-demo': { type: 'boolean' },
        'by-program': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (!values.help) return values;
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}
