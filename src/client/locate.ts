/**
 * How a local client finds the host of a data directory, and verifies it: a program that took the host's port must not get a
 * token. host.json names the address, and the process there proves that it can read `host.key`, which only the user can. A token
 * is sent only after that. The port is part of the proof, so a squatter cannot forward the challenge to the real host
 * on another port.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HostFile } from '../contract/process/host-file.ts';
import { isFullPath, readSetting } from '../contract/process/settings.ts';
import { proofOf } from '../host/face/token.ts';
import type { Scope } from './calls.ts';
import { HostNotFoundError } from './errors.ts';

const ANSWER_WITHIN_MS = 5000;

/** Checked by hand: a client has no need of schemas. */
function isHostFile(value: unknown): value is HostFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, port, pid, version, startedAt, givenTokens } = value as Record<string, unknown>;
  const isPort = Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535;
  const isAddress = typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
  const isGiven =
    givenTokens === undefined ||
    (Array.isArray(givenTokens) && givenTokens.every((each) => each === 'agent' || each === 'operator'));
  const areTexts = typeof version === 'string' && typeof startedAt === 'string';
  return isAddress && isPort && Number.isInteger(pid) && areTexts && isGiven;
}

type Environment = Readonly<Record<string, string | undefined>>;

const filled = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

/**
 * The data directory that this user's clients use: `UIAHOST_DATA_DIR`, else the user's own. Never a folder of the machine, where any
 * user could put a host.json and tokens, and never a folder of wherever a command is typed. Errors: HostNotFoundError for a relative path.
 */
export function dataDirectoryOf(env: Environment = process.env, platform: string = process.platform): string {
  const given = readSetting(env, 'UIAHOST_DATA_DIR');
  if (given !== undefined) {
    if (isFullPath(given, platform)) return given;
    throw new HostNotFoundError(
      `UIAHOST_DATA_DIR is ${JSON.stringify(given)}, which is not an absolute path.`,
      'Set it to the whole path of the data directory.',
    );
  }
  if (platform !== 'win32') return join(filled(env['XDG_DATA_HOME']) ?? join(homedir(), '.local', 'share'), 'uiahost');
  return join(filled(env['LOCALAPPDATA']) ?? join(homedir(), 'AppData', 'Local'), 'uiahost');
}

/** The content of host.json; null if it is missing or invalid. */
function readHostFile(dataDirectory: string): HostFile | null {
  try {
    const content: unknown = JSON.parse(readFileSync(join(dataDirectory, 'host.json'), 'utf8'));
    return isHostFile(content) ? content : null;
  } catch {
    return null;
  }
}

/**
 * The token of a scope and where it is: the variable `UIAHOST_AGENT_TOKEN` or `UIAHOST_OPERATOR_TOKEN`, else a file. A host that
 * got its own token by the variable does not write it down; who started it may have (`npm start` does: `agent.given-token`).
 * Errors: HostNotFoundError.
 */
export function findToken(
  dataDirectory: string,
  scope: Scope,
  env: Environment = process.env,
): { token: string; place: string } {
  const variable = scope === 'agent' ? 'UIAHOST_AGENT_TOKEN' : 'UIAHOST_OPERATOR_TOKEN';
  const given = readSetting(env, variable);
  if (given !== undefined) return { token: given, place: `the variable ${variable}` };
  const isGiven = readHostFile(dataDirectory)?.givenTokens?.includes(scope) === true;
  const file = join(dataDirectory, isGiven ? `${scope}.given-token` : `${scope}.token`);
  try {
    return { token: readFileSync(file, 'utf8').trim(), place: file };
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (isGiven)
      throw new HostNotFoundError(
        `This host got its ${scope} token from the variable ${variable}, which is not set here, and ${file} cannot be read (${code}).`,
        `Set ${variable} to the token of the host.`,
      );
    throw new HostNotFoundError(
      `The ${scope} token cannot be read from ${file} (${code}).`,
      `Run this as the user who runs the host, set UIAHOST_DATA_DIR to its data directory, or set ${variable}.`,
    );
  }
}

/** The proof key as clients read it; the host creates the file. */
function readProofKey(dataDirectory: string): Uint8Array {
  const file = join(dataDirectory, 'host.key');
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8');
  } catch (error) {
    throw new HostNotFoundError(
      `${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}), so the host cannot be distinguished from another program on its port.`,
      'Run this as the user who runs the host, or set UIAHOST_DATA_DIR to its data directory.',
    );
  }
}

/** Whether what answers there has the key. Errors: those of fetch where nothing answers. */
export async function isProven(url: string, port: number, key: Uint8Array): Promise<boolean> {
  const challenge = randomBytes(32).toString('hex');
  const response = await fetch(new URL(`/healthz?challenge=${challenge}`, url), {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    redirect: 'error',
  });
  const { proof } = (await response.json()) as { proof?: unknown };
  const wanted = Buffer.from(proofOf(key, port, challenge), 'hex');
  const given = Buffer.from(typeof proof === 'string' ? proof : '', 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/**
 * The running host of a data directory, proven. No token is sent before this has returned.
 * Errors: HostNotFoundError if none runs, none answers, or another program answers.
 */
export async function findHost(dataDirectory: string): Promise<HostFile> {
  const host = readHostFile(dataDirectory);
  if (host === null)
    throw new HostNotFoundError(
      `No host runs for the data directory ${dataDirectory} (it has no host.json).`,
      'Start one with `uiahost start`.',
    );
  const port = Number(new URL(host.url).port) || host.port;
  const key = readProofKey(dataDirectory);
  let isOurs: boolean;
  try {
    isOurs = await isProven(host.url, port, key);
  } catch {
    throw new HostNotFoundError(
      `No host answers at ${host.url} (expected process ${host.pid}, started ${host.startedAt}).`,
      'Start one with `uiahost start`.',
    );
  }
  if (!isOurs)
    throw new HostNotFoundError(
      `What answers at ${host.url} is not the host of ${dataDirectory}; no token was sent to it.`,
      'Find out which program took the port, end it, and start the host again with `uiahost start`.',
      true,
    );
  return host;
}
