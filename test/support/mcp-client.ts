/** Real MCP clients of both revisions, connected to a test’s server. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';
import { type McpOptions, mcpRoutes } from '../../src/mcp/route.ts';
import { AGENT_TOKEN, serve, type Served } from './http-server.ts';
import { createStandInHost, type StandInHost } from './stand-in-host.ts';

export type Era = 'legacy' | { readonly pin: '2026-07-28' };

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => {})));
});

export interface McpServed extends Served {
  connect(era: Era, query?: string, token?: string): Promise<Client>;
}

/** A server with the MCP endpoint and real clients of either revision. */
export async function serveMcp(options: McpOptions = {}, host: StandInHost = createStandInHost()): Promise<McpServed> {
  const served = await serve({ mounts: mcpRoutes(host, options) }, host);
  return {
    ...served,
    async connect(era, query = '', token = AGENT_TOKEN) {
      const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
      const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp${query}`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
      clients.push(client);
      await client.connect(transport);
      return client;
    },
  };
}
