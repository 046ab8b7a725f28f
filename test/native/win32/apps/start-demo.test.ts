/** How the scripts start programs on Windows: in Windows' own Node. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sayIfMissing, windowCame } from '../../../../scripts/lib/demo.mjs';
import { start } from '../../../../scripts/lib/processes.mjs';
import { until } from '../../../support/until.ts';

interface Told {
  readonly flags: number;
  readonly showWindow: number;
  readonly visible: boolean;
}

const STARTF_USESHOWWINDOW = 1;
const SW_HIDE = 0;

async function started(options: { isShown?: boolean }): Promise<Told> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-startup-'));
  const file = path.join(folder, 'told.json');
  const program = start(path.join(process.env['UIAHOST_FIXTURES']!, 'startup.exe'), [file], options);
  try {
    await until(() => existsSync(file), 'startup.exe');
    return JSON.parse(readFileSync(file, 'utf8')) as Told;
  } finally {
    const gone = new Promise((resolve) => {
      program.once('exit', resolve);
    });
    program.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

test('the demonstration is started to be seen; helpers of the host are not', async () => {
  expect(await started({ isShown: true })).toMatchObject({ visible: true });
  const hidden = await started({});
  expect(hidden).toMatchObject({ showWindow: SW_HIDE, visible: false });
  expect(hidden.flags & STARTF_USESHOWWINDOW).toBe(STARTF_USESHOWWINDOW);
});

test('whether it shows a window is asked of the host, and said where it shows none', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const isKnown =
      request.method === 'POST' &&
      request.url === '/v1/actions/list-visible-windows' &&
      request.headers.authorization === 'Bearer token';
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        value: asked < 3 ? [{ hwnd: '1', pid: 6, title: 'Another' }] : [{ hwnd: '2', pid: 7, title: 'Untitled' }],
      }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await windowCame({ url, token: 'token', pid: 7, within: 10_000 })).toBe(true);
  expect(asked).toBe(3);
  expect(await windowCame({ url, token: 'token', pid: 8, within: 300 })).toBe(false);
  expect(await windowCame({ url, token: 'wrong', pid: 7, within: 0 })).toBe(false);
  const said: string[] = [];
  await sayIfMissing(windowCame({ url, token: 'token', pid: 7, within: 0 }), (text) => said.push(text));
  expect(said).toEqual([]);
  await sayIfMissing(windowCame({ url, token: 'token', pid: 8, within: 0 }), (text) => said.push(text));
  expect(said).toEqual([expect.stringContaining('The demo has not shown a window')]);
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await windowCame({ url, token: 'token', pid: 7, within: 0 })).toBe(false);
});
