// Mounts the route table on express: the caller, parameters, body, replies, refusals as problems; and the cookie and the header by which the page proves its session.
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { badInput, toUiaHostError, UiaHostError } from '../contract/errors.ts';
import { parseOrRefuse } from '../contract/json/issues.ts';
import type { Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';
import type { Route, RouteReply, RouteRequest, TokenRoute, ServerEvent } from '../host/face/route.ts';
import { discardBody, readJsonBody } from './body.ts';
import type { ServerResponse } from 'node:http';
import { jsonText } from '../contract/json/quoted.ts';

/** The header with the key, which only the page itself sends. */
const PAGE_HEADER = 'uiahost-page';

/** Browsers keep cookies by host and not by port, so the name has the port. */
const cookieName = (origin: string): string => `uiahost_page_${new URL(origin).port || 'default'}`;

interface Halves {
  readonly cookie: string;
  readonly key: string;
}

/** Null if the request does not come from the page. */
export function pageHalves(header: (name: string) => string | undefined, origin: string): Halves | null {
  const key = header(PAGE_HEADER);
  if (key === undefined) return null;
  const prefix = `${cookieName(origin)}=`;
  const cookies = (header('cookie') ?? '').split(';').map((each) => each.trim());
  const cookie = cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length);
  return cookie === undefined ? null : { cookie, key };
}

/** `Set-Cookie` of a session, or of its end. Gone when the browser ends; the host ends it earlier. */
export const setCookie = (origin: string, cookie: string | null): string =>
  [
    `${cookieName(origin)}=${cookie ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(origin.startsWith('https:') ? ['Secure'] : []),
    ...(cookie === null ? ['Max-Age=0'] : []),
  ].join('; ');

/** Default, if the error has no time of its own. */
const RETRY_AFTER_SECONDS = 1;

interface HttpError {
  readonly status?: unknown;
  readonly type?: unknown;
}

/** Converts errors of express and its router, which have a status instead of our codes. */
export function toProblemError(thrown: unknown): UiaHostError {
  if (thrown instanceof UiaHostError) return thrown;
  if (thrown instanceof URIError || (thrown as HttpError | null)?.status === 400) {
    return badInput('The URL has an invalid percent escape.', { cause: thrown });
  }
  return toUiaHostError(thrown);
}

/** Sends the problem. If the answer has begun, cuts the connection instead, which no client mistakes for a complete answer. */
function sendProblem(
  response: Response,
  error: UiaHostError,
  headers: Readonly<Record<string, string>> = {},
  refusal?: (error: UiaHostError) => unknown,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer realm="uiahost"');
  if (error.code === 'rate_limited')
    response.setHeader('Retry-After', String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response
    .status(error.status)
    .type(refusal === undefined ? 'application/problem+json' : 'application/json')
    .send(JSON.stringify(refusal?.(error) ?? error.toProblem()));
}

const SESSION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The session that a request names, in its address or by the header; undefined for none. Errors: invalid_argument. */
function namedSession(request: Request): string | undefined {
  const given = request.query['session'] ?? request.get('uiahost-session');
  if (given === undefined || (typeof given === 'string' && SESSION_NAME.test(given))) return given;
  throw badInput('Session name: expected 1 to 64 letters, digits, _ or -, or a computerUseSessionId.');
}

/** The caller that a page's session names. Errors: unauthenticated. */
function authenticatePage(request: Request, { host, origin }: ServingContext): Caller | null {
  const halves = pageHalves((name) => request.get(name), origin());
  if (halves === null) return null;
  const known = host.pages.authenticate(halves.cookie, halves.key);
  if (known === null)
    throw new UiaHostError('unauthenticated', 'The page’s session has ended.', { hint: 'Run `uiahost open` again.' });
  return { ...known, limits: null, session: namedSession(request) ?? 'page', surface: 'page' };
}

/**
 * Identifies the caller by the bearer token, or by the page's session where there is no such header.
 * Errors: unauthenticated; invalid_argument for a malformed session name.
 */
function authenticate(request: Request, context: ServingContext): Caller {
  const session = namedSession(request);
  const { tokens } = context.host;
  const given = request.headersDistinct['authorization'] ?? [];
  const page = given.length === 0 ? authenticatePage(request, context) : null;
  if (page !== null) return page;
  const token = given.length === 1 ? /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(given[0] ?? '')?.[1] : undefined;
  if (token === undefined) {
    throw new UiaHostError(
      'unauthenticated',
      given.length === 0
        ? 'The request has no Authorization header.'
        : 'The Authorization header is not `Bearer TOKEN`.',
    );
  }
  const known = tokens.authenticate(token);
  if (known === null) throw new UiaHostError('unauthenticated', 'The token is unknown, expired or revoked.');
  return {
    tokenId: known.tokenId,
    scope: known.scope,
    limits: known.limits,
    session: session ?? 'default',
    isShared: session === undefined,
    surface: 'http',
    traceparent: request.headersDistinct['traceparent']?.[0],
    client: `http ${(request.headers['user-agent'] ?? '').slice(0, 100)}`,
  };
}

/** Errors: permission_denied. An operator may do what an agent may; a viewer what is marked for viewers. */
function assertScope(caller: Caller, { scope, isViewable }: TokenRoute): void {
  if (caller.scope === 'operator' || (caller.scope === 'viewer' ? isViewable === true : scope === 'agent')) return;
  if (caller.scope === 'viewer')
    throw new UiaHostError('permission_denied', 'A viewer sees what sessions do, and can do nothing.', {
      hint: 'A person at the machine gets a page with more rights by `uiahost open`.',
    });
  throw new UiaHostError('permission_denied', 'This needs the operator token; the request has an agent token.', {
    hint: 'A person at the machine can do this; `uiahost token --operator` prints the operator token.',
  });
}

interface ServingContext {
  readonly host: Host;
  /** The server's address, available once it listens. */
  origin(): string;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly heartbeatMs?: number | undefined;
  /** A request on this connection had a valid token. */
  onToken(socket: Socket): void;
}

/** Two routes of the same form may name their parameters differently, so express gets numbered names. */
const parameterNames = (template: string): string[] =>
  [...template.matchAll(/\{([A-Za-z0-9]+)\}/g)].map((match) => match[1] ?? '');
function expressPath(template: string): string {
  let count = 0;
  return template.replaceAll(/\{[A-Za-z0-9]+\}/g, () => `:p${count++}`);
}
const NO_QUERY = z.strictObject({});

/**
 * Aborted when the client disconnects before its answer is complete, the server closes, or the caller's token ends. Not AbortSignal.any: a signal
 * joined to one as long-lived as the server's stays in memory once it has a listener.
 */
function whileWanted(response: Response, ends: readonly AbortSignal[]): AbortSignal {
  const wanted = new AbortController();
  const stops = ends.map((end) => {
    const onEnd = (): void => wanted.abort(end.reason);
    if (end.aborted) onEnd();
    else end.addEventListener('abort', onEnd, { once: true });
    return () => end.removeEventListener('abort', onEnd);
  });
  response.once('close', () => {
    for (const stop of stops) stop();
    if (!response.writableFinished) wanted.abort(new UiaHostError('cancelled', 'The client closed its connection.'));
  });
  return wanted.signal;
}

function pathParameters(route: Route, request: Request): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [index, name] of parameterNames(route.path).entries()) {
    const value = request.params[`p${index}`];
    const parameter = route.pathParameters?.[name];
    if (typeof value !== 'string' || parameter === undefined || !parameter.pattern.test(value)) {
      throw new UiaHostError(
        parameter?.unknown ?? 'not_found',
        parameter?.expected === undefined
          ? `Unknown ${name} ${JSON.stringify(String(value).slice(0, 80))}.`
          : `${name}: expected ${parameter.expected}, got ${JSON.stringify(String(value).slice(0, 80))}.`,
      );
    }
    given[name] = value;
  }
  return given;
}

async function readBody(route: Route, request: Request): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const body = await readJsonBody(request, route.body.mediaTypes);
  // Otherwise an empty object would be used, which would replace a policy with nothing.
  if (body === undefined && route.body.required !== false)
    throw badInput('The request needs a body and has none; nothing was done.');
  return parseOrRefuse(route.body.schema, body === undefined ? {} : body);
}

async function send(response: Response, reply: RouteReply, request: Request, context: ServingContext): Promise<void> {
  switch (reply.kind) {
    case 'json':
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      response
        .status(reply.status)
        .setHeader('Content-Type', 'application/json; charset=utf-8')
        .end(JSON.stringify(reply.body));
      return;
    case 'bytes':
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      response.status(200).setHeader('Content-Type', reply.mimeType);
      response.end(reply.bytes);
      return;
    case 'events': {
      if (request.method === 'HEAD') {
        response.type('text/event-stream').end();
        return;
      }
      const halves = pageHalves((name) => request.get(name), context.origin());
      const leave = halves === null ? null : context.host.pages.watch(halves.cookie, halves.key);
      try {
        await sendEvents(response, reply.events, context.heartbeatMs);
      } finally {
        leave?.();
      }
      return;
    }
    case 'empty':
      response.status(204).end();
      return;
    case 'raw':
      await reply.serve(request, response);
  }
}

/** A path for the log: anything but a plain word could be a misplaced token and is replaced. */
function plainPath(path: string): string {
  const segments = path.split('/').slice(0, 12);
  return segments.map((segment) => (/^(?:v1|[a-z][a-z.-]{0,23})?$/.test(segment) ? segment : '…')).join('/');
}

/** Answers a request that reached no handler. These refusals are audited here, others by the host. */
export function refuse(
  request: Request,
  response: Response,
  error: UiaHostError,
  host: Host,
  headers: Readonly<Record<string, string>> = {},
): void {
  host.recordRefusal({
    code: error.code,
    surface: 'http',
    route: `${request.method} ${plainPath(request.path)}`,
    tokenId: null,
  });
  sendProblem(response, error, headers);
  discardBody(request);
}

/** Handles a request: caller, input, reply. Every error becomes a problem. */
async function serve(route: Route, request: Request, response: Response, context: ServingContext): Promise<void> {
  let tokenId: string | null = null;
  let isReading = false;
  try {
    const caller = route.scope === 'none' ? null : authenticate(request, context);
    tokenId = caller?.tokenId ?? null;
    if (caller !== null) context.onToken(request.socket);
    if (caller !== null && route.scope !== 'none') assertScope(caller, route);
    const { tokens } = context.host;
    const signal = whileWanted(response, [context.closing, ...(tokenId === null ? [] : [tokens.endOf(tokenId)])]);
    const path = pathParameters(route, request);
    // The session is the caller's, on every route with a token.
    const { session: _session, ...asParameters } = request.query;
    const query = parseOrRefuse(route.query ?? NO_QUERY, caller === null ? { ...request.query } : asParameters);
    isReading = true;
    const body = await readBody(route, request);
    isReading = false;
    const asked: RouteRequest = {
      path,
      query,
      body,
      header: (name) => request.get(name),
      signal,
      origin: context.origin(),
    };
    // The token may have ended while the body came.
    signal.throwIfAborted();
    const reply =
      route.scope === 'none'
        ? await route.handle(asked)
        : await route.handle(asked, caller as NonNullable<typeof caller>);
    await send(response, reply, request, context);
  } catch (thrown) {
    const error = toProblemError(thrown);
    // Actions are audited by the host.
    if (error.actionId === undefined)
      context.host.recordRefusal({
        code: error.code,
        surface: 'http',
        route: `${route.method} ${route.path}`,
        tokenId,
      });
    sendProblem(response, error, {}, isReading ? route.body?.refusal : undefined);
    discardBody(request);
  }
}

/** Mounts the route table: each path with its methods, and method_not_allowed with `Allow` for the others. */
export function mountRoutes(app: Express, routes: readonly Route[], context: ServingContext): void {
  const byPath = new Map<string, Map<string, Route>>();
  // A literal path comes before a template that also matches it.
  for (const route of [...routes].sort((a, b) => parameterNames(a.path).length - parameterNames(b.path).length)) {
    const path = expressPath(route.path);
    const methods = byPath.get(path) ?? new Map<string, Route>();
    methods.set(route.method, route);
    if (route.method === 'GET') methods.set('HEAD', route);
    byPath.set(path, methods);
  }
  for (const [path, methods] of byPath) {
    const allow = [...methods.keys()].join(', ');
    // Not app.all, which makes a layer for each of the 35 methods that Node knows.
    app.route(path).all(async (request, response) => {
      const route = methods.get(request.method);
      if (route !== undefined) return serve(route, request, response, context);
      refuse(
        request,
        response,
        new UiaHostError('method_not_allowed', `${request.method} is not a method of this address; it takes ${allow}.`),
        context.host,
        { Allow: allow },
      );
    });
  }
}

const HEARTBEAT_MS = 15_000;
/** Bytes buffered for a slow reader before it is dropped. It reconnects with Last-Event-ID. */
export const MOST_WAITING_BYTES = 1024 * 1024;
/** Past events are sent in pieces of about this size, each after the previous one has been sent. */
const PIECE_BYTES = 64 * 1024;
/** A reader of past events that reads nothing for this long is dropped too. */
const LONGEST_PIECE_MS = 30_000;

/** Formats an event. The data is one line of JSON, so it cannot end the event early. */
function formatEvent(event: ServerEvent): string {
  return `event: ${event.event}\nid: ${event.id}\ndata: ${jsonText(event.data)}\n\n`;
}

/**
 * Writes one piece at a time; text that arrives meanwhile joins the next piece. Many small writes at once would become one
 * call with as many buffers, and Windows sockets need not accept more than a few hundred (under Wine, 256 end the connection).
 */
class PieceWriter {
  readonly #response: ServerResponse;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #underWay: Promise<void> | null = null;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get waitingBytes(): number {
    return this.#waitingBytes + this.#response.writableLength;
  }

  write(text: string): void {
    if (this.#response.destroyed) return;
    this.#waiting.push(text);
    this.#waitingBytes += Buffer.byteLength(text);
    this.#underWay ??= this.#send();
  }

  /** Resolves when everything is sent or the connection has ended. A reader that leaves a piece unread for too long is dropped. */
  async gone(): Promise<void> {
    while (this.#underWay !== null) {
      const timer = setTimeout(() => this.#response.destroy(), LONGEST_PIECE_MS).unref();
      await this.#underWay;
      clearTimeout(timer);
    }
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#response.destroyed) {
      const piece = this.#waiting.join('');
      this.#waiting = [];
      this.#waitingBytes = 0;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#response.off('close', done);
          resolve();
        };
        this.#response.once('close', done);
        this.#response.write(piece, done);
      });
    }
    this.#underWay = null;
  }
}

/**
 * Writes events as they arrive. Past events, which are in the store, are sent at the reader's speed. Live events wait for no
 * reader: up to MOST_WAITING_BYTES are buffered, then the reader is dropped.
 * Resolves when the events end or the reader is gone.
 */
async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const writer = new PieceWriter(response);
  // The first bytes show the client that the stream is open, before any event.
  writer.write('retry: 1000\n\n');
  const heartbeat = setInterval(() => writer.write(': heartbeat\n\n'), heartbeatMs);
  heartbeat.unref();
  try {
    for await (const event of events) {
      if (response.destroyed) return;
      writer.write(formatEvent(event));
      if (event.isPast === true) {
        if (writer.waitingBytes > PIECE_BYTES) await writer.gone();
      } else if (writer.waitingBytes > MOST_WAITING_BYTES) {
        response.destroy();
      }
    }
    await writer.gone();
    response.end();
  } finally {
    clearInterval(heartbeat);
  }
}
