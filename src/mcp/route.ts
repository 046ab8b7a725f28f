// The HTTP route of the MCP endpoint.
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { UiaHostError } from '../contract/errors.ts';
import type { Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';
import { tokenRoute, type Route } from '../host/face/route.ts';
import type { McpEndpoint, McpOptions } from './endpoint.ts';

export type { McpOptions } from './endpoint.ts';

const SERVER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What the newer revision, which has no session id, sends of the client with each message. */
const Identified = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({ 'io.modelcontextprotocol/clientInfo': z.looseObject({ name: z.string() }) }),
  }),
});

/**
 * The session of a client that names none: one for each session id of the protocol; without one, for each name of a client. Two
 * clients that shared a session would act on each other's window.
 */
function sessionOf(mark: string, body: unknown): string {
  if (mark !== '') return `mcp-${createHash('sha256').update(mark).digest('hex').slice(0, 16)}`;
  const { _meta: meta } = Identified.safeParse(body).data?.params ?? {};
  const client = meta?.['io.modelcontextprotocol/clientInfo'].name ?? '';
  const name = client.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40);
  return name === '' ? 'mcp' : `mcp-${name}`;
}

const PARSE_ERROR = -32_700;
const NOT_A_REQUEST = -32_600;

/** A body that cannot be read, to a client of JSON-RPC; which request it was is not known. */
const rpcError = (error: UiaHostError): unknown => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: error.code === 'invalid_argument' ? PARSE_ERROR : NOT_A_REQUEST,
    message: error.message,
    data: error.toProblem(),
  },
});

/** The MCP endpoint's route. The protocol's code and schemas take 6 MB, so the first message loads them. */
export function mcpRoutes(host: Host, options: McpOptions = {}): Route[] {
  let endpoint: Promise<McpEndpoint> | undefined;
  const load = async (): Promise<McpEndpoint> => (await import('./endpoint.ts')).createMcpEndpoint(host, options);

  return [
    tokenRoute('POST /mcp', 'mcp', {
      tag: 'mcp',
      scope: 'agent',
      summary:
        'Model Context Protocol, streamable HTTP (2025-11-25 and 2026-07-28). `uiahost mcp` bridges it to stdio.',
      headers: {
        'Uiahost-Session': 'Session name or a computerUseSessionId, also as `?session=`; absent: one for each client.',
      },
      query: z.strictObject({
        caps: z
          .string()
          .max(200)
          .optional()
          .describe('Capabilities in addition to core, separated by commas; `all` enables every tool.'),
        server: z
          .string()
          .regex(SERVER_NAME, 'server: expected 1 to 64 letters, digits, _ or -')
          .optional()
          .describe('What the client calls this server: permission_prompt allows tools of that name without asking.'),
      }),
      body: { schema: z.unknown(), required: false, refusal: rpcError },
      replies: {
        200: { description: 'A JSON-RPC message, or a stream of them.', schema: z.unknown() },
        202: { description: 'The body was a notification or a response, and was taken.', isEmpty: true },
        400: { description: 'A JSON-RPC error: the body is not a message of this protocol.', schema: z.unknown() },
      },
      async handle({ query, body, header, signal }, httpCaller) {
        const mark = header('mcp-session-id') ?? '';
        const callerWith = (marked: string): Caller => {
          const own = sessionOf(marked, body);
          const { isShared: isUnnamed = false, session } = httpCaller;
          // A session id is of one client; a name may be of several.
          const isShared = isUnnamed && marked === '';
          return { ...httpCaller, session: isUnnamed ? own : session, surface: 'mcp', client: `mcp ${own}`, isShared };
        };
        const newMark = randomUUID();
        return (await (endpoint ??= load())).receive({
          caller: callerWith(mark),
          introduced: { mark: newMark, caller: callerWith(newMark) },
          caps: query.caps,
          server: query.server,
          body,
          mark,
          signal,
        });
      },
    }),
  ];
}
