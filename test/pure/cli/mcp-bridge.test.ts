/** The MCP bridge on standard input and output, over a stand-in host. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { linesOf, McpFront } from '../../../src/cli/mcp-front.ts';
import { hostEnvironment } from '../../../src/cli/start.ts';
import { cliBundle, runCli, serveCli, temporaryFolder, type CliServed } from '../../support/cli.ts';
import { AGENT_TOKEN } from '../../support/http-server.ts';
import { serveMcp, type Era } from '../../support/mcp-client.ts';
import { until } from '../../support/until.ts';

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => {})));
});

const textOf = (result: unknown): string =>
  (result as { content: Array<{ type: string; text?: string }> }).content.find((part) => part.type === 'text')?.text ??
  '';

/** A real client over a real process of the bridge. */
async function connect(served: CliServed, era: Era, args: string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  clients.push(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliBundle(), 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', UIAHOST_DATA_DIR: served.dataDirectory, SECRET_API_KEY: 'sk-planted' },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

const ERAS: Array<[string, Era]> = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
];

describe.each(ERAS)('MCP bridge %s', (_name, era) => {
  it('[bridge.tools] lists and calls the host’s tools with the session and capabilities of the command', async () => {
    const served = await serveCli();
    const client = await connect(served, era, ['--session', 'desk', '--caps', 'pointer']);
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['snapshot', 'move_mouse', 'await_approval']));
    expect(
      JSON.parse(textOf(await client.callTool({ name: 'click_element', arguments: { name: 'OK' } }))),
    ).toMatchObject({ value: true });
    const picture = await client.callTool({ name: 'screenshot', arguments: {} });
    expect((picture.content as Array<{ type: string }>)[0]?.type).toBe('image');
    expect(served.host.runs.every(({ caller }) => caller.session === 'desk' && caller.surface === 'mcp')).toBe(true);
    expect(JSON.stringify(served.host.runs)).not.toContain('sk-planted');
  });

  it('answers what needs no host as the host does, without one and without starting one', async () => {
    const folder = temporaryFolder();
    const client = await connect({ dataDirectory: folder } as CliServed, era, ['--caps', 'pointer']);
    const { host, connect: overHttp } = await serveMcp();
    const other = await overHttp(era, '?caps=pointer');
    expect(client.getServerCapabilities()).toEqual(other.getServerCapabilities());
    expect(client.getInstructions()).toBe(other.getInstructions());
    expect(client.getServerVersion()?.name).toBe(other.getServerVersion()?.name);
    expect(await client.listTools()).toMatchObject({ tools: (await other.listTools()).tools });
    expect(await client.listResources()).toMatchObject({ resources: [] });
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    expect(host.runs).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a cancelled call cancels the run; cancelling it again later does nothing', async () => {
    const served = await serveCli();
    served.host.asks.add('click-element');
    const client = await connect(served, era);
    const leave = new AbortController();
    const answer = client.callTool({ name: 'click_element', arguments: { name: 'OK' } }, { signal: leave.signal });
    answer.catch(() => {});
    await until(() => served.host.cards.size === 1, 'the card');
    leave.abort();
    await until(() => [...served.host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
    served.host.asks.clear();
    expect(
      JSON.parse(textOf(await client.callTool({ name: 'click_element', arguments: { name: 'OK' } }))),
    ).toMatchObject({ value: true });
  });

  it('a client that ends takes its calls with it', async () => {
    const served = await serveCli();
    served.host.asks.add('click-element');
    const client = await connect(served, era);
    client.callTool({ name: 'click_element', arguments: { name: 'OK' } }).catch(() => {});
    await until(() => served.host.cards.size === 1, 'the card');
    await client.close();
    await until(() => [...served.host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
  });

  it('progress comes through', async () => {
    const served = await serveCli({ progressMs: 100 });
    served.host.answers.set(
      'wait-for',
      () =>
        new Promise((resolve) => {
          setTimeout(() => resolve({ met: true, element: null }), 450);
        }),
    );
    const client = await connect(served, era);
    const seen: number[] = [];
    await client.callTool(
      { name: 'wait_for', arguments: { name: 'OK' } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(seen.slice(0, 2)).toEqual([1, 2]);
  });
});

describe('MCP bridge', () => {
  it('--host bridges to another host with its token, and starts none', async () => {
    const served = await serveCli();
    const folder = temporaryFolder();
    const token = join(folder, 'pc17.json');
    writeFileSync(token, JSON.stringify({ token: AGENT_TOKEN, tokenId: 'tok_1', scope: 'agent' }));
    const here = { dataDirectory: folder } as CliServed;
    const client = await connect(here, 'legacy', ['--host', served.server.url, '--token-file', token]);
    expect(
      JSON.parse(textOf(await client.callTool({ name: 'click_element', arguments: { name: 'OK' } }))),
    ).toMatchObject({ value: true });
    expect(served.host.runs.map(({ action }) => action)).toEqual(['click-element']);
    const gone = await connect(here, 'legacy', ['--host', 'http://127.0.0.1:9', '--token-file', token]);
    await expect(gone.callTool({ name: 'click_element', arguments: { name: 'OK' } })).rejects.toThrow('127.0.0.1:9');
    expect(readdirSync(folder)).toEqual(['pc17.json']);
  });

  it('two bridges without a name do not share a session', async () => {
    const served = await serveCli();
    const [one, two] = [await connect(served, 'legacy'), await connect(served, 'legacy')];
    await one.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    await two.callTool({ name: 'click_element', arguments: { name: 'OK' } });
    const sessions = served.host.runs.map(({ caller }) => caller.session);
    expect(sessions[0]).toMatch(/^stdio-[0-9a-f]{12}$/);
    expect(sessions[1]).not.toBe(sessions[0]);
  });

  it('answers broken lines with a parse error, and the host’s refusal as an error of the request', async () => {
    const served = await serveCli();
    const lines = [
      'not json',
      '',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } }),
    ];
    const answers: Array<Record<string, unknown>> = [];
    await served.cli(['mcp', '--caps', 'nothing'], {
      input: `${lines.join('\n')}\n`,
      keepInput: true,
      until: (stdout) => {
        answers.splice(
          0,
          answers.length,
          ...stdout
            .trim()
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
        );
        return answers.length >= 2;
      },
    });
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
        {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32_000,
            message: expect.stringContaining('caps: "nothing"'),
            data: expect.objectContaining({ code: 'invalid_argument' }),
          },
        },
      ]),
    );
  });

  it('piped input is answered before the bridge ends, and a call that waits for a person ends with its client', async () => {
    const { cli, host } = await serveCli();
    const requests = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'click_element', arguments: { name: 'OK' } } },
    ];
    const { status, stdout } = await cli(['mcp'], {
      input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: object });
    expect([status, answers.map(({ id }) => id).toSorted((a, b) => a - b)]).toEqual([0, [1, 2, 3]]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    host.asks.add('click-element');
    expect((await cli(['mcp'], { input: `${JSON.stringify(requests[2])}\n` })).status).toBe(0);
    await until(() => [...host.cards.values()][0]?.status === 'cancelled', 'its cancellation');
  });

  it('[bridge.squatter] sends no token to another program on the host’s port', async () => {
    const served = await serveCli();
    writeFileSync(join(served.dataDirectory, 'host.key'), 'of another host\n');
    const { stdout } = await served.cli(['mcp'], {
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'snapshot', arguments: {} } })}\n`,
      keepInput: true,
      until: (text) => text.includes('\n'),
    });
    expect(stdout).toContain('no token was sent');
    expect(served.host.refusals).toEqual([]);
  });

  it('answers requests with how to start a host, where it cannot start one itself', async () => {
    const { stdout } = await runCli(['mcp'], temporaryFolder(), {
      input: `${JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: {} })}\n`,
      keepInput: true,
      until: (text) => text.includes('\n'),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'a',
      error: { code: -32_000, message: expect.stringContaining('node scripts/start.mjs') },
    });
  });

  it('[decides.environment] a host that the bridge starts gets no keys and no level of the calling program', () => {
    const env = {
      PATH: '/bin',
      HOME: '/home/a',
      UIAHOST_DATA_DIR: '/d',
      UIAHOST_PORT: '0',
      UIAHOST_LEVEL: 'full',
      UIAHOST_OPERATOR_TOKEN: 't',
      ANTHROPIC_API_KEY: 'k',
      OPENAI_API_KEY: 'k',
      NODE_OPTIONS: '--require evil',
      LD_PRELOAD: 'evil.so',
    };
    expect(Object.keys(hostEnvironment(env, 'bridge'))).toEqual(['PATH', 'HOME', 'UIAHOST_DATA_DIR', 'UIAHOST_PORT']);
    expect(Object.keys(hostEnvironment(env, 'typed'))).toEqual(
      'PATH HOME UIAHOST_DATA_DIR UIAHOST_PORT UIAHOST_LEVEL UIAHOST_OPERATOR_TOKEN'.split(' '),
    );
  });

  it('refuses a malformed session name', async () => {
    expect((await runCli(['mcp', '--session', 'a b'], temporaryFolder())).status).toBe(2);
  });
});

describe('the lines of a client', () => {
  async function answersTo(bytes: readonly Uint8Array[]): Promise<unknown[]> {
    const written: unknown[] = [];
    const front = new McpFront({
      env: {},
      session: 'default',
      caps: undefined,
      server: undefined,
      write: (message) => void written.push(message),
    });
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield* bytes;
    }
    for await (const line of linesOf(stream())) await front.accept(line);
    return written;
  }
  const cancelled = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });

  it('that are not UTF-8 are a parse error to their own id, for which a client waits, and nothing is done', async () => {
    const line = (text: string): Uint8Array => Buffer.from(`${text}\n`, 'latin1');
    const refused = (id: unknown) => [{ id, error: { code: -32700 } }];
    expect(await answersTo([line('{"id":1,"x":"caf\u00e9"}')])).toMatchObject(refused(1));
    expect(await answersTo([line('{"id":"a-7","x":"caf\u00e9"}')])).toMatchObject(refused('a-7'));
    expect(await answersTo([line('{"id":"caf\u00e9"}')])).toMatchObject(refused(null));
    expect(await answersTo([line('{"id":1,"x":"caf\u00e9"')])).toMatchObject(refused(null));
  });

  it('begin with a byte order mark, and are cut anywhere', async () => {
    const bytes = Buffer.from(`\uFEFF${cancelled}\r\n${cancelled}`);
    expect(await answersTo([bytes.subarray(0, 2), bytes.subarray(2, 40), bytes.subarray(40)])).toEqual([]);
  });

  it('with a number that would become another one are a parse error', async () => {
    expect(await answersTo([Buffer.from('{"id":9007199254740993}\n')])).toMatchObject([
      { id: null, error: { code: -32700 } },
    ]);
    expect(await answersTo([Buffer.from('{"id":7,"x":[871822610227022011]}\n')])).toMatchObject([
      { id: 7, error: { code: -32700, message: expect.stringContaining('send it as a text') } },
    ]);
  });
});
