/**
 * What the Windows service and a host that it started say to each other: one line of JSON a message, over two pipes
 * without a name that the host inherits as its standard input and output. No other process can open or imitate them.
 */

import { attempt } from '../attempt.ts';

/** The service's name, and the source of its events. */
export const SERVICE_NAME = 'uiahost';

/** Flag of a host that a service started and watches. */
export const SUPERVISED = '--supervised';

/** What happened to the user's session, or to the machine. */
export type SessionChange = 'lock' | 'unlock' | 'disconnect' | 'connect' | 'suspend' | 'resume';

/** The link of a fleet is supervised as the host of session 0, in which no user signs in. */
export const LINK_SESSION = 0;

/** What administrators set for the fleet's link; each part but `ledger` only takes away. */
export interface FleetRules {
  /** No link runs, although the machine has joined. */
  readonly isOff: boolean;
  readonly isDrained: boolean;
  /** Jobs are taken only while the session is locked or disconnected. */
  readonly onlyWhenIdle: boolean;
  /** Null: all that the credential, or the join, names. */
  readonly pools: readonly string[] | null;
  readonly orchestrators: readonly string[] | null;
  /** Folder for the ledgers; null: with the link. */
  readonly ledger: string | null;
}

/** Tokens of the seat's host, by whom they are for. */
type ChannelMembers = Readonly<Record<string, { readonly tokenId: string; readonly token: string }>>;

/** What the service tells the link of one seat, whole each time. */
export interface ChannelSeat {
  readonly kind: 'seat';
  readonly name: string;
  /** As `uiahost fleet enrol` wrote it. */
  readonly credential: unknown;
  /** How its host is reached, and the key by which it proves that it is this one; null while there is none. */
  readonly host: LocalHost | null;
  /** By orchestrators' names. */
  readonly orchestrators: ChannelMembers;
  /** Folder for its ledger; null: with the link. */
  readonly ledger: string | null;
  readonly isDrained: boolean;
  readonly onlyWhenIdle: boolean;
}

/** A host as programs of its machine reach it. */
export interface LocalHost {
  readonly url: string;
  /** Its proof key (`host.key`). */
  readonly key: string;
}

/** Who gets a host, as the machine's policy says. */
export interface HostScope {
  /** Why the policy is not valid: no host is started then. Null if it is. */
  readonly why: string | null;
  /** Its level is disabled. */
  readonly isDisabled: boolean;
  readonly isOnDemand: boolean;
  /** Null: everyone, or every kind of session. */
  readonly users: readonly string[] | null;
  readonly groups: readonly string[] | null;
  readonly sessions: ReadonlyArray<'console' | 'remote'> | null;
}

/** A token that the service gives a host: its hash alone. */
export interface ChannelToken {
  readonly tokenId: string;
  readonly scope: 'agent' | 'operator' | 'viewer';
  readonly hash: string;
  readonly expiresAt: string | null;
  readonly level: string | null;
  readonly apps: readonly string[] | null;
}

export type ToHost =
  /** The tokens of the service from now on; tokens that it gave before and that are missing end. */
  | { readonly kind: 'tokens'; readonly tokens: readonly ChannelToken[] }
  | { readonly kind: 'session'; readonly change: SessionChange }
  | ChannelSeat
  /** End in order. The end of the pipe means the same. */
  | { readonly kind: 'end'; readonly reason: string };

export type FromHost =
  /** A host's address, and how the fleet's link reaches it; the link itself has none. */
  | { readonly kind: 'ready'; readonly url: string; readonly local?: LocalHost }
  /** It ends now, and why. */
  | { readonly kind: 'failed'; readonly why: string };

const CHANGES: ReadonlySet<unknown> = new Set<SessionChange>([
  'lock',
  'unlock',
  'disconnect',
  'connect',
  'suspend',
  'resume',
]);

export const encodeMessage = (message: ToHost | FromHost): string => `${JSON.stringify(message)}\n`;

function parse(line: string): Record<string, unknown> | null {
  const value = attempt<unknown, null>(() => JSON.parse(line), null);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

function isToken(value: unknown): value is ChannelToken {
  if (typeof value !== 'object' || value === null) return false;
  const { tokenId, scope, hash, expiresAt, level, apps } = value as Record<string, unknown>;
  const areApps = apps === null || (Array.isArray(apps) && apps.every((app) => typeof app === 'string'));
  const isNamed = typeof tokenId === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(tokenId);
  const isHash = typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash);
  return (
    isNamed &&
    isHash &&
    (scope === 'agent' || scope === 'operator' || scope === 'viewer') &&
    isTextOrNull(expiresAt) &&
    isTextOrNull(level) &&
    areApps
  );
}

/** A message to the host or the link; null for any other line. */
export function readToHost(line: string): ToHost | null {
  const message = parse(line);
  if (message?.['kind'] === 'session' && CHANGES.has(message['change']))
    return { kind: 'session', change: message['change'] as SessionChange };
  if (message?.['kind'] === 'tokens' && Array.isArray(message['tokens']) && message['tokens'].every(isToken))
    return { kind: 'tokens', tokens: message['tokens'] };
  // the service itself wrote it, to the link alone
  if (message?.['kind'] === 'seat') return message as unknown as ChannelSeat;
  if (message?.['kind'] === 'end') return { kind: 'end', reason: String(message['reason'] ?? 'the service ended it') };
  return null;
}

/** Characters of a reason that are kept. */
const MOST_WHY = 600;

const LOOPBACK_URL = /^https?:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?\/?$/;
/** A host that belongs to a user: its word counts for nothing but its own address and why it ended, which is quoted. */
const LOCAL_URL = /^https?:\/\/[\w.:[\]-]{1,255}\/?$/;

/** The link sends tokens there: to this machine alone. */
function isLocalHost(value: unknown): value is LocalHost {
  const { url, key } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof url === 'string' && LOOPBACK_URL.test(url) && typeof key === 'string' && /^[\x21-\x7e]{16,256}$/.test(key)
  );
}

/** A message from a host; null for any other line. */
export function readFromHost(line: string): FromHost | null {
  const message = parse(line);
  const { url, why, local } = message ?? {};
  if (message?.['kind'] === 'failed' && typeof why === 'string')
    return { kind: 'failed', why: why.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MOST_WHY) };
  if (message?.['kind'] !== 'ready' || typeof url !== 'string' || !(url === '' || LOCAL_URL.test(url))) return null;
  return { kind: 'ready', url, ...(isLocalHost(local) ? { local: { url: local.url, key: local.key } } : {}) };
}

/** Cuts what arrives in pieces into lines. A line beyond the limit is dropped: no sender of ours writes one. */
export class LineReader {
  static readonly #MOST = 64 * 1024;
  #rest = '';

  /** The lines that this piece completes. */
  add(piece: string): string[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LineReader.#MOST) this.#rest = '';
    return lines.map((line) => line.replace(/\r$/, ''));
  }
}
