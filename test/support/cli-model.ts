/** A model for agent CLIs that says what a test scripts: on loopback, over the APIs of OpenAI (Responses: Codex; Chat Completions: opencode and others), Google and Anthropic. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the model says in one turn: a tool of the host's to call. */
export interface ToolTurn {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the CLI shows its model of a tool's answer. */
export interface Shown {
  readonly tool: string;
  readonly text: string;
  /** Pictures, in base64. */
  readonly pictures: readonly string[];
}

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** The answers to the script's turns, in their order. */
  readonly shown: readonly Shown[];
  /** Names of the host's tools that the CLI offers, as the host names them. */
  readonly offered: ReadonlySet<string>;
  /** All that the CLI sent in its first turn with the host's tools, as JSON. */
  readonly told: string;
}

type Next = (shown: readonly Shown[]) => ToolTurn | null;
type Body = Record<string, any>;

/** `next` gives each turn from the answers so far; null ends the conversation. */
export async function startModel(next: Next): Promise<ScriptedModel> {
  const shown: Shown[] = [];
  const offered = new Set<string>();
  const asked: string[] = [];
  let told = '';
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const speak = SPEAKERS.find(({ path }) => path.test(request.url ?? ''));
    if (speak === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const body = (await json(request)) as Body;
    const own = speak.tools(body);
    for (const name of own) offered.add(name);
    const results = speak.results(body);
    for (const result of results.slice(shown.length)) shown.push({ tool: asked[shown.length] ?? '', ...result });
    response.writeHead(200, { 'content-type': speak.type?.(body) ?? 'text/event-stream' });
    // Some CLIs ask the model before the server's tools are there, or for a title.
    const isReady = speak.type === undefined ? offered.size > 0 : own.length > 0;
    const turn = isReady ? next(shown) : null;
    if (isReady && told === '') told = JSON.stringify(body);
    if (turn !== null) asked[shown.length] = turn.tool;
    response.end(isReady ? speak.turn(turn, asked.length, body) : speak.wait(body));
  }
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown,
    offered,
    get told() {
      return told;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Speaker {
  readonly path: RegExp;
  tools(body: Body): string[];
  results(body: Body): Array<Omit<Shown, 'tool'>>;
  turn(turn: ToolTurn | null, count: number, body: Body): string;
  /** A turn that only takes time. */
  wait(body: Body): string;
  /** The answer's type, where it may be something else than a stream. */
  type?(body: Body): string;
}

const SERVER = 'uiahost';

const responses: Speaker = {
  path: /\/responses$/,
  tools: ({ tools = [] }) =>
    tools
      .filter(({ name }: Body) => name === `mcp__${SERVER}`)
      .flatMap(({ tools: own = [] }: Body) => own.map(({ name }: Body) => name)),
  results: ({ input = [] }) =>
    input
      .filter(({ type, call_id: id }: Body) => type === 'function_call_output' && String(id).startsWith('turn_'))
      .map(({ output }: Body) => {
        const parts = Array.isArray(output) ? output : [{ type: 'input_text', text: String(output) }];
        return {
          text: parts.map(({ text = '' }: Body) => text).join('\n'),
          pictures: parts.flatMap(({ image_url: url }: Body) =>
            typeof url === 'string' ? [url.slice(url.indexOf(',') + 1)] : [],
          ),
        };
      }),
  turn: (turn, count) =>
    spoken(
      turn === null
        ? { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'Done.' }] }
        : {
            type: 'function_call',
            id: `fc_${count}`,
            call_id: `turn_${count}`,
            namespace: `mcp__${SERVER}`,
            name: turn.tool,
            arguments: JSON.stringify(turn.args),
          },
    ),
  wait: () =>
    spoken({
      type: 'function_call',
      id: 'fc_wait',
      call_id: `wait_${Date.now()}`,
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: 'sleep 0.3' }),
    }),
};

const spoken = (item: Body): string =>
  [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: { id: 'resp_1', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
    },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

const gemini: Speaker = {
  path: /:streamGenerateContent/,
  tools: ({ tools = [] }) =>
    tools
      .flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations.map(({ name }: Body) => String(name)))
      .filter((name: string) => name.startsWith(`mcp_${SERVER}_`))
      .map((name: string) => name.slice(`mcp_${SERVER}_`.length)),
  results: ({ contents = [] }) =>
    contents
      .flatMap(({ parts = [] }: Body) => parts)
      .filter((part: Body) => part['functionResponse'] !== undefined)
      .map(({ functionResponse }: Body) => ({
        text: JSON.stringify(functionResponse.response),
        pictures: [
          ...(functionResponse.parts ?? []),
          ...contents.flatMap(({ parts = [] }: Body) => parts).filter((part: Body) => part['inlineData'] !== undefined),
        ].flatMap(({ inlineData }: Body) => (inlineData === undefined ? [] : [String(inlineData.data)])),
      })),
  turn: (turn) =>
    streamed(
      turn === null ? { text: 'Done.' } : { functionCall: { name: `mcp_${SERVER}_${turn.tool}`, args: turn.args } },
    ),
  wait: () => streamed({ text: 'Done.' }),
};

const streamed = (part: Body): string =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  })}\r\n\r\n`;

const OWN = new RegExp(`(?:mcp__)?${SERVER}(?:__|_|-)([a-z_]+)`, 'g');

/**
 * The host's tools by their own names, with the names that a client gives them. Some show only names, in a message, and a tool
 * that looks them up.
 */
const offers = (names: readonly string[], body: Body): Map<string, string> => {
  // Some clients leave the server's name out.
  if (names.includes('bind_to_window')) return new Map(names.map((name) => [name, name]));
  if (names.includes(CODE))
    return new Map([...JSON.stringify(body['messages']).matchAll(LISTED)].map(([whole, own = '']) => [own, whole]));
  const where = names.some((name) => SEARCHES.has(name)) ? JSON.stringify(body['messages']) : names.join(' ');
  return new Map([...where.matchAll(OWN)].map(([whole, own = '']) => [own, whole]));
};
/** How a client's model looks a tool up, and by which other tool it is called then. */
const SEARCHES: ReadonlyMap<string, { readonly calls?: string }> = new Map([
  ['ToolSearch', {}],
  ['tool_search', { calls: 'tool_call' }],
]);

/** Mistral Vibe's model calls the tools of servers by a program, and looks their names up by another tool. */
const CODE = 'run_typescript';
const LIST = {
  name: 'search_tool_functions',
  args: { mode: 'all_connector_capabilities', connectors: ['mcp_uiahost'] },
};
const LISTED = /mcp_uiahost\.([a-z_]+)/g;

/** A turn as a call in a client: of the tool, or of what looks the tool up first. */
function callIn(names: readonly string[], body: Body, { tool, args }: ToolTurn, count: number): Body {
  const whole = offers(names, body).get(tool) ?? tool;
  if (names.includes(CODE)) {
    const code = `async function main() { return await tools.${whole}(${JSON.stringify(args)}); }`;
    return { id: `turn_${count}`, name: CODE, args: { code } };
  }
  const search = names.includes(whole) ? undefined : names.find((name) => SEARCHES.has(name));
  if (search === undefined) return { id: `turn_${count}`, name: whole, args };
  const query = `select:${whole}`;
  if (!JSON.stringify(body['messages']).includes(query))
    return { id: `search_${count}`, name: search, args: { query } };
  const { calls } = SEARCHES.get(search)!;
  if (calls === undefined) return { id: `turn_${count}`, name: whole, args };
  return { id: `turn_${count}`, name: calls, args: { name: whole, arguments: args } };
}

const chatNames = ({ tools = [] }: Body): string[] => tools.map((tool: Body) => String(tool['function']?.name));
const chat: Speaker = {
  path: /\/chat\/completions$/,
  type: ({ stream }) => (stream === true ? 'text/event-stream' : 'application/json'),
  tools: (body) => [...offers(chatNames(body), body).keys()],
  results: ({ messages = [] }) =>
    messages
      .filter(({ role, tool_call_id: id }: Body) => role === 'tool' && String(id).startsWith('turn_'))
      .map(({ content }: Body) => ({
        text: typeof content === 'string' ? content : content.map(({ text = '' }: Body) => text).join('\n'),
        pictures: [],
      })),
  turn(turn, count, body) {
    if (turn === null) return chatted(body, { content: 'Done.' });
    return called(body, callIn(chatNames(body), body, turn, count));
  },
  wait: (body) =>
    chatNames(body).includes(CODE) ? called(body, { id: 'list', ...LIST }) : chatted(body, { content: 'Done.' }),
};

function called(body: Body, { id, name, args }: Body): string {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return chatted(body, { tool_calls: [call] });
}

function chatted({ stream, model }: Body, said: Body): string {
  const finish = said['tool_calls'] === undefined ? 'stop' : 'tool_calls';
  const head = { id: 'chat_1', created: 1, model };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const message = { role: 'assistant', content: null, ...said };
  if (stream !== true)
    return JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  const chunk = (choices: Body[], more: Body = {}): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
  return [
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ].join('');
}

const messageNames = ({ tools = [] }: Body): string[] => tools.map(({ name }: Body) => String(name));
const messages: Speaker = {
  path: /\/v1\/messages(?:\?|$)/,
  type: ({ stream }) => (stream === true ? 'text/event-stream' : 'application/json'),
  tools: (body) => [...offers(messageNames(body), body).keys()],
  results: ({ messages: all = [] }) =>
    all
      .flatMap(({ content }: Body) => (Array.isArray(content) ? content : []))
      .filter((part: Body) => part['type'] === 'tool_result' && String(part['tool_use_id']).startsWith('turn_'))
      .map(({ content = '' }: Body) => {
        const parts: Body[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
        return {
          text: parts.map(({ text = '' }) => text).join('\n'),
          pictures: parts.flatMap(({ source }) => (source === undefined ? [] : [String(source.data)])),
        };
      }),
  turn(turn, count, body) {
    if (turn === null) return messaged(body, { type: 'text', text: 'Done.' });
    const { id, name, args } = callIn(messageNames(body), body, turn, count);
    return messaged(body, { type: 'tool_use', id, name, input: args });
  },
  wait: (body) => messaged(body, { type: 'text', text: 'Done.' }),
};

function messaged({ stream, model }: Body, block: Body): string {
  const isText = block['type'] === 'text';
  const reason = isText ? 'end_turn' : 'tool_use';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (stream !== true) return JSON.stringify({ ...message, content: [block], stop_reason: reason, usage });
  const delta = isText
    ? { type: 'text_delta', text: block['text'] }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const SPEAKERS: readonly Speaker[] = [responses, gemini, chat, messages];
