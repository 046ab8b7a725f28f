/** A member's credential, as its file has it, and the connection that is made with it. */
import { connect, credsAuthenticator, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ENDED_ROLES, ROLES, signerOf, type Signer } from './signed.ts';

const credentialSchema = z.strictObject({
  format: z.literal('uiahost fleet credential 1'),
  tenant: z.string(),
  role: z.enum([...ROLES, ...ENDED_ROLES]),
  /** One subject token: for a seat `h_…`. */
  name: z.string().regex(/^[a-z0-9_=-]{1,60}$/),
  pools: z.array(z.string()),
  servers: z.array(z.string()).min(1),
  /** PEM of the authority that issued the servers' certificates; null for a public one. */
  ca: z.string().nullable(),
  /** The tenant's public card key. */
  issuer: z.string(),
  creds: z.string(),
  card: z.string().nullable(),
  seed: z.string().nullable(),
  /** Seconds of the epoch. */
  expires: z.int(),
});
export type CredentialFile = z.infer<typeof credentialSchema>;

/** Errors: Error that says what the text is not. Nothing of the text is in it. */
export function credentialOf(text: string): CredentialFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  const parsed = credentialSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`it is not a credential of a fleet (${parsed.error.issues[0]?.path.join('.') ?? ''})`);
}

export function signerOfCredential({ card, seed, role }: CredentialFile): Signer {
  if (card === null || seed === null) throw new Error(`A ${role} signs nothing.`);
  return signerOf(card, seed);
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether all servers are reached by TLS; without it only on loopback. Errors: Error for an address that is neither. */
export function usesTls(servers: readonly string[]): boolean {
  const addresses = servers.map((server) => {
    const address = URL.canParse(server) ? new URL(server) : null;
    if (address === null || !/^(nats|tls):$/.test(address.protocol) || address.hostname === '')
      throw new Error(`${server} is not an address such as tls://nats.example.com:4222.`);
    return address;
  });
  const isTls = addresses.every(({ protocol }) => protocol === 'tls:');
  if (!isTls && !addresses.every(({ hostname }) => LOOPBACK.test(hostname)))
    throw new Error('A server beyond loopback needs tls://: the jobs would be readable on the way.');
  return isTls;
}

export interface BusOptions {
  /** Until its abort a server that is away is waited for, from the first connection on; else it gives up after 10 s. */
  readonly patience?: AbortSignal;
  readonly pingMs?: number;
}

/** A silent cut is noticed after three intervals. */
const PING_MS = 15_000;
const FIRST_MS = 10_000;
const AGAIN_MS = 500;
/** A server that starts, or one of a cluster that has not heard of the tenant, refuses a valid credential for a moment. */
const MOST_REFUSALS = 5;

/** A busy server that ran out of time for a credential has not refused it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  ['AuthorizationError', 'UserAuthenticationExpiredError'].includes(error.name) &&
  !/timeout/i.test(error.message);

/**
 * The connection ends by itself when the server refused it several times in a row: the client's own count of two is never
 * reset, and takes a time-out for a refusal. Errors: those of the client; a refused credential is an AuthorizationError.
 */
export async function connectBus(
  credential: CredentialFile,
  { patience, pingMs = PING_MS }: BusOptions = {},
): Promise<NatsConnection> {
  const options = optionsOf(credential, pingMs);
  for (let refusals = 0; ; await sleep(AGAIN_MS)) {
    try {
      const nc = await connect(options);
      void endWhereRefused(nc);
      return nc;
    } catch (error) {
      refusals = isRefusal(error) ? refusals + 1 : 0;
      if (patience === undefined || patience.aborted || refusals === MOST_REFUSALS) throw error;
    }
  }
}

async function endWhereRefused(nc: NatsConnection): Promise<void> {
  let refusals = 0;
  for await (const status of nc.status()) {
    if (status.type === 'reconnect') refusals = 0;
    else if (status.type === 'error' && isRefusal(status.error)) refusals += 1;
    if (refusals === MOST_REFUSALS) await nc.close();
  }
}

function optionsOf(credential: CredentialFile, pingMs: number): ConnectionOptions {
  return {
    servers: credential.servers.map((server) => server.replace(/^\w+:\/\//, '')),
    authenticator: credsAuthenticator(new TextEncoder().encode(credential.creds)),
    inboxPrefix: inboxesOf(credential.name),
    name: credential.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
    maxPingOut: 2,
    timeout: FIRST_MS,
    // the client would record a stack for each request, which is a tenth of a link's work
    noAsyncTraces: true,
    ...(usesTls(credential.servers) ? { tls: credential.ca === null ? {} : { ca: credential.ca } } : { tls: null }),
  };
}

/** A member receives nothing in another's. */
export const inboxesOf = (name: string): string => `_INBOX.${name}`;

/** Its version where the server is older than 2.10; else null. */
export function oldServer(nc: NatsConnection): string | null {
  const version = nc.info?.version ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 2 || (major === 2 && minor < 10) ? version : null;
}

/** Calls back at each connection, the first included, and with null at each loss. Ends with the connection. */
export async function eachConnection(nc: NatsConnection, on: (isThere: boolean) => void): Promise<void> {
  on(true);
  for await (const { type } of nc.status()) {
    if (type === 'reconnect') on(true);
    else if (type === 'disconnect') on(false);
  }
}
