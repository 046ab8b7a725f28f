// The HTTP route of the MCP endpoint.
import { z } from 'zod';
import type { Host } from '../host/face/host.ts';
import { tokenRoute, type Route } from '../host/face/route.ts';
import type { McpEndpoint, McpOptions } from './endpoint.ts';

export type { McpOptions } from './endpoint.ts';

const SERVER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The MCP endpoint's route. The protocol's code and schemas take 6 MB, so the first message loads them. */
export function mcpRoutes(host: Host, options: McpOptions = {}): Route[] {
  let endpoint: Promise<McpEndpoint> | undefined;
  const load = async (): Promise<McpEndpoint> => (await import('./endpoint.ts')).createMcpEndpoint(host, options);

  return [
    tokenRoute({
      method: 'POST',
      path: '/mcp',
      operationId: 'mcp',
      tag: 'mcp',
      scope: 'agent',
      summary:
        'Model Context Protocol, streamable HTTP (2025-11-25 and 2026-07-28). `uiahost mcp` bridges it to stdio.',
      query: z.strictObject({
        session: z
          .string()
          .regex(/^[A-Za-z0-9_-]{1,64}$/, 'session: expected 1 to 64 letters, digits, _ or -')
          .optional()
          .describe('Session name; `default` when absent.'),
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
      body: { schema: z.unknown(), required: false },
      replies: {
        200: { description: 'A JSON-RPC message, or a stream of them.', schema: z.unknown() },
        202: { description: 'The body was a notification or a response, and was taken.', isEmpty: true },
        400: { description: 'A JSON-RPC error: the body is not a message of this protocol.', schema: z.unknown() },
      },
      async handle({ query, body, header, signal }, httpCaller) {
        const caller = { ...httpCaller, session: query.session ?? httpCaller.session, surface: 'mcp' as const };
        return (await (endpoint ??= load())).receive({
          caller,
          caps: query.caps,
          server: query.server,
          body,
          mark: header('mcp-session-id') ?? '',
          signal,
        });
      },
    }),
  ];
}
