/** A model for agent CLIs that says what a test scripts: over the Responses API (Codex) and the Gemini API, on loopback. */
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
    for (const name of speak.tools(body)) offered.add(name);
    const results = speak.results(body);
    for (const result of results.slice(shown.length)) shown.push({ tool: asked[shown.length] ?? '', ...result });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Some CLIs ask the model before the server's tools are there.
    const isReady = offered.size > 0;
    const turn = isReady ? next(shown) : null;
    if (isReady && told === '') told = JSON.stringify(body);
    if (turn !== null) asked.push(turn.tool);
    response.end(isReady ? speak.turn(turn, asked.length) : speak.wait());
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
  turn(turn: ToolTurn | null, count: number): string;
  /** A turn that only takes time. */
  wait(): string;
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

const SPEAKERS: readonly Speaker[] = [responses, gemini];
