/**
 * The README's session as playwright-mcp does it, in a page with the demo's fields: what its tools, calls and answers cost
 * a model. It is the nearest peer whose answers can be had here: Windows-MCP needs Python for Windows and a desktop that
 * Wine does not have.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ensureNpmTools } from '../../../scripts/lib/npm-tools.mjs';

export interface PeerCall {
  readonly what: string;
  readonly call: number;
  readonly answer: number;
}

const ROWS = 100;
const row = (index: number): string => {
  const order = `2026-${String(index + 1).padStart(4, '0')}`;
  return `<tr><td>${order}</td><td>Customer ${index}</td><td>Coffee</td><td>${index * 3}.50</td></tr>`;
};
/** The demo's form; a table that can be seen at once, since a page has no list view. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>demo</title>
<label>Customer <input></label>
<label>Notes <textarea></textarea></label>
<label>Product <select><option>Tea</option><option>Coffee</option><option>Cocoa</option></select></label>
<label><input type="checkbox"> Express delivery</label>
<button onclick="document.querySelector('output').textContent='Stock: 12 pieces'">Check stock</button>
<button>Place order</button> <output></output>
<table aria-label="Orders"><tr><th>Order</th><th>Customer</th><th>Product</th><th>Total</th></tr>${Array.from({ length: ROWS }, (_, index) => row(index)).join('')}</table>`;

/** A ref in playwright-mcp's snapshot, by the words of its line. */
function refOf(snapshot: string, words: string): string {
  const line = snapshot.split('\n').find((each) => each.includes(words) && each.includes('[ref='));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`no ${words} in ${snapshot.slice(0, 2000)}`);
  return ref;
}

/** Counted as the host's own session is: tools/list as a model gets it, then each call with all texts of its answer. */
export async function playwrightSession(
  count: (text: string) => number,
): Promise<{ list: number; calls: readonly PeerCall[]; total: number }> {
  const folder = await ensureNpmTools('playwright-mcp');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client({ name: 'costs', version: '1' });
  const pictures = mkdtempSync(join(tmpdir(), 'uiahost-playwright-'));
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [
          join(folder, 'node_modules/@playwright/mcp/cli.js'),
          '--headless',
          '--isolated',
          '--no-sandbox',
          '--executable-path=/usr/bin/chromium',
          `--output-dir=${pictures}`,
        ],
      }),
    );
    const { tools } = await client.listTools();
    const list = tools.map(({ name, description, inputSchema }) =>
      count(JSON.stringify({ name, description, inputSchema })),
    );
    const calls: PeerCall[] = [];
    const use = async (name: string, input: Record<string, unknown>, what = name): Promise<string> => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      if (isError === true) throw new Error(`${name}: ${text}`);
      calls.push({ what, call: count(JSON.stringify(input)), answer: count(text) });
      return text;
    };
    await use('browser_navigate', { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    const seen = await use('browser_snapshot', {});
    const part = (element: string, words = `"${element}"`) => ({ element, target: refOf(seen, words) });
    await use('browser_type', { ...part('Customer'), text: 'Ada Lovelace' });
    await use('browser_type', { ...part('Notes'), text: 'The quick brown fox – 狐 and 🦊.' });
    await use('browser_select_option', { ...part('Product'), values: ['Coffee'] });
    await use('browser_click', part('Express delivery'));
    await use('browser_click', part('Check stock'));
    await use('browser_wait_for', { text: 'Stock: 12 pieces' });
    await use('browser_click', part('2026-0003'), 'browser_click on a row');
    await use('browser_snapshot', {}, `browser_snapshot, to read the table of ${ROWS} rows`);
    await use('browser_take_screenshot', {});
    return {
      list: list.reduce((sum, each) => sum + each, 0),
      calls,
      total: calls.reduce((sum, { call, answer }) => sum + call + answer, 0),
    };
  } finally {
    await client.close();
    server.close();
    rmSync(pictures, { recursive: true, force: true });
  }
}
