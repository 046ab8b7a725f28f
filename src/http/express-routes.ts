// Mounts the route table on express: parameters, body, authorisation, replies, refusals.
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';
import { parseOrRefuse } from '../contract/json/issues.ts';
import type { Host } from '../host/face/host.ts';
import type { Route, RouteReply, RouteRequest } from '../host/face/route.ts';
import { assertScope, authenticate } from './authenticate.ts';
import { discardBody, readJsonBody } from './body.ts';
import { sendEvents } from './event-stream.ts';
import { sendProblem, toProblemError } from './problems.ts';

export interface ServingContext {
  readonly host: Host;
  /** The server's address, available once it listens. */
  origin(): string;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly heartbeatMs?: number | undefined;
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
 * Aborted when the client disconnects before its answer is complete, or the server closes. Not AbortSignal.any: a signal
 * joined to one as long-lived as the server's stays in memory once it has a listener.
 */
function whileWanted(response: Response, closing: AbortSignal): AbortSignal {
  const wanted = new AbortController();
  const onClosing = (): void => wanted.abort(closing.reason);
  if (closing.aborted) onClosing();
  else closing.addEventListener('abort', onClosing, { once: true });
  response.once('close', () => {
    closing.removeEventListener('abort', onClosing);
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
    throw new UiaHostError('invalid_argument', 'The request needs a body and has none; nothing was done.');
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
    case 'events':
      if (request.method === 'HEAD') response.type('text/event-stream').end();
      else await sendEvents(response, reply.events, context.heartbeatMs);
      return;
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
  try {
    const caller =
      route.scope === 'none' ? null : authenticate(request, context.host.tokens, request.get('uiahost-session'));
    tokenId = caller?.tokenId ?? null;
    if (caller !== null && route.scope === 'operator') assertScope(caller, 'operator');
    const signal = whileWanted(response, context.closing);
    const asked: RouteRequest = {
      path: pathParameters(route, request),
      query: parseOrRefuse(route.query ?? NO_QUERY, { ...request.query }),
      body: await readBody(route, request),
      header: (name) => request.get(name),
      signal,
      origin: context.origin(),
    };
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
    sendProblem(response, error);
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
