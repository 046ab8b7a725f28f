// Refuses requests with foreign Host or Origin headers, or too many headers.
import type { IncomingMessage } from 'node:http';
import { UiaHostError } from '../contract/errors.ts';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export interface Names {
  /** Accepted values of the Host header, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** This server's own origins. */
  readonly origins: ReadonlySet<string>;
}

/**
 * The host names that this server accepts. A page whose name was made to resolve to this machine (DNS rebinding) sends that
 * name in Host, so the list is closed.
 * @param configured additional names, with or without port.
 */
export function allowedNames(port: number, isTls: boolean, configured: readonly string[]): Names {
  const defaultPort = isTls ? 443 : 80;
  const hosts = new Set<string>();
  for (const name of [...LOOPBACK_NAMES, ...configured.map((each) => each.toLowerCase())]) {
    const hasPort = /:\d+$/.test(name) && !name.endsWith(']');
    hosts.add(hasPort ? name : `${name}:${port}`);
    if (!hasPort && port === defaultPort) hosts.add(name);
  }
  const scheme = isTls ? 'https' : 'http';
  return { hosts, origins: new Set([...hosts].map((host) => `${scheme}://${host}`)) };
}

/** Errors: host_not_allowed, origin_not_allowed. A missing Origin is accepted: programs send none. */
export function assertLocalRequest(request: IncomingMessage, names: Names): void {
  const hosts = request.headersDistinct['host'] ?? [];
  const [host = ''] = hosts;
  if (hosts.length !== 1 || !names.hosts.has(host.toLowerCase())) {
    throw new UiaHostError(
      'host_not_allowed',
      `The Host header ${JSON.stringify(hosts.join(', ').slice(0, 100))} is not one of this server’s names.`,
    );
  }
  if (!(request.url ?? '').startsWith('/')) {
    throw new UiaHostError('host_not_allowed', 'The request target is an absolute URL; this server is not a proxy.');
  }
  const origins = request.headersDistinct['origin'] ?? [];
  if (origins.some((origin) => !names.origins.has(origin.toLowerCase()))) {
    throw new UiaHostError(
      'origin_not_allowed',
      `The Origin ${JSON.stringify(origins.join(', ').slice(0, 100))} is not this server’s own.`,
    );
  }
}

/** More headers than any real client sends. Node would silently drop those beyond its own limit. */
export const MOST_HEADERS = 100;

export function assertFewHeaders(request: IncomingMessage): void {
  const count = request.rawHeaders.length / 2;
  if (count > MOST_HEADERS)
    throw new UiaHostError(
      'payload_too_large',
      `The request has ${count} headers; at most ${MOST_HEADERS} are allowed.`,
      { hint: 'Send fewer headers.' },
    );
}
