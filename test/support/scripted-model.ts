/** Stands in for a vendor’s model on loopback: answers each request with the next of its scripted turns. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** The requests’ bodies, in order. */
  readonly asked: any[];
}

/** @param turns the answers; one more request than these is an error of the test */
export async function scriptedModel(turns: readonly object[]): Promise<ScriptedModel> {
  const asked: any[] = [];
  const server = createServer(async (request, response) => {
    const turn = turns[asked.length];
    asked.push(await json(request));
    response
      .writeHead(turn === undefined ? 500 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(turn ?? { error: { type: 'script', message: 'No turn is left.' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Claude’s answers: the tools that it calls in each turn, then its last message. */
export function claudeTurns(calls: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>, words: string): object[] {
  const message = (content: readonly object[], stop: string) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_reason: stop,
    stop_sequence: null,
    content,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  let count = 0;
  return [
    ...calls.map((turn) =>
      message(
        turn.map((call) => ({ type: 'tool_use', id: `toolu_${++count}`, ...call })),
        'tool_use',
      ),
    ),
    message([{ type: 'text', text: words }], 'end_turn'),
  ];
}

/** The same of an OpenAI model: the output items of each turn. */
export function openaiTurns(calls: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>, words: string): object[] {
  let count = 0;
  const response = (output: ReadonlyArray<Record<string, unknown>>) => ({
    id: `resp_${++count}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'scripted',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    temperature: 1,
    top_p: 1,
    output: output.map((item, index) => ({ id: `item_${count}_${index}`, status: 'completed', ...item })),
  });
  return [
    ...calls.map((turn) =>
      response(turn.map((item) => ({ call_id: `call_${count}_${String(item['type'])}`, ...item }))),
    ),
    response([
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words, annotations: [] }] },
    ]),
  ];
}
