/** End to end: the README's first session as a Python program, and cards that another one answers. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../support/demo.ts';
import { sharedScene } from '../support/scene.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'clients/python/examples');
const folder = mkdtempSync(join(tmpdir(), 'uiahost-python-'));
const python = join(folder, 'bin/python');
const TIME = 300_000;
let demo: Demo;
const { scene, client } = await sharedScene(async ({ witness }) => {
  demo = await startDemo(witness);
  return {};
});
beforeAll(async () => {
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', join(root, 'clients/python')]);
}, TIME);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], UIAHOST_DATA_DIR: scene.host.dataDir });

describe('[python.examples] the Python examples', () => {
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
