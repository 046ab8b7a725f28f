// `--host`: the host of another machine, or of a tunnel's end, with a token that was made for it.
import { readFileSync } from 'node:fs';
import { UiaHostClient } from '../client/client.ts';
import type { Scope } from '../client/calls.ts';
import { isLoopback } from '../contract/process/host-file.ts';
import { readSetting } from '../contract/process/settings.ts';
import { UsageError } from './output.ts';

export interface RemoteHost {
  readonly url: string;
  /** The file that `uiahost token make` wrote, or one with the token alone. */
  readonly tokenFile?: string | undefined;
}

/** One word: a token of any form that a host may have. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;

/**
 * A client of that host. Its certificate proves the host; the tokens of this machine's own host are never sent to it.
 * Errors: UsageError for an address without TLS beyond loopback, and where no token is given.
 */
export function remoteClient({ url, tokenFile }: RemoteHost, env: NodeJS.ProcessEnv): UiaHostClient {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.username !== '')
    throw new UsageError('--host: expected the address of a host, such as https://pc17.example.com:7423.');
  if (address.protocol === 'http:' && !isLoopback(address.hostname.replace(/^\[|\]$/g, '')))
    throw new UsageError('--host: a host of another machine needs https: the token would be readable on the way.');
  const fromFile = tokenFile === undefined ? undefined : tokenIn(tokenFile);
  const token = (scope: Scope): string => {
    const variable = scope === 'agent' ? 'UIAHOST_AGENT_TOKEN' : 'UIAHOST_OPERATOR_TOKEN';
    const found = fromFile ?? readSetting(env, variable);
    if (found !== undefined) return found;
    throw new UsageError(
      `--host needs a token of that host: --token-file with the file that \`uiahost token make\` wrote, or ${variable}.`,
    );
  };
  return new UiaHostClient({ url: address.origin, token });
}

/** Errors: UsageError naming the file, never its content. */
function tokenIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--token-file: ${file} cannot be read (${String((error as NodeJS.ErrnoException).code)}).`);
  }
  const token = text.startsWith('{') ? tokenOf(text) : text;
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new UsageError(`--token-file: ${file} has no token. Expected what \`uiahost token make\` wrote.`);
}

function tokenOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { token?: unknown }).token;
  } catch {
    return undefined;
  }
}
