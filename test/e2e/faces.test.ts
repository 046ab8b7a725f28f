/** End to end: the same actions by MCP and by the command line. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FIXTURE_TOOLS } from '../conformance/fixture-tools.ts';
import { decode } from '../support/pixels.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { parseTree } from '../support/snapshot-tree.ts';
import { wordsOf } from '../support/words.ts';

const command = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));
const dist = fileURLToPath(new URL('../../dist', import.meta.url));
let scene: Scene;
let notepad: NotepadWindow;

beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(async () => {
  notepad = await scene.notepad();
});
afterEach(() => notepad.program.kill());

/** What an agent needs: bind, look, type, open a dialog, fill it in, click, read back. */
async function session(call: (tool: string, input?: object) => Promise<any>): Promise<void> {
  const listed = await call('list_visible_windows');
  expect(listed.value).toContainEqual(expect.objectContaining({ hwnd: notepad.hwnd }));
  expect((await call('bind_to_window', { hwnd: notepad.hwnd })).value).toMatchObject({ hwnd: notepad.hwnd });
  expect((await call('virtual_keyboard', { action: 'type', text: 'From an agent – ’狐’ 🦊' })).outcome).toMatchObject({
    effect: 'confirmed',
  });
  expect(await notepad.text()).toBe('From an agent – ’狐’ 🦊');
  await call('virtual_keyboard', { action: 'combo', text: 'ctrl+home' });
  const nodes = parseTree((await call('snapshot')).value.accessibilityText);
  expect(nodes.find(({ controlType }) => controlType === 'Edit' || controlType === 'Document')?.value).toBe(
    'From an agent – ’狐’ 🦊',
  );
  await call('virtual_keyboard', { action: 'combo', text: 'ctrl+f' });
  const find = await scene.window(({ title, pid }) => title === 'Find' && pid === notepad.pid);
  await call('bind_to_window', { hwnd: find.hwnd });
  await call('type_into_element', { name: 'Find What', text: 'agent' });
  await call('click_element', { name: 'Find Next' });
  await until(
    () => scene.witness.selection(notepad.hwnd, 'Edit'),
    ({ from, to }) => from === 8 && to === 13,
  );
  await call('click_element', { name: 'Cancel' });
  await until(
    () => scene.witness.windows(),
    (windows) => !windows.some(({ hwnd }) => hwnd === find.hwnd),
  );
}

/** The answer in the form of HTTP's: elements come first, as text, and the rest as JSON. */
function answerOf({ content }: { content?: unknown }): any {
  const texts = (content as Array<{ text?: string }>).flatMap(({ text }) => text ?? []);
  const { value, effect } = JSON.parse(texts.at(-1)!) as Record<string, unknown>;
  const seen = texts.length === 1 ? value : { ...Object(value), accessibilityText: texts[0] };
  return { value: seen, outcome: { effect } };
}
const textOf = (result: { content?: unknown }): string =>
  (result.content as Array<{ type: string; text?: string }>).find(({ type }) => type === 'text')?.text ?? '';

async function expectMcp(client: McpClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(wordsOf`
      list_visible_windows bind_to_window snapshot screenshot click_element type_into_element virtual_keyboard
    `),
  );
  await session(async (name, input = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    expect(result.isError ?? false, textOf(result)).toBe(false);
    return answerOf(result);
  });
  await client.callTool({ name: 'bind_to_window', arguments: { hwnd: notepad.hwnd } });
  const shot = await client.callTool({ name: 'screenshot', arguments: {} });
  const image = (shot.content as any[]).find(({ type }) => type === 'image');
  expect(image.mimeType).toBe('image/png');
  expect((await decode(image.data)).width).toBeGreaterThan(300);
  const refused = await client.callTool({ name: 'click_element', arguments: { name: 'No such thing' } });
  expect(refused.isError).toBe(true);
  expect(JSON.parse(textOf(refused))).toMatchObject({ code: 'target_not_found' });
}

describe('MCP', () => {
  it('over streamable HTTP, the older revision', async () => {
    const client = new McpClient({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp?session=older', scene.host.url), {
        requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
      }),
    );
    try {
      await expectMcp(client);
    } finally {
      await client.close();
    }
  });

  it('over streamable HTTP, the stateless revision', async () => {
    const client = new McpClient(
      { name: 'e2e', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp?session=newer', scene.host.url), {
        requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
      }),
    );
    try {
      await expectMcp(client);
    } finally {
      await client.close();
    }
  });

  it('over the standard streams of uiahost mcp', async () => {
    const client = new McpClient({ name: 'e2e', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [command, 'mcp'],
        env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', UIAHOST_DATA_DIR: scene.host.dataDir },
      }),
    );
    try {
      await expectMcp(client);
    } finally {
      await client.close();
    }
  });
});

it('the built product has none of the conformance suite’s tools and resources', async () => {
  const client = new McpClient({ name: 'e2e', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp?caps=all', scene.host.url), {
      requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
    }),
  );
  try {
    const [{ tools }, { resources }, { resourceTemplates }] = await Promise.all([
      client.listTools(),
      client.listResources(),
      client.listResourceTemplates(),
    ]);
    const fixtures = new Set(FIXTURE_TOOLS.map(({ name }) => name));
    expect(tools.filter(({ name }) => fixtures.has(name))).toEqual([]);
    expect(JSON.stringify([resources, resourceTemplates])).not.toContain('test://');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => readFileSync(join(dist, file), 'utf8').includes('test_simple_text'))).toEqual([]);
  } finally {
    await client.close();
  }
});

describe('the command line', () => {
  const uiahost = (...args: string[]): Promise<{ status: number; out: string; err: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [command, ...args],
        { env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir }, timeout: 20_000 },
        (error, out, err) => {
          resolve({ status: error === null ? 0 : Number(error.code), out, err });
        },
      );
    });

  it('every action is a command; --json prints HTTP’s answer', async () => {
    await session(async (tool, input = {}) => {
      const { status, out, err } = await uiahost(
        'call',
        tool.replaceAll('_', '-'),
        JSON.stringify(input),
        '--json',
        '--session',
        'cli',
      );
      // on a slow machine the command reports that it waits
      expect({ status, err: err.replace(/^Waiting; .*\n/, '') }).toEqual({ status: 0, err: '' });
      return JSON.parse(out);
    });
    const flags = await uiahost('bind-to-window', '--hwnd', notepad.hwnd, '--session', 'cli');
    expect(flags).toMatchObject({ status: 0, err: '' });
    expect((await uiahost('snapshot', '--session', 'cli')).out).toContain('From an agent – ’狐’ 🦊');
  });

  it('a refusal is status 1 with what to try, wrong usage is status 2', async () => {
    await uiahost('bind-to-window', '--hwnd', notepad.hwnd, '--session', 'cli');
    const refused = await uiahost('click-element', '--name', 'No such thing', '--session', 'cli');
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.err).toContain('target_not_found');
    expect((await uiahost('clik-element')).status).toBe(2);
    expect((await uiahost('click-element', '--nmae', 'x')).status).toBe(2);
  });

  it('status prints level and binding, token prints the token', async () => {
    const { status, out } = await uiahost('status', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ level: 'full', worker: { state: 'ready' } });
    expect((await uiahost('token')).out.trim()).toBe(readFileSync(`${scene.host.dataDir}/agent.token`, 'utf8').trim());
  });
});
