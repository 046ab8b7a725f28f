// The MCP endpoint: answers each HTTP message with a server of its own, and knows which clients wait for what.
import { randomUUID } from 'node:crypto';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isJSONRPCResponse,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';
import type { Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';
import type { RawReply } from '../host/face/route.ts';
import type { RoutineFile } from '../routines/file.ts';
import { createMcpServer, RecentPictures, type Serving } from './server.ts';
import { buildMcpTools, openCaps } from './tool-list.ts';
import { PROGRESS_MS, WaitingRoom, type WaitingTimes } from './waiting.ts';
import { attempt } from '../contract/attempt.ts';

const Issues = z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1);

/**
 * The protocol's library answers a request without the parameters of its method as an internal error, and with its validator's issues
 * as the text. Both are put right before they are sent. Called before the server is connected.
 */
function withPlainErrors(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(plain(message), options);
    await connect(transport);
  };
}

/** Codes that the library gives such a request: for most methods the first, for tools/call the second. */
const BLAMED: readonly number[] = [ProtocolErrorCode.InternalError, ProtocolErrorCode.InvalidParams];

function plain(message: Message): Message {
  if (!('error' in message) || !BLAMED.includes(message.error.code)) return message;
  const issues = issuesIn(message.error.message);
  if (issues === null) return message;
  const [{ path, message: text } = { path: [], message: '' }] = issues;
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${where}${text}` } };
}

function issuesIn(text: string): z.output<typeof Issues> | null {
  const [list] = /\[\n[^]*\]$/.exec(text) ?? [];
  if (list === undefined) return null;
  return attempt(() => Issues.safeParse(JSON.parse(list)).data ?? null, null);
}

/**
 * Calls in flight, so that `notifications/cancelled` finds its call although each message of the 2025 revision is a separate
 * HTTP request. Request ids are the client's (0, 1, 2, …) and repeat between clients, so the key includes the token, the
 * session name and the mark that `initialize` answered. A cancellation that matches no call, or two, does nothing: it never
 * cancels another client's call.
 */
class InFlight {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** Registers a call; `end` it when it is answered. */
  begin(key: string): { readonly signal: AbortSignal; end(): void } {
    const controller = new AbortController();
    const calls = this.#calls.get(key) ?? new Set();
    calls.add(controller);
    this.#calls.set(key, calls);
    return {
      signal: controller.signal,
      end: () => {
        calls.delete(controller);
        if (calls.size === 0 && this.#calls.get(key) === calls) this.#calls.delete(key);
      },
    };
  }

  cancel(key: string, reason: unknown): void {
    const calls = this.#calls.get(key);
    if (calls?.size !== 1) return;
    for (const call of calls) call.abort(reason);
  }
}

type Transport = Parameters<Server['connect']>[0];
type Message = Parameters<Transport['send']>[0];
type Answer = Extract<Message, { result: unknown } | { error: unknown }>;

/**
 * What servers have asked clients during a call (elicitation, sampling, roots). Each server lives for one request and counts its
 * own questions from 0, so a question gets an id that no other server uses, and its answer is passed to the server behind it.
 */
class AskedClients {
  readonly #open = new Map<string, (answer: Answer) => void>();

  /** Follows the questions of a server that is not connected yet. `keyOf` adds to an id what its client is known by. */
  follow(server: Server, keyOf: (id: string) => string): void {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const ids = new Map<string | number, string>();
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(this.#renamed(message, ids, transport, keyOf), options);
      const close = transport.close.bind(transport);
      transport.close = async () => {
        for (const id of ids.values()) this.#open.delete(keyOf(id));
        await close();
      };
      await connect(transport);
    };
  }

  /** Passes an answer on; one to a question that is not open is ignored. */
  answer(key: string, answer: Answer): void {
    const pass = this.#open.get(key);
    this.#open.delete(key);
    pass?.(answer);
  }

  #renamed(
    message: Message,
    ids: Map<string | number, string>,
    transport: Transport,
    keyOf: (id: string) => string,
  ): Message {
    if (!('method' in message)) return message;
    if (!('id' in message)) {
      const id = message.method === 'notifications/cancelled' ? ids.get(cancelledIn(message)) : undefined;
      return id === undefined ? message : { ...message, params: { ...message.params, requestId: id } };
    }
    const own = message.id;
    const id = randomUUID();
    ids.set(own, id);
    this.#open.set(keyOf(id), (answer) => transport.onmessage?.({ ...answer, id: own }));
    return { ...message, id };
  }
}

const cancelledIn = ({ params }: { params?: Record<string, unknown> | undefined }): string | number => {
  const id = params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : '';
};

export interface McpOptions {
  /** Default PROGRESS_MS. */
  readonly progressMs?: number;
  readonly times?: Partial<WaitingTimes>;
  /** Logs faults inside the protocol's code. */
  readonly onError?: (error: Error) => void;
  /** The routines that are tools; default none. */
  readonly routines?: () => readonly RoutineFile[];
  /** Makes the server of one request, with more in it than the product's own; default createMcpServer. */
  readonly createServer?: (serving: Serving) => Server;
}

/** An HTTP request that carries a message. */
export interface McpMessage {
  readonly caller: Caller;
  /** Capabilities in addition to core, as the client wrote them. */
  readonly caps: string | undefined;
  /** What the client calls this server; undefined if its address does not say. */
  readonly server: string | undefined;
  readonly body: unknown;
  /** The mark from the answer to `initialize`; empty if the client does not send it. */
  readonly mark: string;
  /** The mark that an answer to `initialize` gives, and the caller that a client with it is from then on. */
  readonly introduced: { readonly mark: string; readonly caller: Caller };
  readonly signal: AbortSignal;
}

export interface McpEndpoint {
  /** Errors: invalid_argument for an unknown capability; errors inside a message become protocol errors. */
  receive(message: McpMessage): RawReply;
}

const SESSION_MARK = 'mcp-session-id';
const JsonRpc = z.looseObject({
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  params: z.looseObject({}).optional(),
});

/** How a client introduces itself. */
const Introduction = z.looseObject({ name: z.string().min(1), version: z.string().optional() });
const ClientInfo = z.looseObject({
  clientInfo: Introduction.optional(),
  _meta: z.looseObject({ 'io.modelcontextprotocol/clientInfo': Introduction.optional() }).optional(),
});

/** The name and version that a message introduces its client by; the newer revision says them in each. */
function introducedIn(params: unknown): string | undefined {
  const { clientInfo, _meta: meta } = ClientInfo.safeParse(params).data ?? {};
  const said = clientInfo ?? meta?.['io.modelcontextprotocol/clientInfo'];
  return said === undefined ? undefined : `${said.name}${said.version === undefined ? '' : ` ${said.version}`}`;
}

/** What a server is made for, as it travels through the protocol's code. */
interface Served extends Record<string, unknown> {
  readonly serving: Serving;
  readonly keyOf: (id: unknown) => string;
}

/**
 * Streamable HTTP for the 2025 and 2026 revisions, without state between requests. The mark in the answer to `initialize`
 * only distinguishes clients when one cancels a call; a request without it, or with another host's, is served too.
 */
export function createMcpEndpoint(host: Host, options: McpOptions = {}): McpEndpoint {
  const tools = buildMcpTools(host.catalog);
  const room = new WaitingRoom(host, options.times);
  const inFlight = new InFlight();
  const pictures = new RecentPictures();
  const asked = new AskedClients();
  const createServer = options.createServer ?? createMcpServer;
  const onerror = options.onError ?? ((): void => {});
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { serving, keyOf } = authInfo!.extra as Served;
      const server = createServer(serving);
      withPlainErrors(server);
      asked.follow(server, keyOf);
      return server;
    },
    { onerror },
  );

  return {
    receive({ caller, introduced, caps: names, server, body, mark, signal }) {
      const caps = openCaps(names, tools.caps);
      const message = JsonRpc.safeParse(body).data ?? {};
      const keyOf = (id: unknown): string => JSON.stringify([caller.tokenId, caller.session, mark, id]);
      if (message.method === 'notifications/cancelled') {
        const reason = message.params?.['reason'];
        inFlight.cancel(
          keyOf(message.params?.['requestId']),
          new UiaHostError(
            'cancelled',
            `The client cancelled the call${typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : '.'}`,
          ),
        );
      }
      const named = introducedIn(message.params);
      const isIntroduction = message.method === 'initialize';
      if (named !== undefined) host.approvals.noteClient(isIntroduction ? introduced.caller : caller, named);
      if (isJSONRPCResponse(body)) asked.answer(keyOf(body.id), body);
      const flight =
        message.method === 'tools/call' && message.id !== undefined ? inFlight.begin(keyOf(message.id)) : null;
      const serving: Serving = {
        host,
        caller,
        tools,
        caps,
        server: server ?? null,
        room,
        pictures,
        gone: flight === null ? signal : AbortSignal.any([signal, flight.signal]),
        progressMs: options.progressMs ?? PROGRESS_MS,
        routines: options.routines?.() ?? [],
      };
      const authInfo: AuthInfo = {
        token: '',
        clientId: caller.tokenId,
        scopes: [caller.scope],
        extra: { serving, keyOf },
      };
      const fetchFace = {
        fetch: async (request: Request): Promise<Response> => {
          const response = await handler.fetch(request, { authInfo, parsedBody: body });
          if (isIntroduction && response.ok) response.headers.set(SESSION_MARK, introduced.mark);
          return response;
        },
      };
      return {
        kind: 'raw',
        async serve(request, response) {
          try {
            await toNodeHandler(fetchFace, { onerror })(request as NodeIncomingMessageLike, response, body);
          } finally {
            flight?.end();
          }
        },
      };
    },
  };
}
