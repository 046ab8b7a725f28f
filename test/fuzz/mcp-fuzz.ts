/** JSON-RPC messages to /mcp, valid and broken, in both revisions, and what their answers must be. */
import * as fc from 'fast-check';
import { arbitraryOf, type Schema } from '../support/schema-arbitrary.ts';
import { ask, type Finding, type Target } from './target.ts';
import { wordsOf } from '../support/words.ts';

interface ListedTool {
  readonly name: string;
  readonly inputSchema: Schema;
}
type Message = Record<string, unknown>;

const METHODS = wordsOf`
  initialize ping tools/list tools/call prompts/list prompts/get resources/list resources/templates/list
  resources/read resources/subscribe completion/complete logging/setLevel server/discover subscriptions/listen
  tasks/get notifications/initialized notifications/cancelled notifications/progress
`;
/** Error codes of JSON-RPC and of MCP; a client could not interpret any other. */
const ERROR_CODES = new Set([
  -32_700, -32_600, -32_601, -32_602, -32_603, -32_000, -32_001, -32_002, -32_003, -32_004, -32_020, -32_021, -32_022,
]);
const REVISION = '2026-07-28';

export interface McpFuzzReport {
  readonly messages: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

export async function fuzzMcp(target: Target, { seed, runs }: { seed: number; runs: number }): Promise<McpFuzzReport> {
  const tools = await listTools(target);
  const arbitrary = sent(tools);
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  for (let at = 0; at < runs; at += 1) {
    const [given] = fc.sample(arbitrary, { numRuns: 1, seed: seed + at });
    if (given === undefined) continue;
    const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
    const say = (what: string): void =>
      void findings.push({ at, request: `${JSON.stringify(given.headers)} ${body.slice(0, 800)}`, what });
    const response = await ask(`${target.url}/mcp?caps=all`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${target.agentToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...given.headers,
      },
      body,
    });
    if (response === null) {
      say('no answer within 30 s');
      continue;
    }
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status >= 500) say(`status ${response.status}: ${(await response.text()).slice(0, 300)}`);
    else for (const what of await faultsOf(given.body, response)) say(what);
  }
  return { messages: runs, statuses, findings };

  async function faultsOf(body: unknown, response: Response): Promise<string[]> {
    const listens = isMessage(body) && body['method'] === 'subscriptions/listen';
    if (listens && response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      await response.body?.cancel();
      return [];
    }
    const text = await response.text();
    if (text === '') return response.status === 202 ? [] : [`status ${response.status} without a body`];
    const type = response.headers.get('content-type') ?? '';
    // Refused before it was read as JSON-RPC: by the server's own guards.
    if (type.startsWith('application/problem+json'))
      return response.status < 400 ? [`a problem with ${response.status}`] : [];
    const answers = type.startsWith('text/event-stream')
      ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string) as unknown)
      : [JSON.parse(text) as unknown].flat();
    return answers.flatMap((answer) => answerFaults(body, answer));
  }

  function answerFaults(body: unknown, answer: unknown): string[] {
    if (!isMessage(answer) || answer['jsonrpc'] !== '2.0')
      return [`not JSON-RPC: ${JSON.stringify(answer).slice(0, 300)}`];
    if (typeof answer['method'] === 'string') return [];
    const { error, result, id } = answer;
    const ids = [body].flat().flatMap((message) => (isMessage(message) && 'id' in message ? [message['id']] : []));
    const faults: string[] = [];
    if (isMessage(error)) {
      const { code } = error;
      if (!ERROR_CODES.has(code as number)) faults.push(`the code ${String(code)} is not one of JSON-RPC or MCP`);
      if (code === -32_603) faults.push(`an internal error: ${JSON.stringify(error).slice(0, 400)}`);
      if (id !== null && id !== undefined && !ids.includes(id)) faults.push(`answers the id ${JSON.stringify(id)}`);
      return faults;
    }
    if (!isMessage(result)) return [`neither result nor error: ${JSON.stringify(answer).slice(0, 300)}`];
    if (!ids.includes(id)) faults.push(`answers the id ${JSON.stringify(id)}`);
    const name =
      isMessage(body) && isMessage(body['params']) && body['method'] === 'tools/call' ? body['params']['name'] : null;
    if (typeof name !== 'string' || result['resultType'] === 'input_required') return faults;
    if (!Array.isArray(result['content'])) faults.push('a tool result without content');
    if (JSON.stringify(result).includes('"code":"internal"'))
      faults.push(`${name}: ${JSON.stringify(result).slice(0, 500)}`);
    return faults;
  }
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function listTools(target: Target): Promise<ListedTool[]> {
  const response = await fetch(`${target.url}/mcp?caps=all`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${target.agentToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  const text = await response.text();
  const answer = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result: { tools: ListedTool[] } };
  return answer.result.tools;
}

/** A body, which may be no JSON, and further headers. */
function sent(tools: readonly ListedTool[]): fc.Arbitrary<{ body: unknown; headers: Record<string, string> }> {
  const id = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.string({ minLength: 1, maxLength: 20 }));
  const meta = fc.oneof(
    fc.constant({
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
    fc.constant(undefined),
    fc.dictionary(
      fc.constantFrom('progressToken', 'io.modelcontextprotocol/protocolVersion', 'uiahost/session'),
      fc.jsonValue({ maxDepth: 1 }),
    ),
  );
  const toolCall = fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
    fc.record({
      name: fc.oneof(
        { weight: 9, arbitrary: fc.constant(name) },
        { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
      ),
      arguments: fc.oneof(
        { weight: 6, arbitrary: arbitraryOf(inputSchema) },
        { weight: 2, arbitrary: fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 })) },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
    }),
  );
  const uri = fc.oneof(
    fc.webUrl(),
    fc.stringMatching(/^artifact:\/\/[0-9a-f]{64}$/),
    fc.stringMatching(/^spool:\/\/out_[0-9a-f]{32}(\?from=\d{1,9})?$/),
    fc.string(),
  );
  const params = fc.oneof(
    fc.record({ uri }),
    fc.record({
      name: fc.constantFrom('fill_dialog', 'read_table', 'none'),
      arguments: fc.dictionary(fc.constantFrom('values', 'window', 'other'), fc.string()),
    }),
    fc.record({
      protocolVersion: fc.constantFrom('2024-11-05', '2025-11-25', REVISION, 'none'),
      capabilities: fc.constant({}),
      clientInfo: fc.constant({ name: 'fuzz', version: '1' }),
    }),
    fc.record({ requestId: id, reason: fc.string() }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const withMeta = (of: fc.Arbitrary<unknown>) =>
    fc
      .tuple(of, meta)
      .map(([value, extra]) => (isMessage(value) && extra !== undefined ? { ...value, _meta: extra } : value));
  const message = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        jsonrpc: fc.constant('2.0'),
        id,
        method: fc.constant('tools/call'),
        params: withMeta(toolCall),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          jsonrpc: fc.constant('2.0'),
          id,
          method: fc.oneof(fc.constantFrom(...METHODS), fc.string({ maxLength: 20 })),
          params: withMeta(params),
        },
        { requiredKeys: ['jsonrpc', 'method'] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          jsonrpc: fc.jsonValue({ maxDepth: 0 }),
          id: fc.jsonValue({ maxDepth: 1 }),
          method: fc.jsonValue({ maxDepth: 1 }),
          params: fc.jsonValue({ maxDepth: 2 }),
          result: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      ),
    },
  );
  const body = fc.oneof(
    { weight: 12, arbitrary: message as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
  );
  const header = fc.dictionary(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'),
    fc.oneof(fc.constantFrom(REVISION, '2025-11-25', 'tools/call', 'tools/list'), fc.stringMatching(/^[!-~]{1,20}$/)),
    { maxKeys: 3 },
  );
  return fc
    .tuple(
      body,
      fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        { weight: 2, arbitrary: fc.constant('fits') },
        { weight: 1, arbitrary: header },
      ),
    )
    .map(([given, headers]) => ({
      body: given,
      headers: headers === 'fits' ? fitting(given) : (headers as Record<string, string>),
    }));
}

/** The headers that the 2026 revision wants for a message. */
function fitting(body: unknown): Record<string, string> {
  if (!isMessage(body) || typeof body['method'] !== 'string' || !/^[!-~]+$/.test(body['method'])) return {};
  const name = isMessage(body['params']) ? (body['params']['name'] ?? body['params']['uri']) : undefined;
  return {
    'mcp-protocol-version': REVISION,
    'mcp-method': body['method'],
    ...(typeof name === 'string' && /^[!-~]+$/.test(name) ? { 'mcp-name': name } : {}),
  };
}
