/** Output schemas of listed tools, and the structured content that must satisfy them. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { assert, property, sample as sampleOf } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/actions/index.ts';
import { UiaHostError } from '../../../src/contract/errors.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { mcpRoutes } from '../../../src/mcp/route.ts';
import { outlineOf } from '../../../src/mcp/tool-list.ts';
import { AGENT } from '../faces.ts';
import { serveMcp } from '../../support/mcp-client.ts';
import { arbitraryOf, type Schema } from '../../support/schema-arbitrary.ts';
import { startTestHost } from '../host/running-host.ts';
import { wordsOf } from '../../support/words.ts';

type Answer = Awaited<ReturnType<Client['callTool']>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
const faultsOf = (schema: Schema, value: unknown): unknown[] => {
  const validate = ajv.compile(schema);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Tools that answer with pictures: a structured answer would hide those in several clients. */
const IN_PARTS = wordsOf`
  screenshot zoom resolve_prepare_capture batch computer_screenshot await_approval permission_prompt
`;

describe('an output schema', () => {
  it('has every tool whose answers show no picture', async () => {
    const { connect } = await serveMcp();
    const { tools } = await (await connect('legacy', '?caps=all')).listTools();
    expect(
      tools
        .filter(({ outputSchema }) => outputSchema === undefined)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(IN_PARTS.toSorted());
    expect(tools.find(({ name }) => name === 'get_display_size')?.outputSchema).toMatchObject({
      type: 'object',
      properties: { value: { type: 'object', properties: { width: { type: 'integer' } } } },
    });
  });

  it('is satisfied by all that the action’s own schema allows', async () => {
    const { host } = await serveMcp();
    for (const { name, outputSchema } of host.catalog.entries) {
      const outline = ajv.compile(outlineOf(outputSchema));
      const whole = ajv.compile(outputSchema);
      assert(
        property(arbitraryOf(outputSchema), (value) => {
          expect([name, whole(value), outline(value)]).toEqual([name, true, true]);
        }),
        { numRuns: 20, seed: 17 },
      );
    }
  });

  it('tells a value of another type', async () => {
    const { host } = await serveMcp();
    for (const { name, outputSchema } of host.catalog.entries) {
      const outline = ajv.compile(outlineOf(outputSchema));
      const wrong = [null, true, 1, 'text', [1], {}].filter((value) => !ajv.compile(outputSchema)(value));
      expect([name, wrong.some((value) => !outline(value))]).toEqual([name, true]);
    }
  });
});

/**
 * What families of clients make of an answer, as their newest versions were seen to do it: which parts they take, and what a part
 * that they do not know does to the answer.
 */
const FAMILIES: ReadonlyArray<{
  readonly family: string;
  readonly takes: readonly string[];
  /** What its model is shown. */
  shown(answer: Answer): string;
}> = [
  {
    family: 'agent CLIs that show text and pictures',
    takes: ['text', 'image', 'resource_link'],
    shown: ({ content }) => JSON.stringify(content),
  },
  {
    family: 'agent CLIs that show structured content where there is any',
    takes: ['text', 'image', 'resource_link'],
    shown: ({ content, structuredContent }) => JSON.stringify(structuredContent ?? content),
  },
  {
    family: 'the Anthropic SDKs’ tool runners',
    takes: ['text', 'image'],
    shown: ({ content }) => JSON.stringify(content),
  },
  {
    family: 'LangChain’s adapters, Kimi Code',
    takes: ['text', 'image'],
    shown: ({ content }) => JSON.stringify(content),
  },
  {
    family: 'Mistral Vibe',
    takes: ['text', 'image'],
    shown: ({ structuredContent }) => JSON.stringify(structuredContent),
  },
  {
    family: 'smolagents and what is built on mcpadapt: the first part alone',
    takes: ['text', 'image'],
    shown: ({ content }) => JSON.stringify((content as unknown[])[0]),
  },
];

describe('each family of clients', () => {
  it('takes every part of an answer, and shows its model the elements, a value and an error', async () => {
    const { connect } = await serveMcp();
    const client = await connect('legacy', '?caps=all');
    const snapshot = await client.callTool({ name: 'snapshot', arguments: {} });
    const click = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    const screenshot = await client.callTool({ name: 'screenshot', arguments: {} });
    const refused = await client.callTool({ name: 'click_element', arguments: { nam: 'OK' } });
    for (const { family, takes, shown } of FAMILIES) {
      for (const answer of [snapshot, click, screenshot, refused])
        for (const { type } of answer.content as Array<{ type: string }>) expect(takes, family).toContain(type);
      expect(shown(snapshot), family).toContain('ref=e1');
      expect(shown(click), family).toMatch(/value[\\":]+\s*true/);
      expect((screenshot.content as Array<{ type: string }>)[0]?.type, family).toBe('image');
    }
    expect(refused.structuredContent).toBeUndefined();
  });

  it('null is an argument that was left out, at any depth but in cells', async () => {
    const { connect, host, call } = await serveMcp();
    const given = { name: 'OK', role: null, deadlineMs: null, computerUseSessionId: null, observe: null };
    const client = await connect('legacy', '?caps=all');
    expect((await client.callTool({ name: 'click_element', arguments: given })).isError).toBeFalsy();
    await call('POST', '/v1/tools/click_element/call', { body: given });
    await client.callTool({
      name: 'write_range',
      arguments: { range: 'A1:B1', values: [[1, null]], sheet: null },
    });
    expect(host.runs.map(({ input }) => input)).toEqual([
      { name: 'OK' },
      { name: 'OK' },
      { range: 'A1:B1', values: [[1, null]] },
    ]);
  });
});

describe('structured content', () => {
  let schemas: ReadonlyMap<string, Schema>;
  beforeAll(async () => {
    const { connect } = await serveMcp();
    const { tools } = await (await connect('legacy', '?caps=all')).listTools();
    schemas = new Map(tools.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, outputSchema]] : [])));
  });

  /** What is wrong with an answer for its tool's output schema; an error needs no structured content. */
  function faults(name: string, answer: Answer): unknown[] {
    const schema = schemas.get(name);
    if (schema === undefined || (answer.isError === true && answer.structuredContent === undefined)) return [];
    return answer.structuredContent === undefined ? ['is missing'] : faultsOf(schema, answer.structuredContent);
  }

  it('[mcp.structured] satisfies each tool’s schema, from the real host with a person who agrees', async () => {
    await using t = await startTestHost();
    const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0, mounts: mcpRoutes(t.host) });
    const client = new Client({ name: 'test', version: '1.0.0' });
    const stop = new AbortController();
    const person = (async () => {
      while (!stop.signal.aborted) {
        const { approvals } = await t.host.approvals.list({ status: 'pending' });
        for (const { approvalId } of approvals)
          await t.host.approvals.decide(approvalId, { decision: 'approve' }, 'operator', 'api').catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    try {
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?caps=all`), {
          requestInit: { headers: { authorization: `Bearer ${AGENT}` } },
        }),
      );
      // The client checks structured content against the schemas of tools that it has listed.
      await client.listTools();
      await client.callTool({ name: 'bind_to_window', arguments: { title: 'Notepad' } });
      const answered: string[] = [];
      for (const { tool, sample } of ACTIONS) {
        const answer = await client.callTool({ name: tool, arguments: sample as Record<string, unknown> });
        expect([tool, faults(tool, answer)]).toEqual([tool, []]);
        if (answer.isError !== true && schemas.has(tool)) answered.push(tool);
      }
      expect(answered.length).toBeGreaterThan(15);
    } finally {
      stop.abort();
      await person;
      await client.close();
      await server.close();
    }
  });

  it('[mcp.structured] satisfies each tool’s schema, whatever value the action answers within its own schema', async () => {
    const { connect, host } = await serveMcp();
    const client = await connect('legacy', '?caps=all');
    for (const { name, tool, outputSchema } of host.catalog.entries) {
      if (!schemas.has(tool)) continue;
      const sample = ACTIONS.find((action) => action.name === name)?.sample as Record<string, unknown>;
      for (const value of sampleOf(arbitraryOf(outputSchema), { numRuns: 3, seed: 23 })) {
        host.answers.set(name, () => value);
        const answer = await client.callTool({ name: tool, arguments: sample });
        expect([tool, faults(tool, answer), answer.isError ?? false]).toEqual([tool, [], false]);
        const { accessibilityText, ...rest } = Object(JSON.parse(JSON.stringify(value))) as Record<string, unknown>;
        const isText = typeof accessibilityText === 'string';
        expect(answer.structuredContent).toMatchObject(
          isText ? { value: rest, elements: accessibilityText } : { value: JSON.parse(JSON.stringify(value)) },
        );
      }
    }
  });

  it('[mcp.structured] satisfies it for a waiting call, a running call and a refusal too', async () => {
    const { connect, host } = await serveMcp({ times: { answerBeforeMs: 50 } });
    const client = await connect('legacy', '?caps=all');
    host.asks.add('click-element');
    const pending = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    expect([faults('click_element', pending), pending.structuredContent]).toMatchObject([[], { status: 'pending' }]);
    host.answers.set('select-element', () => new Promise(() => {}));
    const running = await client.callTool({ name: 'select_element', arguments: { name: 'OK', item: 'Red' } });
    expect([faults('select_element', running), running.structuredContent]).toMatchObject([[], { status: 'running' }]);
    host.answers.set('get-binding-status', () => {
      throw new UiaHostError('unsupported', 'Not here.');
    });
    const refused = await client.callTool({ name: 'get_binding_status', arguments: {} });
    expect([faults('get_binding_status', refused), refused.isError]).toEqual([[], true]);
    const unknown = await client.callTool({
      name: 'computer_use',
      arguments: { action: 'state', computerUseSessionId: 'none' },
    });
    expect([faults('computer_use', unknown), unknown.isError]).toEqual([[], true]);
  });
});

it('an answer that is too large to send is cut in its structured content too, with a note', async () => {
  await using t = await startTestHost();
  const server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0, mounts: mcpRoutes(t.host) });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const window = await t.scene.desktop.binding.at('4242' as never, {} as never);
  t.scene.desktop.window.listVisible = async () =>
    Array.from({ length: 1000 }, (_, index) => ({
      hwnd: String(index),
      pid: 100,
      title: `Document ${index} - Notepad`,
      app: window?.app ?? null,
      className: 'Notepad',
      minimized: false,
      toolWindow: false,
      elevated: false,
    })) as never;
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?caps=all`), {
        requestInit: { headers: { authorization: `Bearer ${AGENT}` } },
      }),
    );
    await client.listTools();
    const { structuredContent, content } = await client.callTool({ name: 'list_visible_windows', arguments: {} });
    expect(structuredContent).toMatchObject({ status: 'truncated', text: expect.stringContaining('spool://') });
    expect(JSON.stringify(structuredContent).length).toBeLessThan(80 * 1024);
    expect(JSON.stringify(content)).toContain('spool://');
  } finally {
    await client.close();
    await server.close();
  }
});
