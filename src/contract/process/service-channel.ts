/**
 * What the Windows service and a host that it started say to each other: one line of JSON a message, over two pipes
 * without a name that the host inherits as its standard input and output. No other process can open or imitate them.
 */

/** The service's name, and the source of its events. */
export const SERVICE_NAME = 'uiahost';

/** Flag of a host that a service started and watches. */
export const SUPERVISED = '--supervised';

/** What happened to the user's session, or to the machine. */
export type SessionChange = 'lock' | 'unlock' | 'disconnect' | 'connect' | 'suspend' | 'resume';

export type ToHost =
  | { readonly kind: 'session'; readonly change: SessionChange }
  /** End in order. The end of the pipe means the same. */
  | { readonly kind: 'end'; readonly reason: string };

export interface FromHost {
  readonly kind: 'ready';
  readonly url: string;
}

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
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A message to the host; null for any other line. */
export function readToHost(line: string): ToHost | null {
  const message = parse(line);
  if (message?.['kind'] === 'session' && CHANGES.has(message['change']))
    return { kind: 'session', change: message['change'] as SessionChange };
  if (message?.['kind'] === 'end') return { kind: 'end', reason: String(message['reason'] ?? 'the service ended it') };
  return null;
}

/** A host that belongs to a user: its word counts for nothing but its own address, and only one on this machine is shown. */
const LOCAL_URL = /^https?:\/\/[\w.:[\]-]{1,255}\/?$/;

/** A message from a host; null for any other line. */
export function readFromHost(line: string): FromHost | null {
  const message = parse(line);
  const url = message?.['url'];
  return message?.['kind'] === 'ready' && typeof url === 'string' && LOCAL_URL.test(url)
    ? { kind: 'ready', url }
    : null;
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
