/**
 * Routes as data. The HTTP edge makes the express routes and the OpenAPI document from one list; other edges served
 * over HTTP (MCP, adapters) supply their routes in this form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { ErrorCode, UiaHostError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/gate/views.ts';
import type { Caller } from './caller.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A path parameter: its pattern, and the error for anything else (an id that cannot exist counts as unknown). */
export interface PathParameter {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly unknown: ErrorCode;
  /** What is expected, where `unknown` is invalid_argument. */
  readonly expected?: string;
}

interface RequestBody<B extends z.ZodType = z.ZodType> {
  readonly schema: B;
  /** Default true: an absent body is an empty object, which the schema may refuse. */
  readonly required?: boolean;
  readonly mediaTypes?: readonly string[];
  /** The answer to a body that cannot be read, in the words of the route's own protocol; default: the problem. */
  readonly refusal?: (error: UiaHostError) => unknown;
}

/** What a handler gets. Path parameters match their patterns, query and body their schemas. */
export interface RouteRequest<Q = unknown, B = unknown> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  header(name: string): string | undefined;
  /** Aborted when the client closes its connection before the answer is sent, and when the server closes. */
  readonly signal: AbortSignal;
  /** The server's own address as clients reach it, such as http://127.0.0.1:7423. */
  readonly origin: string;
}

/** One event of a server-sent stream. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
  /** It happened before the reader connected: sending it can wait. */
  readonly isPast?: boolean | undefined;
}

/** The handler writes the response itself; `serve` resolves when that is done. */
export interface RawReply {
  readonly kind: 'raw';
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export type RouteReply =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly mimeType: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerEvent> }
  /** 204: there is nothing, and nothing can follow. */
  | { readonly kind: 'empty' }
  | RawReply;

export interface ReplyDescription {
  readonly description: string;
  /** The reply has no body. */
  readonly isEmpty?: boolean;
  readonly schema?: z.ZodType;
  /** Default application/json. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteBase {
  readonly method: Method;
  /** OpenAPI template: `/v1/actions/{actionId}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly pathParameters?: Readonly<Record<string, PathParameter>>;
  readonly query?: z.ZodObject;
  /** Request headers that the route reads, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly replies: Readonly<Record<number, ReplyDescription>>;
  /** Omitted from the document: it is described elsewhere. */
  readonly isHidden?: boolean;
}

/** Needs no token. */
export interface OpenRoute extends RouteBase {
  readonly scope: 'none';
  handle(request: RouteRequest): Promise<RouteReply>;
}

/** Needs a token of this scope; an operator's may do what an agent's may. */
export interface TokenRoute extends RouteBase {
  readonly scope: Exclude<Scope, 'viewer'>;
  /** A viewer may call it too. */
  readonly isViewable?: true;
  handle(request: RouteRequest, caller: Caller): Promise<RouteReply>;
}

export type Route = OpenRoute | TokenRoute;

/** Where a route is, with its method: `GET /v1/status`. */
type Address = `${Method} /${string}`;

type Typed<R extends Route, Q extends z.ZodObject, B extends z.ZodType> = Omit<
  R,
  'method' | 'path' | 'operationId' | 'query' | 'body' | 'handle'
> & {
  readonly query?: Q;
  readonly body?: RequestBody<B>;
};

const placeOf = (address: Address): Pick<RouteBase, 'method' | 'path'> => {
  const [method, path] = address.split(' ', 2) as [Method, string];
  return { method, path };
};

/** Makes a route whose handler sees query and body in the types of their schemas. */
export function openRoute<Q extends z.ZodObject, B extends z.ZodType>(
  address: Address,
  operationId: string,
  route: Typed<OpenRoute, Q, B> & { handle(request: RouteRequest<z.output<Q>, z.output<B>>): Promise<RouteReply> },
): OpenRoute {
  return { ...route, ...placeOf(address), operationId };
}

export function tokenRoute<Q extends z.ZodObject, B extends z.ZodType>(
  address: Address,
  operationId: string,
  route: Typed<TokenRoute, Q, B> & {
    handle(request: RouteRequest<z.output<Q>, z.output<B>>, caller: Caller): Promise<RouteReply>;
  },
): TokenRoute {
  return { ...route, ...placeOf(address), operationId };
}

export function json(body: unknown, status = 200, headers?: Readonly<Record<string, string>>): RouteReply {
  return { kind: 'json', status, body, ...(headers === undefined ? {} : { headers }) };
}

/** Ids that the host makes: nothing in them can escape a folder or a path. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;
