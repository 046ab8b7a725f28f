/** End to end: the README's first session as a Python program, cards that another one answers, and copied calls. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeFor, elementsOf, FORMS, type Form } from '../../src/page/elements.ts';
import { startDemo, type Demo } from '../support/demo.ts';
import { sharedScene } from '../support/scene.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'clients/python/examples');
const folder = mkdtempSync(join(tmpdir(), 'uiahost-python-'));
const python = join(folder, 'bin/python');
const TIME = 300_000;
let demo: Demo;
const { scene, client } = await sharedScene(async (opened) => {
  demo = await startDemo(opened.witness);
  await opened.notepad();
  return {};
});
beforeAll(async () => {
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', join(root, 'clients/python')]);
}, TIME);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], UIAHOST_DATA_DIR: scene.host.dataDir });

describe('the Python examples', () => {
  it('first_session.py does the README’s first session', { timeout: TIME }, async () => {
    await client.policy({ level: 'full' });
    const { stdout } = await run(python, [join(examples, 'first_session.py')], { env: env() });
    expect(stdout).toContain('2026-0003');
    expect(stdout).toContain('Ada Lovelace');
    expect(await demo.isOn('express')).toBe(true);
  });

  it('approvals.py answers a card', { timeout: TIME }, async () => {
    await client.policy({ level: 'control' });
    await client.bind({ hwnd: demo.hwnd });
    const { actionId } = await client.pending('click-element', { name: 'Express delivery' });
    const decider = spawn(python, [join(examples, 'approvals.py'), 'approve', '1'], { env: env(), stdio: 'inherit' });
    const ended = new Promise((resolve) => decider.once('close', resolve));
    expect(await client.ended(actionId)).toMatchObject({ status: 'succeeded' });
    expect(await ended).toBe(0);
    expect(await demo.isOn('express')).toBe(false);
  });
});

describe('a call that the inspector gives for', () => {
  /** Runs it as a person does who pastes it into a terminal, or after the lines with which the documentation begins. */
  const paste: Readonly<Record<Form, (text: string) => Promise<unknown>>> = {
    CLI: (text) => run('sh', ['-ec', `uiahost() { node "${root}/bin/uiahost.mjs" "$@"; }\n${text}`], { env: env() }),
    curl: (text) => run('sh', ['-ec', text], { env: { ...env(), HOST: scene.host.url, DATA: scene.host.dataDir } }),
    MCP: async (text) => {
      const mcp = new McpClient({ name: 'e2e', version: '1' });
      await mcp.connect(
        new StreamableHTTPClientTransport(new URL('/mcp?session=pasted', scene.host.url), {
          requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
        }),
      );
      for (const line of text.split('\n')) await mcp.callTool(JSON.parse(line) as { name: string });
      await mcp.close();
    },
    TypeScript: (text) => {
      const file = join(folder, 'pasted.ts');
      const client = JSON.stringify(join(root, 'src/client/index.ts'));
      writeFileSync(
        file,
        `import { UiaHostClient } from ${client};\nconst host = await UiaHostClient.connect();\n${text}\n`,
      );
      return run(process.execPath, [file], { env: env() });
    },
    Python: (text) =>
      run(python, ['-c', `from uiahost import Client\nhost = Client.connect()\n${text}\n`], { env: env() }),
  };

  it.each(FORMS)('%s works as copied', { timeout: TIME }, async (form) => {
    await client.policy({ level: 'full' });
    await client.bind({ hwnd: demo.hwnd });
    const { value } = await client.act('snapshot');
    const all = elementsOf(value.elements);
    const box = all.find(({ name }) => name === 'Express delivery')!;
    const boxes = all.filter(({ role }) => role === box.role);
    const byPlace = `CheckBox[${boxes.indexOf(box) + 1}]`;
    for (const query of [{ name: box.name, role: box.role }, { path: byPlace }]) {
      const before = await demo.isOn('express');
      await paste[form](codeFor(form, { title: 'uiahost demo' }, box, query));
      expect([query, await demo.isOn('express')]).toEqual([query, !before]);
    }
  });
});

describe('the cookbook, as printed', () => {
  const [head = '', ...tasks] = readFileSync(join(root, 'docs/clients/cookbook.md'), 'utf8').split(/^## /m);
  const block = (section: string, kind: string): string =>
    new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(section)![1]!;
  const PRINTED: Readonly<Record<string, string>> = {
    'Read a field': 'Ada Lovelace\n',
    'Fill a form': "[ 'checked' ]\n",
    'Walk a tree': 'Drinks 2\nFood 2\n',
    'A table as CSV':
      'Number;Buyer;Article;Status\n2026-0001;Ada Lovelace;Tea;Open\n2026-0002;Alan Turing;Coffee;Packed\n2026-0003;Grace Hopper;Cocoa;Sent\n',
    'Wait for an answer': 'there\n',
    'Find what fits': 'CheckBox Express delivery true\nCheckBox Gift wrap true\nCheckBox Receipt by e-mail true\n',
    'Handle an error': 'target_not_found not_delivered\n',
    'Two windows': 'Ada Lovelace\n',
  };

  it.each(tasks.map((task) => [task.split('\n', 1)[0]!, task]))('%s', { timeout: TIME }, async (title, task) => {
    await client.policy({ level: 'full' });
    const file = join(folder, 'task.ts');
    const library = JSON.stringify(join(root, 'src/client/index.ts'));
    writeFileSync(file, block(head, 'ts setup').replace("'uiahost/client'", library) + block(task, 'ts'));
    const { stdout } = await run(process.execPath, [file], { env: env() });
    expect(stdout).toBe(PRINTED[title]);
    const ended = await run(python, ['-c', block(head, 'python setup') + block(task, 'python')], { env: env() });
    const asPython = (text: string): string => text.replaceAll('[ ', '[').replaceAll(' ]', ']');
    expect(ended.stdout).toBe(asPython(stdout));
  });
});
