/** The real host, gate and store behind real faces: HTTP and an MCP client. Only the desktop is a stand-in. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createHttpServer } from '../../src/http/server.ts';
import { mcpRoutes, type McpOptions } from '../../src/mcp/route.ts';
import { startTestHost, type TestHost } from './host/running-host.ts';
import type { Era } from '../support/mcp-client.ts';

export const AGENT = 'agent-token-agent-token';

export type Answer = Record<string, unknown> & { isError: boolean };
export interface Faces extends AsyncDisposable {
  readonly t: TestHost;
  readonly url: string;
  readonly client: Client;
  /** Calls a tool over MCP; `onEvent` asks for progress. */
  mcp(
    name: string,
    args: object,
    options?: { onEvent?: (event: Record<string, unknown>) => void; meta?: Record<string, unknown> },
  ): Promise<Answer>;
  http(name: string, args: object, token?: string): Promise<Answer>;
}

/**
 * A server and an MCP client in front of the real host, which is closed with them; `given`: in front of that host, with
 * another token.
 */
export async function openFaces(
  era: Era = 'legacy',
  policy: object = {},
  options: McpOptions = {},
  given?: { readonly host: TestHost; readonly token: string },
): Promise<Faces> {
  const t = given?.host ?? (await startTestHost(policy));
  const server = await createHttpServer({
    host: t.host,
    address: '127.0.0.1',
    port: 0,
    mounts: mcpRoutes(t.host, options),
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?caps=computer`), {
      requestInit: { headers: { authorization: `Bearer ${given?.token ?? AGENT}` } },
    }),
  );
  return {
    t,
    url: server.url,
    client,
    async mcp(name, args, { onEvent, meta } = {}) {
      const request = {
        name,
        arguments: args as Record<string, unknown>,
        ...(meta === undefined ? {} : { _meta: meta }),
      };
      const result = await client.callTool(
        request,
        onEvent === undefined
          ? {}
          : {
              onprogress: ({ message = '' }) => {
                if (message.startsWith('{')) onEvent(JSON.parse(message) as Record<string, unknown>);
              },
            },
      );
      const parts = result.content as Array<{ type: string; text: string }>;
      const text = JSON.parse(parts.find((part) => part.type === 'text')?.text ?? 'null') as Record<string, unknown>;
      return { ...text, isError: result.isError === true };
    },
    async http(name, args, token = AGENT) {
      const response = await fetch(`${server.url}/v1/tools/${name}/call`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      const { content, isError } = (await response.json()) as { content: Array<{ text: string }>; isError: boolean };
      return { ...(JSON.parse(content[0]?.text ?? 'null') as Record<string, unknown>), isError };
    },
    async [Symbol.asyncDispose]() {
      await client.close().catch(() => {});
      await server.close();
      if (given === undefined) await t[Symbol.asyncDispose]();
    },
  };
}
