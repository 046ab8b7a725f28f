/** End to end: the cells of a spreadsheet window by MCP under its own capability, and by the command line. The library: library.test.ts. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Fixture } from '../support/fixture.ts';
import { Scene } from '../support/scene.ts';
import { cellsShown, liveObjects } from '../support/workbook.ts';

const command = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));
const ACTIONS = ['read_range', 'select_range', 'workbook_info', 'write_range'];
let scene: Scene;
let book: Fixture;

beforeAll(async () => {
  scene = await Scene.open();
  await scene.client.policy({ alwaysAsk: [] });
});
afterAll(() => scene?.[Symbol.asyncDispose]());
beforeEach(async () => {
  book = await scene.fixture('workbook');
});
afterEach(async () => {
  expect(await liveObjects(book)).toBe(0);
  await book[Symbol.asyncDispose]();
});

/** What each face has left behind: two texts, one of which looks like a number, and a formula. */
async function expectWritten(): Promise<void> {
  expect(await cellsShown(book, 'Data!B2:C3')).toMatchObject({
    B2: { text: 'Total' },
    C2: { text: '007' },
    B3: { number: 2, formula: '=1+1' },
    C3: { kind: 'empty' },
  });
  expect(book.journal.events({ event: 'selected' }).map(({ sheet, range }) => `${sheet}!${range}`)).toEqual([
    'Data!B2:C3',
  ]);
}
const WRITE = {
  sheet: 'Data',
  range: 'B2',
  values: [
    ['Total', '007'],
    [{ formula: '=1+1' }, null],
  ],
};
const PLACE = { sheet: 'Data', range: 'B2:C3' };

describe('MCP', () => {
  async function withClient(query: string, use: (client: McpClient) => Promise<void>): Promise<void> {
    const client = new McpClient({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`/mcp?session=cells${query}`, scene.host.url), {
        requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
      }),
    );
    try {
      await use(client);
    } finally {
      await client.close();
    }
  }
  const cellTools = async (client: McpClient): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).filter((name) => ACTIONS.includes(name));

  it('under its own capability: a range is a table with its addresses', async () => {
    await withClient('', async (client) => expect(await cellTools(client)).toEqual([]));
    await withClient('&caps=sheet', async (client) => {
      expect((await cellTools(client)).toSorted()).toEqual(ACTIONS);
      const call = async (name: string, input: object = {}): Promise<string> => {
        const { content, isError } = await client.callTool({ name, arguments: { ...input } });
        const text = (content as Array<{ text?: string }>).map((part) => part.text ?? '').join('\n');
        expect(isError ?? false, text).toBe(false);
        return text;
      };
      await call('bind_to_window', { hwnd: book.hwnd });
      expect(await call('workbook_info')).toContain('"usedRange":"A1:C6"');
      expect(await call('write_range', WRITE)).toContain('"differing":[]');
      await call('select_range', PLACE);
      const read = await call('read_range', PLACE);
      expect(read).toContain('\n\tB\tC\n2\tTotal\t"007"\n3\t2 (=1+1)\t');
      expect(read).toMatch(/"digest":"B2:C3\.[0-9a-f]{32}"/);
      const refused = await client.callTool({ name: 'write_range', arguments: { ...WRITE } });
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused.content)).toContain('state_conflict');
    });
    await expectWritten();
  });

  it('[book.faces] operations on the workbook under the capability excel alone, in 3 kB', async () => {
    await scene.client.policy({ level: 'full', alwaysAsk: ['destructive'] });
    await withClient('&caps=excel', async (client) => {
      const tools = (await client.listTools()).tools.filter(({ name }) => /_(?:workbook|cells)$/.test(name));
      const shown = tools.map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      );
      expect([tools.length, shown.join('').length <= 3072]).toEqual([4, true]);
      const call = async (name: string, input: object = {}) =>
        JSON.stringify(await client.callTool({ name, arguments: { ...input } }));
      await call('bind_to_window', { hwnd: book.hwnd });
      expect(await call('edit_workbook', { op: 'add_sheet', name: 'New' })).toContain('\\"result\\":\\"changed\\"');
      expect(await call('edit_workbook', { op: 'add_sheet', name: 'New', force: true })).toContain('invalid_argument');
      expect(await call('inspect_workbook', { op: 'find', sheet: 'Sheet1', text: 'two' })).toContain('A6');
    });
    await scene.client.policy({ level: 'full', alwaysAsk: [] });
  });
});

describe('the command line', () => {
  const uiahost = (...args: string[]): Promise<{ status: number; out: string; err: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [command, ...args, '--session', 'cells'],
        { env: { ...process.env, UIAHOST_DATA_DIR: scene.host.dataDir }, timeout: 30_000 },
        (error, out, err) => resolve({ status: error === null ? 0 : Number(error.code), out, err }),
      );
    });

  it('each is a command that prints tables', async () => {
    const done = async (...args: string[]): Promise<string> => {
      const { status, out, err } = await uiahost(...args);
      expect({ status, err: err.replace(/^Waiting; .*\n/, '') }).toEqual({ status: 0, err: '' });
      return out;
    };
    await done('bind-to-window', '--hwnd', book.hwnd);
    expect(await done('workbook-info')).toContain('Book1.xlsx');
    expect(
      await done('write-range', '--sheet', 'Data', '--range', 'B2', '--values', JSON.stringify(WRITE.values)),
    ).toContain('3 cells written (formulas: 1), not saved');
    await done('select-range', '--sheet', 'Data', '--range', 'B2:C3');
    const read = await done('read-range', '--sheet', 'Data', '--range', 'B2:C3');
    expect(read).toMatch(/B +C/);
    expect(read).toMatch(/^3 +2 \(=1\+1\)/m);
    expect(read).toMatch(/Digest for write-range --expect: B2:C3\./);
    const refused = await uiahost('read-range', '--range', 'ZZZZ1');
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('invalid_argument');
    await expectWritten();
  });
});
