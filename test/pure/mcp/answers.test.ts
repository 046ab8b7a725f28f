/** What clients make of answers: each family shows its model all of it, once. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createHttpServer } from '../../../src/http/server.ts';
import { mcpRoutes } from '../../../src/mcp/route.ts';
import { AGENT } from '../faces.ts';
import { serveMcp } from '../../support/mcp-client.ts';
import { startTestHost } from '../host/running-host.ts';

type Answer = Awaited<ReturnType<Client['callTool']>>;

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
    family: 'agent CLIs that show structured content where there is any, Mistral Vibe',
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
    family: 'smolagents and what is built on mcpadapt: the first part alone',
    takes: ['text', 'image'],
    shown: ({ content }) => JSON.stringify((content as unknown[])[0]),
  },
];

describe('each family of clients', () => {
  it('[mcp.structured] takes every part of an answer, and shows its model the elements, a value and an error', async () => {
    const { connect } = await serveMcp();
    const client = await connect('legacy', '?caps=all');
    const snapshot = await client.callTool({ name: 'snapshot', arguments: {} });
    const click = await client.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    const screenshot = await client.callTool({ name: 'screenshot', arguments: {} });
    const refused = await client.callTool({ name: 'click_element', arguments: { nam: 'OK' } });
    for (const { structuredContent } of [snapshot, click, screenshot, refused])
      expect(structuredContent).toBeUndefined();
    for (const { outputSchema } of (await client.listTools()).tools) expect(outputSchema).toBeUndefined();
    for (const { family, takes, shown } of FAMILIES) {
      for (const answer of [snapshot, click, screenshot, refused])
        for (const { type } of answer.content as Array<{ type: string }>) expect(takes, family).toContain(type);
      expect(shown(snapshot), family).toContain('ref=e1');
      expect(shown(click), family).toMatch(/value[\\":]+\s*true/);
      expect((screenshot.content as Array<{ type: string }>)[0]?.type, family).toBe('image');
    }
  });

  it('null is an argument that was left out, at any depth but in cells', async () => {
    const { connect, host, call } = await serveMcp();
    const given = { name: 'OK', role: null, deadlineMs: null, computerUseSessionId: null, observe: null };
    const client = await connect('legacy', '?caps=all');
    expect((await client.callTool({ name: 'click_element', arguments: given })).isError).toBeFalsy();
    await call('POST', '/v1/tools/click_element/call', { body: given });
    await client.callTool({ name: 'write_range', arguments: { range: 'A1:B1', values: [[1, null]], sheet: null } });
    expect(host.runs.map(({ input }) => input)).toEqual([
      { name: 'OK' },
      { name: 'OK' },
      { range: 'A1:B1', values: [[1, null]] },
    ]);
  });
});

it('an answer that is too large to send is cut, with a note', async () => {
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
    const { content } = await client.callTool({ name: 'list_visible_windows', arguments: {} });
    expect(JSON.stringify(content).length).toBeLessThan(80 * 1024);
    expect(JSON.stringify(content)).toContain('spool://');
  } finally {
    await client.close();
    await server.close();
  }
});
