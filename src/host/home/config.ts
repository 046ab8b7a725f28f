/** The configuration of the host, from its environment. */
import { isIP } from 'node:net';
import { join } from 'node:path';
import { badInput } from '../../contract/errors.ts';
import type { Collector } from '../../contract/gate/machine-host.ts';
import { Level } from '../../contract/gate/permissions.ts';
import { quoted } from '../../contract/json/quoted.ts';
import {
  HOST_SETTINGS,
  ignoredWhenInstalled,
  isFullPath,
  readSetting,
  SETTINGS,
  unknownSettings,
  type HostSetting,
} from '../../contract/process/settings.ts';

/** Where the certificate for HTTPS and its key are: PEM files, or a PKCS #12 file. */
export type TlsSource =
  | { readonly keyFile: string; readonly certificateFile: string }
  | { readonly pfxFile: string; readonly passphraseFile: string | undefined };

/** Where HTTP is served. */
export interface ListenConfig {
  /** An IP address; any but loopback needs `tls` and `allowRemote`. */
  readonly address: string;
  readonly port: number;
  readonly tls: TlsSource | undefined;
  readonly allowRemote: boolean;
  /** Names by which clients reach the host, in addition to its address and the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Where traces and metrics are sent. */
  readonly collector?: Collector;
  /** Whether the notification area shows that a host runs; absent: it does. */
  readonly hasIcon?: boolean;
  /** Tokens of this host that were made before this time have ended. */
  readonly tokensNotBefore?: string;
}

/** What the environment configures. It never overrides the machine's policy. */
export interface HostConfig extends ListenConfig {
  readonly dataDirectory: string;
  /** From a checkout: the level if no policy file sets one. */
  readonly level: Level | undefined;
  readonly agentToken: string | undefined;
  readonly operatorToken: string | undefined;
  /** From a checkout: a person's command started the host with a level, or by `npm start`. */
  readonly isPersons?: boolean;
  /** Executables of the demo, which are granted full for this run. */
  readonly demoApps: readonly string[];
  /** Settings of the environment that an installed host does not take: the log names them. */
  readonly ignored?: readonly string[];
  /** Unknown variables that look like settings, most likely mistyped: the log names them. */
  readonly unknown?: readonly string[];
}

type Given = Record<HostSetting, string | undefined>;

export const DEFAULT_PORT = 7423;

/** What an installed host has instead of its environment, which the starting program controls. */
export interface Installation {
  /** The machine's variables, which only administrators can set. */
  readonly machine: NodeJS.ProcessEnv;
  /** The user's data directory, as Windows names it. */
  readonly dataDirectory: string;
}

/**
 * Reads the configuration. An installed host takes nothing from its environment: addresses and certificates come from
 * the machine's, tokens, level and grants from neither. Errors: invalid_argument naming the variable.
 */
export function readConfig(
  env: NodeJS.ProcessEnv,
  installed: Installation | null = null,
  platform: string = process.platform,
): HostConfig {
  const from = installed?.machine ?? env;
  const names = HOST_SETTINGS.filter((name) => installed === null || SETTINGS[name].where !== 'checkout');
  const {
    UIAHOST_DATA_DIR: folder,
    UIAHOST_PORT: port,
    UIAHOST_LEVEL: level,
    UIAHOST_AGENT_TOKEN: agentToken,
    UIAHOST_OPERATOR_TOKEN: operatorToken,
    UIAHOST_ADDRESS: address,
    UIAHOST_TLS_KEY: keyFile,
    UIAHOST_TLS_CERT: certificateFile,
    UIAHOST_ALLOW_REMOTE: allowRemote,
    UIAHOST_ALLOWED_HOSTS: allowedHosts,
    UIAHOST_OTLP_URL: collector,
    UIAHOST_OTLP_HEADERS: headers,
    UIAHOST_OTLP_TITLES: titles,
    UIAHOST_DEMO_APPS: demoApps,
    UIAHOST_NPM_START: npmStart,
    ...unread
  } = Object.fromEntries(names.map((name) => [name, readSetting(from, name)])) as Given;
  return {
    dataDirectory: dataDirectoryOf(folder, from['LOCALAPPDATA'], installed, platform),
    address: addressOf(address),
    port: portOf(port),
    tls: tlsOf(keyFile, certificateFile),
    allowRemote: isOn('UIAHOST_ALLOW_REMOTE', allowRemote),
    allowedHosts: listOf(allowedHosts, ','),
    level: levelOf(level),
    agentToken: tokenOf('UIAHOST_AGENT_TOKEN', agentToken),
    operatorToken: tokenOf('UIAHOST_OPERATOR_TOKEN', operatorToken),
    isPersons: level !== undefined || isOn('UIAHOST_NPM_START', npmStart),
    demoApps: listOf(demoApps, ';'),
    ...collectorOf(collector, headers, titles),
    // a setting that is not read above does not compile
    ...(unread satisfies { [Name in keyof Given]?: never }),
    unknown: unknownSettings(env),
    ignored: installed === null ? [] : ignoredWhenInstalled(env, installed.machine),
  };
}

const listOf = (text: string | undefined, separator: string): string[] =>
  (text ?? '')
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function dataDirectoryOf(
  given: string | undefined,
  appData: string | undefined,
  installed: Installation | null,
  platform: string,
): string {
  if (given !== undefined) return assertDataDirectory(given, platform);
  if (installed !== null) return installed.dataDirectory;
  const local = appData?.trim() ?? '';
  if (local === '')
    throw badInput('No data directory: neither UIAHOST_DATA_DIR nor LOCALAPPDATA is set.', {
      hint: 'Set UIAHOST_DATA_DIR.',
    });
  return join(local, 'uiahost');
}

/** Errors: invalid_argument for a relative path, which would be a folder of wherever the host was started. */
export function assertDataDirectory(folder: string, platform: string = process.platform): string {
  if (isFullPath(folder, platform)) return folder;
  throw badInput(`The data directory ${quoted(folder)} is not an absolute path.`, {
    hint: 'Name the whole path of the folder, with its drive.',
  });
}

/** Errors: invalid_argument for what is not an address of HTTP, or a header without a value. */
function collectorOf(url?: string, headerTexts?: string, titles?: string): Pick<HostConfig, 'collector'> {
  if (url === undefined) return {};
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw badInput(`UIAHOST_OTLP_URL is ${quoted(url)}, which is not an address of HTTP.`, {
      hint: 'Set the address of an OTLP collector, such as http://127.0.0.1:4318.',
    });
  const headers = headersOf(listOf(headerTexts, ','));
  if (headers === null) throw badInput('UIAHOST_OTLP_HEADERS must be NAME=VALUE, separated by commas.');
  return { collector: { url, headers, titles: isOn('UIAHOST_OTLP_TITLES', titles) } };
}

/** Headers by their texts, NAME=VALUE; null if one has another form. */
export function headersOf(texts: readonly string[]): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [, name, value] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) return null;
    headers[name] = value;
  }
  return headers;
}

function addressOf(given = '127.0.0.1'): string {
  if (isIP(given) === 0)
    throw badInput(`UIAHOST_ADDRESS is ${quoted(given)}, which is not an IP address.`, {
      hint: 'Set the address itself; names that clients use belong in UIAHOST_ALLOWED_HOSTS.',
    });
  return given;
}

function tlsOf(keyFile: string | undefined, certificateFile: string | undefined): ListenConfig['tls'] {
  if (keyFile === undefined && certificateFile === undefined) return undefined;
  if (keyFile === undefined || certificateFile === undefined) {
    throw badInput(
      `${keyFile === undefined ? 'UIAHOST_TLS_KEY' : 'UIAHOST_TLS_CERT'} is not set; HTTPS needs both the key and the certificate.`,
      { hint: 'Set both to PEM files, or neither.' },
    );
  }
  return { keyFile, certificateFile };
}

function isOn(name: HostSetting, text: string | undefined): boolean {
  const given = text?.toLowerCase() ?? '0';
  if (!['0', '1', 'false', 'true'].includes(given)) throw badInput(`${name} is ${quoted(given)}; it must be 1 or 0.`);
  return given === '1' || given === 'true';
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw badInput(`UIAHOST_PORT is ${quoted(text)}, which is not a port (0 to 65535).`);
  return port;
}

function levelOf(given: string | undefined): Level | undefined {
  if (given === undefined) return undefined;
  const level = Level.safeParse(given);
  if (!level.success) throw badInput(`UIAHOST_LEVEL is ${quoted(given)}; it must be ${Level.options.join(', ')}.`);
  return level.data;
}

function tokenOf(name: HostSetting, given: string | undefined): string | undefined {
  if (given !== undefined && !/^[A-Za-z0-9._~+/=-]{32,512}$/.test(given)) {
    throw badInput(`${name} needs 32 to 512 characters, only A-Z a-z 0-9 . _ ~ + / = -.`, {
      hint: 'Set a long random text, or leave it out to have one generated.',
    });
  }
  return given;
}
