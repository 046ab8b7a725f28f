// The HTTP server: address, TLS, guards, the table of routes, limits, closing.
import { once } from 'node:events';
import { createServer as createPlainServer, STATUS_CODES, type Server, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import express from 'express';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { isLoopback } from '../contract/process/host-file.ts';
import type { Host, Catalog } from '../host/face/host.ts';
import { type Route, openRoute } from '../host/face/route.ts';
import { mountRoutes, refuse, toProblemError } from './express-routes.ts';
import { actionRoutes } from './routes/actions.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { artifactRoutes } from './routes/artifacts.ts';
import { auditRoutes } from './routes/audit.ts';
import { openApiDocument, schemaRoutes } from './openapi.ts';
import { pageRoutes } from './routes/page.ts';
import { policyRoutes } from './routes/policy.ts';
import { secretRoutes, tokenRoutes } from './routes/credentials.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { statusRoutes, type EndHost } from './routes/status.ts';
import { toolRoutes } from './routes/tools.ts';
import { z } from 'zod';

/** PEM texts, or a PKCS #12 file. */
type TlsMaterial = Pick<SecureContextOptions, 'key' | 'cert' | 'pfx' | 'passphrase'>;

/** @param routes the whole table, including this route; read at the first request for the document. */
function documentRoutes(catalog: Catalog, version: string, routes: () => readonly Route[]): Route[] {
  let text: Uint8Array | undefined;
  return [
    openRoute('GET /v1/openapi.json', 'openApi', {
      tag: 'host',
      scope: 'none',
      summary: 'This document.',
      replies: { 200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()) } },
      async handle() {
        text ??= new TextEncoder().encode(JSON.stringify(openApiDocument(routes(), catalog, version)));
        return { kind: 'bytes', bytes: text, mimeType: 'application/json' };
      },
    }),
  ];
}

interface TableOptions {
  readonly host: Host;
  /** These three: see statusRoutes. */
  readonly proofKey: Uint8Array | null;
  port(): number;
  readonly end?: EndHost | undefined;
  readonly pageFolder?: string | undefined;
  /** Routes of other edges. */
  readonly mounts: readonly Route[];
}

/** Every route of the server, in the order of the OpenAPI document. */
export function routeTable({ host, proofKey, port, end = null, pageFolder, mounts }: TableOptions): Route[] {
  const routes: Route[] = [
    ...statusRoutes(host, { proofKey, port, end }),
    ...actionRoutes(host),
    ...toolRoutes(host),
    ...schemaRoutes(host),
    ...sessionRoutes(host),
    ...approvalRoutes(host),
    ...policyRoutes(host),
    ...tokenRoutes(host),
    ...secretRoutes(host),
    ...artifactRoutes(host),
    ...auditRoutes(host),
    ...pageRoutes(host, pageFolder),
    ...documentRoutes(host.catalog, host.version, () => routes),
    ...mounts,
  ];
  return routes;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

interface Names {
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
function allowedNames(port: number, isTls: boolean, configured: readonly string[]): Names {
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
function assertLocalRequest(request: IncomingMessage, names: Names): void {
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
const MOST_HEADERS = 100;

function assertFewHeaders(request: IncomingMessage): void {
  const count = request.rawHeaders.length / 2;
  if (count > MOST_HEADERS)
    throw new UiaHostError(
      'payload_too_large',
      `The request has ${count} headers; at most ${MOST_HEADERS} are allowed.`,
      { hint: 'Send fewer headers.' },
    );
}

export interface HttpServerOptions {
  readonly host: Host;
  readonly address: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Key and certificate. Required, with `allowRemote`, for an address that is not loopback. */
  readonly tls?: TlsMaterial | undefined;
  readonly allowRemote?: boolean | undefined;
  /** Names that the Host header may have, in addition to the loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Routes of other edges: MCP, adapters, dashboard. */
  readonly mounts?: readonly Route[] | undefined;
  /** The data directory's proof key; without it /healthz does not answer challenges. */
  readonly proofKey?: Uint8Array | undefined;
  /** What `POST /v1/end` does. */
  readonly end?: EndHost | undefined;
  /** The folder of the page's files; without it there is no page. */
  readonly pageFolder?: string | undefined;
  /** Default 15 s. */
  readonly heartbeatMs?: number | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
}

interface ServerLimits extends ConnectionLimits {
  /** For receiving all headers. */
  readonly headersTimeoutMs: number;
  /** For receiving the whole request, including its body. */
  readonly requestTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** For the handshake of TLS. */
  readonly handshakeTimeoutMs: number;
}

const LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxHeaderBytes: 16 * 1024,
  handshakeTimeoutMs: 5000,
  maxConnections: 512,
  // One orchestrator needs a few; a gateway in front of many is one address.
  maxPerPeer: 256,
  keepAliveMs: 15_000,
};

export interface HttpServer {
  /** For example http://127.0.0.1:7423. */
  readonly url: string;
  readonly port: number;
  /** Serves another certificate from the next handshake on; connections stay. */
  setCertificate(material: TlsMaterial): void;
  /** Ends the streams, cancels what runs for a waiting client, closes the port. */
  close(): Promise<void>;
}

const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::';
const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Requests that the parser of node:http refuses never reach express; they get a problem too. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new UiaHostError('payload_too_large', 'The headers are too large.', { hint: 'Send fewer or shorter headers.' })
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new UiaHostError('deadline_exceeded', 'The request did not arrive completely in time.', {
            hint: 'Send the whole request without pauses.',
          })
        : badInput('This is not a valid HTTP request.');
  const body = JSON.stringify(problem.toProblem());
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Error'}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

async function listen(server: Server, address: string, port: number): Promise<number> {
  try {
    server.listen({ host: address, port });
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === 'EADDRINUSE' ? 'another program uses it' : code === 'EACCES' ? 'the system reserves it' : String(code);
    throw new UiaHostError('state_conflict', `Cannot listen on ${address}, port ${port}: ${why}.`, {
      hint: 'Set UIAHOST_PORT to another port; 0 takes any free one.',
      cause: error,
    });
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Starts the HTTP edge.
 * Errors: invalid_argument for an address that is not loopback without TLS and `allowRemote`; state_conflict if the port is in use.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, address, tls } = options;
  if (!isLoopback(address) && (tls === undefined || options.allowRemote !== true)) {
    throw badInput(
      `The address ${address} is reachable from other machines, which needs TLS files and UIAHOST_ALLOW_REMOTE.`,
      {
        hint: 'Use 127.0.0.1, or set UIAHOST_TLS_KEY, UIAHOST_TLS_CERT and UIAHOST_ALLOW_REMOTE=1.',
      },
    );
  }
  const limits = { ...LIMITS, ...options.limits };
  const closing = new AbortController();
  let port = options.port;
  let names: Names = allowedNames(port, tls !== undefined, []);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('query parser', 'simple');

  app.use((request, response, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    try {
      assertFewHeaders(request);
      assertLocalRequest(request, names);
      next();
    } catch (thrown) {
      refuse(request, response, toProblemError(thrown), host);
    }
  });
  // A host that listens on all addresses uses the first configured name in its URL.
  const [firstName = 'localhost'] = options.allowedHosts ?? [];
  const origin = (): string =>
    `${tls === undefined ? 'http' : 'https'}://${isWildcard(address) ? firstName.replace(/:\d+$/, '') : inUrl(address)}:${port}`;
  const routes = routeTable({
    host,
    proofKey: options.proofKey ?? null,
    port: () => port,
    end: options.end,
    pageFolder: options.pageFolder,
    mounts: options.mounts ?? [],
  });
  const connections = new Connections(limits);
  mountRoutes(app, routes, {
    host,
    origin,
    closing: closing.signal,
    heartbeatMs: options.heartbeatMs,
    onToken: (socket) => connections.trust(socket),
  });
  app.use((request, response) => {
    refuse(
      request,
      response,
      new UiaHostError('not_found', `No route for ${request.method} ${JSON.stringify(request.path.slice(0, 200))}.`),
      host,
    );
  });
  // Express recognises an error handler by its four parameters.
  app.use((thrown: unknown, request: express.Request, response: express.Response, _next: express.NextFunction) => {
    refuse(request, response, toProblemError(thrown), host);
  });

  const timing = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(2000, limits.headersTimeoutMs),
    keepAliveTimeout: 60_000,
    maxHeaderSize: limits.maxHeaderBytes,
  };
  const server: Server =
    tls === undefined
      ? createPlainServer(timing, app)
      : createTlsServer({ ...timing, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.handshakeTimeoutMs }, app);
  // One more than allowed, so that the guard sees the excess instead of node:http dropping it silently.
  server.maxHeadersCount = MOST_HEADERS * 4;
  connections.follow(server);
  server.on('clientError', answerBrokenRequest);
  port = await listen(server, address, options.port);
  names = allowedNames(port, tls !== undefined, [
    ...(isWildcard(address) ? [] : [inUrl(address)]),
    ...(options.allowedHosts ?? []),
  ]);

  return {
    url: origin(),
    port,
    setCertificate(material) {
      if ('setSecureContext' in server) (server as TlsServer).setSecureContext({ ...material, minVersion: 'TLSv1.2' });
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      closing.abort(new UiaHostError('cancelled', 'The host is closing.'));
      // Connections become idle one after another as the aborted requests end.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const last = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearInterval(idle);
      clearTimeout(last);
    },
  };
}

interface ConnectionLimits {
  /** The sum over all peers. Beyond it, connections that have shown no token make room. */
  readonly maxConnections: number;
  /** From one address of another machine. */
  readonly maxPerPeer: number;
  /** A connection that is lost without a word is noticed by probes that begin after this time. */
  readonly keepAliveMs: number;
}

interface Connection {
  readonly socket: Socket;
  readonly peer: string;
  /** Has carried a request with a valid token. */
  isTrusted: boolean;
}

/** A connection that says nothing useful makes room for one with a token. */
class Connections {
  readonly #limits: ConnectionLimits;
  /** Oldest first. */
  readonly #open = new Map<string, Connection>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Before the server listens. */
  follow(server: Server): void {
    // For TLS too this is the connection below it, before the handshake.
    server.on('connection', (socket) => this.#add(socket));
  }

  /** This connection carried a valid token: it never makes room for another. The socket may be that of TLS. */
  trust(socket: Socket): void {
    const connection = this.#open.get(keyOf(socket));
    if (connection !== undefined) connection.isTrusted = true;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const peer = socket.remoteAddress ?? '';
    socket.setKeepAlive(true, this.#limits.keepAliveMs);
    this.#open.set(key, { socket, peer, isTrusted: false });
    socket.once('close', () => {
      if (this.#open.get(key)?.socket === socket) this.#open.delete(key);
    });
    const own = this.#of(peer);
    if (!isLoopback(peer.replace(/^::ffff:/, '')) && own.length > this.#limits.maxPerPeer) this.#makeRoom(own, socket);
    if (this.#open.size > this.#limits.maxConnections) this.#makeRoom(this.#ofLargest(), socket);
  }

  /** Closes the oldest of these that has shown no token; the new one if all have. */
  #makeRoom(among: readonly Connection[], newest: Socket): void {
    const oldest = among.find(({ isTrusted }) => !isTrusted)?.socket ?? newest;
    this.#open.delete(keyOf(oldest));
    oldest.destroy();
  }

  #of(peer: string): Connection[] {
    return [...this.#open.values()].filter((connection) => connection.peer === peer);
  }

  /** The connections without a token of the peer that has most of them. */
  #ofLargest(): Connection[] {
    const byPeer = Map.groupBy(
      [...this.#open.values()].filter(({ isTrusted }) => !isTrusted),
      ({ peer }) => peer,
    );
    return [...byPeer.values()].reduce((largest, each) => (each.length > largest.length ? each : largest), []);
  }
}

/** The same for a connection and for the TLS above it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
