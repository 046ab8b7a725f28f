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
import { type Fixtures, PIXEL } from './fixture.ts';
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
      capabilities: {
        ...product.getCapabilities(),
        logging: {},
        completions: {},
        prompts: {},
        resources: { subscribe: true },
      },
      requestState: { verify: codec.verify },
    },
  );
  const handlers = mcpHandlers(serving);
  const fixtures = (context: ServerContext): Fixtures => ({ context, seal: (state) => codec.mint(state) });
  handleWith(server, {
    ...handlers,
    listTools: () => ({ tools: [...handlers.listTools().tools, ...FIXTURE_TOOLS] }),
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
  server.setRequestHandler('prompts/list', () => ({ prompts: FIXTURE_PROMPTS }));
  server.setRequestHandler('prompts/get', (request, context) => {
    const { name, arguments: given = {} } = request.params;
    const prompt = getFixturePrompt(name, given, fixtures(context));
    if (prompt === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt.');
    return prompt;
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

const FIXTURE_RESOURCES = [
  { uri: 'test://static-text', name: 'Static text', description: 'A fixture with text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static binary', description: 'A fixture with bytes.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'A fixture to watch.', mimeType: 'text/plain' },
];

const FIXTURE_TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'Template', description: 'A fixture with a parameter.' },
];

/** Null for a resource that is not a fixture. */
function readFixtureResource(uri: string) {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] };
  if (uri === 'test://watched-resource') return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}
