/** Entry of the host process: starts a host, prints where it listens, and ends with its status. */
import { join, win32 } from 'node:path';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { quoted } from '../contract/json/quoted.ts';
import { PLACE_TAKEN, POLICY_REFUSED, SESSION_HELD } from '../contract/process/exit-codes.ts';
import { readSetting } from '../contract/process/settings.ts';
import { encodeMessage, LineReader, readToHost, SUPERVISED } from '../contract/process/service-channel.ts';
import { readConfig, type Installation } from '../host/home/config.ts';
import { isPolicyRefused, startUiaHost, type StartOptions } from '../main.ts';
import { knownFolder, longPath } from '../win32/apps/folders.ts';
import { machineEnvironment, machinePort } from '../win32/system/policy-registry.ts';
import { SessionHeldError } from '../win32/system/session-lock.ts';
import { processFiles } from './process-files.ts';

declare const __VERSION__: string;

/** What `npm run package` puts at the head of this bundle: no file next to an installation makes it a checkout. */
const isInstalled = (globalThis as { uiahostIsInstalled?: unknown }).uiahostIsInstalled === true;
const PORT_VARIABLE: StartOptions['portOrigin'] = { layer: 'environment', place: 'UIAHOST_PORT' };
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** UIAHOST_PORT of the machine's environment takes precedence over the port that the installation was given. */
function installed(): Installation {
  const local = knownFolder('localAppData');
  if (local === null)
    throw new UiaHostError('desktop_unavailable', 'Windows does not name this user’s folder for data.', {
      hint: 'Sign in as a user with a profile.',
    });
  return {
    machine: { UIAHOST_PORT: machinePort(), ...machineEnvironment() },
    dataDirectory: join(local, 'uiahost'),
  };
}

/** Errors: invalid_argument for the program that started us, if it waits for a host with another data directory. */
function assertSameFolder(asked: string | undefined, folder: string): void {
  const full = (path: string): string => longPath(win32.resolve(path)).toLowerCase();
  if (asked === undefined || full(asked) === full(folder)) return;
  throw badInput(
    `The data directory of an installed host is ${folder}; UIAHOST_DATA_DIR of the program that started it, ${quoted(asked)}, does not move it.`,
    { hint: 'Remove UIAHOST_DATA_DIR there, or let an administrator set it for the machine.' },
  );
}

function portOrigin(env: NodeJS.ProcessEnv): StartOptions['portOrigin'] {
  if (!isInstalled) return readSetting(env, 'UIAHOST_PORT') === undefined ? undefined : PORT_VARIABLE;
  if (machineEnvironment().UIAHOST_PORT !== undefined) return PORT_VARIABLE;
  return machinePort() === undefined
    ? undefined
    : { layer: 'installation', place: 'HKEY_LOCAL_MACHINE\\SOFTWARE\\uiahost\\Port' };
}

try {
  const version = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';
  const isSupervised = process.argv.includes(SUPERVISED);
  const installation = isInstalled ? installed() : null;
  const config = readConfig(process.env, installation);
  if (isInstalled && !isSupervised)
    assertSameFolder(readSetting(process.env, 'UIAHOST_DATA_DIR'), config.dataDirectory);
  const started = await startUiaHost(config, processFiles(), version, {
    isInstalled,
    isSupervised,
    portOrigin: portOrigin(installation?.machine ?? process.env),
    end: (reason) => void end(reason),
  });
  print(
    isSupervised
      ? encodeMessage({ kind: 'ready', url: started.http.url, local: started.local }).trimEnd()
      : `uiahost ${version} listens on ${started.http.url}`,
  );
  let isEnding = false;
  const end = async (reason: string, status = 0): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await started.close(reason);
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, () => void end(signal));
  if (isSupervised) {
    const lines = new LineReader();
    process.stdin.setEncoding('utf8').on('data', (piece: string) => {
      for (const message of lines.add(piece).map(readToHost)) {
        if (message?.kind === 'end') void end(message.reason);
        else if (message?.kind === 'tokens') void started.takeTokens(message.tokens);
        else if (message?.kind === 'session') {
          started.log.info({ change: message.change }, 'the session changed');
          void started.host.sessionChanged(message.change);
        }
      }
    });
  }
  // The program that started us holds the other end of our standard input; when it ends, so do we.
  if (isSupervised || process.argv.includes('--exit-with-stdin')) {
    process.stdin.on('end', () => void end('standard input closed'));
    process.stdin.on('error', () => void end('standard input broken'));
    process.stdin.resume();
  }
  process.on('uncaughtException', (error) => {
    started.log.fatal({ err: error }, 'uncaught');
    void end('fault', 1);
  });
  process.on('unhandledRejection', (reason) => {
    started.log.error({ err: reason }, 'unhandled rejection');
  });
} catch (error) {
  const text =
    error instanceof UiaHostError
      ? `${error.code}: ${error.message}\n${error.hint}`
      : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`uiahost could not start. ${text}\n`);
  if (process.argv.includes(SUPERVISED)) print(encodeMessage({ kind: 'failed', why: text }).trimEnd());
  // One with another data directory is not the host that our starter waits for.
  if (error instanceof SessionHeldError) process.exit(SESSION_HELD);
  if (error instanceof UiaHostError && isPolicyRefused(error)) process.exit(POLICY_REFUSED);
  process.exit(error instanceof UiaHostError && error.code === 'lock_held' ? PLACE_TAKEN : 1);
}
