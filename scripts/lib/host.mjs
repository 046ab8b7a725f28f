// The host process: starts it, waits until it answers, and ends it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolNode, windowsNode } from './dependencies.mjs';
import { callerFolder, isWindows, root, windowsPath } from './places.mjs';
import { end, ended, start } from './processes.mjs';
import { SetupError } from './progress.mjs';

const answersWithin = 60_000;
const endsWithin = 5000;

/** Every variable, as src/contract/process/settings.ts says. */
const settings = JSON.parse(readFileSync(path.join(root, 'src/contract/process/settings.json'), 'utf8'));

const isPersons = (from) => from === 'anyone' || from === 'person';

/**
 * The settings of the host that this process was given, as the host takes them: paths are Windows' own.
 * @returns {Record<string, string>}
 */
function givenSettings() {
  const given = Object.entries(settings.host).filter(
    ([name, { from }]) => isPersons(from) && process.env[name]?.trim(),
  );
  return Object.fromEntries(
    given.map(([name, { is }]) => [
      name,
      is === 'path' ? windowsPath(path.resolve(callerFolder(), (process.env[name] ?? '').trim())) : process.env[name],
    ]),
  );
}

/** The variables that a person may set for the host, one a line. */
export const settingsHelp = () =>
  Object.entries({ ...settings.host, UIAHOST_CACHE: settings.tools.UIAHOST_CACHE })
    .filter(([, { from }]) => isPersons(from))
    .map(([name, { help }]) => `  ${name.padEnd(23)} ${help.replaceAll('`', '')}`)
    .join('\n');

/**
 * Program, arguments and variables of the host, for this machine's own Windows or for Wine.
 * @param {{ dataDir: string, windowsTree: string, env?: Record<string, string | undefined> }} options dataDir: a path of
 *   this machine; windowsTree: folder of ensureWindowsTree; env: further variables, over those of this process
 * @returns {{ program: string, args: string[], env: Record<string, string> }}
 */
export function hostCommand({ dataDir, windowsTree, env = {} }) {
  const given = { ...givenSettings(), ...env };
  return {
    program: windowsNodeHere(windowsTree),
    args: [windowsPath(path.join(root, 'dist/host.mjs')), '--exit-with-stdin'],
    env: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== '')),
      UIAHOST_DATA_DIR: windowsPath(dataDir),
    },
  };
}

/** Windows' Node: on Windows itself this process's own, or the package's if it is too old for the bundles. */
export function windowsNodeHere(tree) {
  return isWindows ? toolNode() : windowsNode(tree);
}

/**
 * @typedef {object} RunningHost
 * @property {string} url
 * @property {number} pid of the host process itself, on this machine
 * @property {string} agentTokenFile
 * @property {string} operatorTokenFile
 * @property {string} logFile what the host prints (its log is logs/host.log in the data directory)
 * @property {import('node:child_process').ChildProcess} process
 * @property {() => Promise<void>} stop closes its standard input, waits, and kills it if it does not end
 */

/**
 * Closes a host's standard input once it has ended by itself, such as by a signal to its process. Under Wine it reads that
 * input with a blocking call (scripts/runtime/wine-stdio.cjs), and Node's exit waits for that call to return.
 */
function letGo(child, place) {
  const watch = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) clearInterval(watch);
    else if (!existsSync(place)) {
      clearInterval(watch);
      child.stdin?.end();
    }
  }, 500);
  watch.unref();
}

/**
 * Starts a host and waits until it answers.
 * @param {{ dataDir: string, windowsTree: string, desktop?: import('./desktop.mjs').Desktop, env?: Record<string, string | undefined> }} options desktop: on Linux
 * @returns {Promise<RunningHost>}
 */
export async function startHost({ dataDir, windowsTree, desktop, env }) {
  if (!existsSync(path.join(root, 'dist/host.mjs')))
    throw new SetupError('dist/host.mjs is missing: the host has not been built.', 'node scripts/build.mjs');
  mkdirSync(dataDir, { recursive: true });
  // an old file would be mistaken for this host's
  const place = path.join(dataDir, 'host.json');
  rmSync(place, { force: true });
  // what it prints, which shows why if it cannot start; its own log is logs/host.log
  const logFile = path.join(dataDir, 'host-output.log');
  const log = openSync(logFile, 'w', 0o600);
  const command = hostCommand({ dataDir, windowsTree, env });
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['pipe', log, log];
  const child = desktop
    ? desktop.run(command.program, command.args, { env: command.env, cwd: root, stdio })
    : start(command.program, command.args, { env: { ...withoutOurs(process.env), ...command.env }, cwd: root, stdio });
  closeSync(log);
  child.stdin?.on('error', () => {});
  child.on('error', () => {});
  let stopping;
  const stop = () =>
    (stopping ??= (async () => {
      child.stdin?.end();
      if (!(await ended(child, endsWithin))) await end(child, 0);
      // a killed host could not remove the first
      for (const name of ['host.json', 'agent.given-token', 'operator.given-token'])
        rmSync(path.join(dataDir, name), { force: true });
    })());
  try {
    const url = await answer(child, place, logFile);
    letGo(child, place);
    return {
      url,
      pid: child.pid ?? 0,
      logFile,
      process: child,
      stop,
      agentTokenFile: tokenFile(dataDir, 'agent', command.env.UIAHOST_AGENT_TOKEN),
      operatorTokenFile: tokenFile(dataDir, 'operator', command.env.UIAHOST_OPERATOR_TOKEN),
    };
  } catch (error) {
    await end(child, 0);
    throw error;
  }
}

/**
 * The file with the host's token: its own, or a temporary one with a token given by a variable, which the host does not
 * store.
 */
function tokenFile(dataDir, scope, given) {
  const file = path.join(dataDir, given ? `${scope}.given-token` : `${scope}.token`);
  if (given) writeFileSync(file, given, { mode: 0o600 });
  return file;
}

/** A variable of the person's environment must not move the host elsewhere. */
const withoutOurs = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(UIAHOST_|npm_)/i.test(name)));

async function answer(child, place, logFile) {
  const died = ended(child).then(() => 'died');
  for (const until = performance.now() + answersWithin; performance.now() < until;) {
    const url = urlIn(place);
    if (url && (await isHealthy(url))) return url;
    if ((await Promise.race([died, new Promise((done) => setTimeout(done, 50))])) === 'died') {
      throw new SetupError(
        `The host ended before it answered (${child.signalCode ?? `status ${child.exitCode}`}). Last output:\n${lastOutput(logFile)}`,
        `look into ${logFile}`,
      );
    }
  }
  throw new SetupError(
    `The host did not answer within ${answersWithin / 1000} s. Last output:\n${lastOutput(logFile)}`,
    `see ${logFile}, then run the command again`,
  );
}

function urlIn(place) {
  try {
    return JSON.parse(readFileSync(place, 'utf8')).url;
  } catch {
    return undefined;
  }
}

async function isHealthy(url) {
  try {
    return (await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

/** The end of what the host printed. */
export function lastOutput(logFile) {
  const text = existsSync(logFile) ? readFileSync(logFile, 'utf8').trim() : '';
  return text
    ? text
        .split('\n')
        .slice(-15)
        .map((line) => `    ${line}`)
        .join('\n')
    : '    (it printed nothing)';
}

/** The first start sets up what is missing: downloads, and a build. */
const isReadyWithin = 20 * 60_000;

/**
 * `npm start` until its host answers. Errors: SetupError with what it printed.
 * @param {string} folder for what it says when it is ready
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<{ url: string, agentTokenFile: string, operatorTokenFile: string, stop: () => Promise<void> }>}
 */
export async function startWhole(folder, env) {
  const ready = path.join(folder, 'ready.json');
  const args = [path.join(root, 'scripts/start.mjs'), '--no-demo', '--ready-file', ready];
  // A group of its own, which `end` ends.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (printed) => {
      output += printed;
      process.stdout.write(printed);
    });
  const limit = performance.now() + isReadyWithin;
  while (!existsSync(ready) && child.exitCode === null && performance.now() < limit)
    await new Promise((done) => setTimeout(done, 200));
  if (existsSync(ready)) return { ...JSON.parse(readFileSync(ready, 'utf8')), stop: () => end(child, 30_000) };
  await end(child, 0);
  throw new SetupError(`the host did not get ready (status ${child.exitCode}).\n${output.trim().slice(-4000)}`);
}
