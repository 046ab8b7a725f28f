/** The configuration of the host, from its environment. */
import { isIP } from 'node:net';
import { join } from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { Level } from '../../contract/gate/permissions.ts';
import { quoted } from '../../contract/json/quoted.ts';
import {
  ignoredWhenInstalled,
  readSetting,
  SETTINGS,
  unknownSettings,
  type SettingName,
} from '../../contract/process/settings.ts';

/** Where HTTP is served. */
export interface ListenConfig {
  /** An IP address; any but loopback needs `tls` and `allowRemote`. */
  readonly address: string;
  readonly port: number;
  /** PEM files of the key and the certificate (with its chain) for HTTPS. */
  readonly tls: { readonly keyFile: string; readonly certificateFile: string } | undefined;
  readonly allowRemote: boolean;
  /** Names by which clients reach the host, in addition to its address and the loopback names. */
  readonly allowedHosts: readonly string[];
}

/** What the environment configures. It never overrides the machine's policy. */
export interface HostConfig extends ListenConfig {
  readonly dataDirectory: string;
  /** From a checkout: the level if no policy file sets one. */
  readonly level: Level | undefined;
  readonly agentToken: string | undefined;
  readonly operatorToken: string | undefined;
  /** Executables of the demo, which are granted full for this run. */
  readonly demoApps: readonly string[];
  /** Settings that count only from a checkout and were set for an installed host: the log names them. */
  readonly ignored?: readonly string[];
  /** Unknown variables that look like settings, most likely mistyped: the log names them. */
  readonly unknown?: readonly string[];
}

export const DEFAULT_PORT = 7423;

/**
 * Reads the configuration. An installed host takes no tokens, level or grants from its environment, which the starting
 * program controls. Errors: invalid_argument naming the variable.
 */
export function readConfig(env: NodeJS.ProcessEnv, isInstalled = false): HostConfig {
  const read = (name: SettingName): string | undefined =>
    isInstalled && SETTINGS[name].where === 'checkout' ? undefined : readSetting(env, name);
  return {
    dataDirectory: dataDirectoryOf(env),
    address: addressOf(read('UIAHOST_ADDRESS')),
    port: portOf(read('UIAHOST_PORT')),
    tls: tlsOf(read('UIAHOST_TLS_KEY'), read('UIAHOST_TLS_CERT')),
    allowRemote: isOn('UIAHOST_ALLOW_REMOTE', read('UIAHOST_ALLOW_REMOTE')),
    allowedHosts: listOf(read('UIAHOST_ALLOWED_HOSTS'), ','),
    level: levelOf(read('UIAHOST_LEVEL')),
    agentToken: tokenOf('UIAHOST_AGENT_TOKEN', read('UIAHOST_AGENT_TOKEN')),
    operatorToken: tokenOf('UIAHOST_OPERATOR_TOKEN', read('UIAHOST_OPERATOR_TOKEN')),
    demoApps: listOf(read('UIAHOST_DEMO_APPS'), ';'),
    unknown: unknownSettings(env),
    ignored: isInstalled ? ignoredWhenInstalled(env) : [],
  };
}

const listOf = (text: string | undefined, separator: string): string[] =>
  (text ?? '')
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function dataDirectoryOf(env: NodeJS.ProcessEnv): string {
  const given = readSetting(env, 'UIAHOST_DATA_DIR');
  if (given !== undefined) return given;
  const local = env['LOCALAPPDATA']?.trim() ?? '';
  if (local === '')
    throw new UiaHostError('invalid_argument', 'No data directory: neither UIAHOST_DATA_DIR nor LOCALAPPDATA is set.', {
      hint: 'Set UIAHOST_DATA_DIR.',
    });
  return join(local, 'uiahost');
}

function addressOf(given = '127.0.0.1'): string {
  if (isIP(given) === 0)
    throw new UiaHostError('invalid_argument', `UIAHOST_ADDRESS is ${quoted(given)}, which is not an IP address.`, {
      hint: 'Set the address itself; names that clients use belong in UIAHOST_ALLOWED_HOSTS.',
    });
  return given;
}

function tlsOf(keyFile: string | undefined, certificateFile: string | undefined): ListenConfig['tls'] {
  if (keyFile === undefined && certificateFile === undefined) return undefined;
  if (keyFile === undefined || certificateFile === undefined) {
    throw new UiaHostError(
      'invalid_argument',
      `${keyFile === undefined ? 'UIAHOST_TLS_KEY' : 'UIAHOST_TLS_CERT'} is not set; HTTPS needs both the key and the certificate.`,
      { hint: 'Set both to PEM files, or neither.' },
    );
  }
  return { keyFile, certificateFile };
}

function isOn(name: SettingName, text: string | undefined): boolean {
  const given = text?.toLowerCase() ?? '0';
  if (!['0', '1', 'false', 'true'].includes(given))
    throw new UiaHostError('invalid_argument', `${name} is ${quoted(given)}; it must be 1 or 0.`);
  return given === '1' || given === 'true';
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UiaHostError('invalid_argument', `UIAHOST_PORT is ${quoted(text)}, which is not a port (0 to 65535).`);
  return port;
}

function levelOf(given: string | undefined): Level | undefined {
  if (given === undefined) return undefined;
  const level = Level.safeParse(given);
  if (!level.success)
    throw new UiaHostError(
      'invalid_argument',
      `UIAHOST_LEVEL is ${quoted(given)}; it must be ${Level.options.join(', ')}.`,
    );
  return level.data;
}

function tokenOf(name: SettingName, given: string | undefined): string | undefined {
  if (given !== undefined && !/^[A-Za-z0-9._~+/=-]{32,512}$/.test(given)) {
    throw new UiaHostError('invalid_argument', `${name} needs 32 to 512 characters, only A-Z a-z 0-9 . _ ~ + / = -.`, {
      hint: 'Set a long random text, or leave it out to have one generated.',
    });
  }
  return given;
}
