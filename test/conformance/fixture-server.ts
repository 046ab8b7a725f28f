/** The server of the conformance suite: the product's own, with the fixtures that the suite expects in addition. */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { createMcpServer, handleWith, mcpHandlers, type Serving } from '../../src/mcp/server.ts';
import { FIXTURE_PROMPTS, getFixturePrompt } from './fixture-prompts.ts';
import { FIXTURE_RESOURCES, FIXTURE_TEMPLATES, readFixtureResource } from './fixture-resources.ts';
import type { Fixtures } from './fixture.ts';
import { callFixtureTool, FIXTURE_TOOLS } from './fixture-tools.ts';

const codec = createRequestStateCodec<string>({ key: randomBytes(32) });

/**
 * The product's server, which also lists and answers the suite's fixtures. All else takes the product's way: transport, guards,
 * token, gate and the answers of every method.
 */
export function createFixtureServer(serving: Serving): Server {
  const product = createMcpServer(serving);
  const server = new Server(
    { name: 'uiahost', version: serving.host.version },
    {
      capabilities: { ...product.getCapabilities(), logging: {}, completions: {}, resources: { subscribe: true } },
      requestState: { verify: codec.verify },
    },
  );
  const handlers = mcpHandlers(serving);
  const fixtures = (context: ServerContext): Fixtures => ({ context, seal: (state) => codec.mint(state) });
  handleWith(server, {
    ...handlers,
    listTools: () => ({ tools: [...handlers.listTools().tools, ...FIXTURE_TOOLS] }),
    listPrompts: () => ({ prompts: [...handlers.listPrompts().prompts, ...FIXTURE_PROMPTS] }),
    listResources: () => ({ resources: [...handlers.listResources().resources, ...FIXTURE_RESOURCES] }),
    listResourceTemplates: () => ({
      resourceTemplates: [...handlers.listResourceTemplates().resourceTemplates, ...FIXTURE_TEMPLATES],
    }),
    readResource: async (request) => readFixtureResource(request.params.uri) ?? handlers.readResource(request),
  });
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: given = {} } = request.params;
    return (await callFixtureTool(name, given, fixtures(context))) ?? handlers.callTool(request, context);
  });
  server.setRequestHandler('prompts/get', (request, context) => {
    const { name, arguments: given = {} } = request.params;
    return getFixturePrompt(name, given, fixtures(context)) ?? handlers.getPrompt(request);
  });
  server.setRequestHandler('completion/complete', ({ params }) => {
    if (
      params.ref.type === 'ref/prompt' &&
      !FIXTURE_PROMPTS.some(({ name }) => 'name' in params.ref && name === params.ref.name)
    )
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt.');
    return { completion: { values: [], total: 0, hasMore: false } };
  });
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}
