import { join } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { Level } from '../contract/permissions.ts';

/** What a host is told by its environment. Machine policy is never beaten by it. */
export interface HostConfig {
  readonly dataDirectory: string;
  readonly address: string;
  readonly port: number;
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
    address: '127.0.0.1',
    port: portOf(env['UIAHOST_PORT']),
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
