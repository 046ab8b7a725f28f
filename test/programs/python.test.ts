/** Python for Windows: the client's wheel and the README's first session, as a Windows program. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startDemo } from '../support/demo.ts';
import { windowsPath } from '../support/desktop.ts';
import { startProgram } from '../support/programs.ts';
import { Scene } from '../support/scene.ts';
import { inside } from './toolkit.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../clients/python', import.meta.url));

it('does the README’s first session with the client from its wheel', { timeout: 300_000 }, async () => {
  await using scene = await Scene.open();
  await scene.client.policy({ level: 'full' });
  await using demo = await startDemo(scene.witness);
  const folder = scene.folder();
  await run('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, client]);
  const [wheel = ''] = readdirSync(folder).filter((file) => file.endsWith('-py3-none-any.whl'));
  // A wheel of pure Python is imported without being unpacked.
  const path = [join(folder, wheel), inside('python', 'packages')].map(windowsPath).join(';');
  const env = { PYTHONPATH: path, PYTHONUTF8: '1', UIAHOST_DATA_DIR: windowsPath(scene.host.dataDir) };
  const session = windowsPath(join(client, 'examples/first_session.py'));
  const told = 'import runpy, sys; sys.stderr = sys.stdout; runpy.run_path(sys.argv[1])';
  const args = ['-c', told, session];
  await using program = startProgram(inside('python', 'python.exe'), args, { streams: 'piped', env });
  const said = await text(program.process.stdout!);
  expect(said).toContain('2026-0003');
  expect(said).toContain('Ada Lovelace');
  expect(await demo.isOn('express')).toBe(true);
});
