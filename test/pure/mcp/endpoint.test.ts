/** Questions that a server asks its client in the midst of a call, under the 2025 revision. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { mcpRoutes } from '../../../src/mcp/route.ts';
import { createMcpServer } from '../../../src/mcp/server.ts';
import { AGENT_TOKEN, serve } from '../../support/http-server.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

/** A server whose every call asks the client's user first, and answers what came back. */
async function serveAsking() {
  const host = createStandInHost();
  const served = await serve(
    {
      mounts: mcpRoutes(host, {
        createServer(serving) {
          const server = createMcpServer(serving);
          server.setRequestHandler('tools/call', async (_request, context) => {
            const answer = await context.mcpReq.send({
              method: 'elicitation/create',
              params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
            });
            return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
          });
          return server;
        },
      }),
    },
    host,
  );
  return {
    served,
    async connect(name: string, wait: Promise<void>) {
      const client = new Client({ name, version: '1.0.0' }, { capabilities: { elicitation: {} } });
      client.setRequestHandler('elicitation/create', async () => {
        await wait;
        return { action: 'accept', content: { name } };
      });
      clients.push(client);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${AGENT_TOKEN}` } },
        }),
      );
      return client;
    },
  };
}

describe('a question to the client', () => {
  it('is answered to the call that asked, while others wait for theirs', async () => {
    const { connect } = await serveAsking();
    const { promise: later, resolve: answerSlow } = Promise.withResolvers<void>();
    const [slow, quick] = [await connect('slow', later), await connect('quick', Promise.resolve())];
    const call = (client: Client) => client.callTool({ name: 'snapshot', arguments: {} });
    const first = call(slow);
    expect(JSON.stringify((await call(quick)).content)).toContain('quick');
    answerSlow();
    expect(JSON.stringify((await first).content)).toContain('slow');
  });

  it('is not answered by another client, nor twice', async () => {
    const { served } = await serveAsking();
    const post = (body: unknown, mark: string): Promise<Response> =>
      served.call('POST', '/mcp', {
        body,
        headers: { accept: 'application/json, text/event-stream', 'mcp-session-id': mark },
      });
    const params = { name: 'snapshot', arguments: {} };
    const stream = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, 'mine');
    const reader = stream.body!.pipeThrough(new TextDecoderStream() as never).getReader();
    let heard = '';
    const hear = async (wanted: RegExp): Promise<string> => {
      while (!wanted.test(heard)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended after ${heard}`);
        heard += String(value);
      }
      return wanted.exec(heard)?.[1] ?? '';
    };
    const asked = await hear(/"id":"([0-9a-f-]{36})"/);
    const answer = (name: string) => ({ jsonrpc: '2.0', id: asked, result: { action: 'accept', content: { name } } });
    expect((await post(answer('theirs'), 'theirs')).status).toBe(202);
    expect((await post(answer('mine'), 'mine')).status).toBe(202);
    expect((await post(answer('again'), 'mine')).status).toBe(202);
    await hear(/("content":\[)/);
    expect(heard).toContain('mine');
    expect(heard).not.toMatch(/theirs|again/);
  });
});
