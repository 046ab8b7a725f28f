/** What the README's session costs a model over MCP, in tokens of o200k_base: the tools, and each call with its answer as its text shows it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';
import type { TestHost } from './desktop.ts';

/** Counts a text's tokens; the tokenizer is fetched from npm the first time. */
export async function tokenizer(): Promise<(text: string) => number> {
  const load = createRequire(join(await ensureNpmTools('tokenizer'), 'package.json'));
  const { Tiktoken } = load('js-tiktoken/lite') as {
    Tiktoken: new (ranks: unknown) => { encode(text: string, special: [], disallowed: []): number[] };
  };
  const encoder = new Tiktoken(load('js-tiktoken/ranks/o200k_base'));
  return (text) => encoder.encode(text, [], []).length;
}

/** The README's session in the demo's window. Its table has 200 rows, of which a call answers 100. */
const SESSION: ReadonlyArray<readonly [tool: string, input: Record<string, unknown>]> = [
  ['bind_to_window', { title: 'uiahost demo' }],
  ['snapshot', { form: 'brief' }],
  ['type_into_element', { name: 'Customer', text: 'Ada Lovelace' }],
  ['type_into_element', { name: 'Notes', text: 'The quick brown fox – 狐 and 🦊.' }],
  ['select_element', { name: 'Product', item: 'Coffee' }],
  ['click_element', { name: 'Express delivery' }],
  ['click_element', { name: 'Check stock' }],
  ['wait_for', { name: 'Stock: 12 pieces' }],
  ['select_element', { name: 'Orders', item: '2026-0003' }],
  ['read_table', { name: 'Orders' }],
  ['screenshot', {}],
];

interface AnswerCost {
  readonly tool: string;
  readonly call: number;
  /** All its texts. */
  readonly answer: number;
  /** What is neither value, effect nor changes. */
  readonly envelope: number;
  /** Rows of a table. */
  readonly rows: number;
  readonly text: string;
}

export interface SessionCost {
  /** tools/list as a model gets it: name, description and input schema of each. */
  readonly list: number;
  readonly answers: readonly AnswerCost[];
  readonly total: number;
}

interface Answer {
  readonly value?: unknown;
  readonly effect?: string;
  readonly changes?: unknown;
}

/** `level` must be one at which the session asks no person. */
export async function sessionCost(host: TestHost, count: (text: string) => number): Promise<SessionCost> {
  const client = new Client({ name: 'costs', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${host.agentToken}` } },
    }),
  );
  try {
    const { tools } = await client.listTools();
    const list = tools.map(({ name, description, inputSchema }) =>
      count(JSON.stringify({ name, description, inputSchema })),
    );
    const answers: AnswerCost[] = [];
    for (const [tool, input] of SESSION) {
      const { content, isError } = await client.callTool({ name: tool, arguments: input });
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      if (isError === true) throw new Error(`${tool}: ${texts.join('\n')}`);
      const told = JSON.parse(texts.at(-1) ?? '{}') as Answer;
      const parts = [told.value, told.effect, told.changes].filter((part) => part !== undefined);
      answers.push({
        tool,
        call: count(JSON.stringify(input)),
        answer: count(texts.join('\n')),
        envelope: count(texts.at(-1) ?? '') - parts.reduce<number>((sum, part) => sum + count(JSON.stringify(part)), 0),
        text: texts.join('\n'),
        rows: tool === 'read_table' ? (texts[0] ?? '').split('\n').length - 1 : 0,
      });
    }
    return {
      list: list.reduce((sum, each) => sum + each, 0),
      answers,
      total: answers.reduce((sum, { call, answer }) => sum + call + answer, 0),
    };
  } finally {
    await client.close();
  }
}
