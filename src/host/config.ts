import { isIP } from 'node:net';
import { join } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { Level } from '../contract/permissions.ts';

/** Where HTTP is served. */
export interface ListenConfig {
  /** An IP address; one that is not loopback needs `tls` and `allowRemote`. */
  readonly address: string;
  readonly port: number;
  /** PEM files of the key and the certificate (with its chain) that HTTPS is served with. */
  readonly tls: { readonly keyFile: string; readonly certificateFile: string } | undefined;
  readonly allowRemote: boolean;
  /** Names that clients call the host by, beside its address and the loopback names. */
  readonly allowedHosts: readonly string[];
}

/** What a host is told by its environment. Machine policy is never beaten by it. */
export interface HostConfig extends ListenConfig {
  readonly dataDirectory: string;
  /** From a checkout: the level where no policy file says one. */
  readonly level: Level | undefined;
  readonly agentToken: string | undefined;
  readonly operatorToken: string | undefined;
  /** Executables of the demonstration, which are granted full for this run. */
  readonly demoApps: readonly string[];
}

export const DEFAULT_PORT = 7423;

/** Reads the configuration. Errors: invalid_argument naming the variable. */
export function readConfig(env: NodeJS.ProcessEnv): HostConfig {
  return {
    dataDirectory: dataDirectoryOf(env),
    address: addressOf(env['UIAHOST_ADDRESS']),
    port: portOf(env['UIAHOST_PORT']),
    tls: tlsOf(env['UIAHOST_TLS_KEY'], env['UIAHOST_TLS_CERT']),
    allowRemote: isOn('UIAHOST_ALLOW_REMOTE', env['UIAHOST_ALLOW_REMOTE']),
    allowedHosts: (env['UIAHOST_ALLOWED_HOSTS'] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== ''),
    level: levelOf(env['UIAHOST_LEVEL']),
    agentToken: tokenOf('UIAHOST_AGENT_TOKEN', env['UIAHOST_AGENT_TOKEN']),
    operatorToken: tokenOf('UIAHOST_OPERATOR_TOKEN', env['UIAHOST_OPERATOR_TOKEN']),
    demoApps: (env['UIAHOST_DEMO_APPS'] ?? '').split(';').filter((path) => path !== ''),
  };
}

function dataDirectoryOf(env: NodeJS.ProcessEnv): string {
  const given = filled(env['UIAHOST_DATA_DIR']);
  if (given !== undefined) return given;
  const local = filled(env['LOCALAPPDATA']);
  if (local === undefined) throw new UiaHostError('invalid_argument', 'Neither UIAHOST_DATA_DIR nor LOCALAPPDATA says where data may lie.', { hint: 'Set UIAHOST_DATA_DIR.' });
  return join(local, 'uiahost');
}

function addressOf(text: string | undefined): string {
  const given = filled(text) ?? '127.0.0.1';
  if (isIP(given) === 0) throw new UiaHostError('invalid_argument', `UIAHOST_ADDRESS is "${given}", which is no IP address.`, { hint: 'Give the address itself; names that clients use belong into UIAHOST_ALLOWED_HOSTS.' });
  return given;
}

function tlsOf(key: string | undefined, certificate: string | undefined): ListenConfig['tls'] {
  const [keyFile, certificateFile] = [filled(key), filled(certificate)];
  if (keyFile === undefined && certificateFile === undefined) return undefined;
  if (keyFile === undefined || certificateFile === undefined) {
    throw new UiaHostError('invalid_argument', `${keyFile === undefined ? 'UIAHOST_TLS_KEY' : 'UIAHOST_TLS_CERT'} is not set; HTTPS needs both the key and the certificate.`, { hint: 'Set both to PEM files, or neither.' });
  }
  return { keyFile, certificateFile };
}

function isOn(name: string, text: string | undefined): boolean {
  const given = filled(text)?.toLowerCase() ?? '0';
  if (!['0', '1', 'false', 'true'].includes(given)) throw new UiaHostError('invalid_argument', `${name} is "${given}"; it must be 1 or 0.`);
  return given === '1' || given === 'true';
}

function portOf(text: string | undefined): number {
  if (filled(text) === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UiaHostError('invalid_argument', `UIAHOST_PORT is "${text}", which is no port from 0 to 65535.`);
  return port;
}

function levelOf(text: string | undefined): Level | undefined {
  const given = filled(text);
  if (given === undefined) return undefined;
  const level = Level.safeParse(given);
  if (!level.success) throw new UiaHostError('invalid_argument', `UIAHOST_LEVEL is "${given}"; it must be ${Level.options.join(', ')}.`);
  return level.data;
}

function tokenOf(name: string, text: string | undefined): string | undefined {
  const given = filled(text);
  if (given !== undefined && !/^[A-Za-z0-9._~+/=-]{1,512}$/.test(given)) {
    throw new UiaHostError('invalid_argument', `${name} may have 1 to 512 characters of A-Z a-z 0-9 . _ ~ + / = - alone.`);
  }
  return given;
}

const filled = (text: string | undefined): string | undefined => (text === undefined || text.trim() === '' ? undefined : text.trim());
