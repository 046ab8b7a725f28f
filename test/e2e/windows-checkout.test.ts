/**
 * The commands of a checkout on Windows, in Windows' Node under Wine with npm's own npm.cmd: a fresh copy of the sources on drive C,
 * with the packages of the lock file for Windows. What Wine does not show: a terminal that gives its programs time when it is closed.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { ended, which } from '../../scripts/lib/processes.mjs';
import { startDesktop, type Desktop } from '../support/desktop.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tree = process.env['UIAHOST_TEST_TREE'] ?? '';
let desktop: Desktop;
let drive: string;

beforeAll(async () => {
  desktop = await startDesktop();
  drive = join(desktop.prefix, 'drive_c');
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(drive, 'checkout', file)), { recursive: true });
    cpSync(join(root, file), join(drive, 'checkout', file));
  }
  // what `npm ci` on Windows installs, from the same lock
  symlinkSync(join(tree, 'node_modules'), join(drive, 'checkout/node_modules'));
  const npm = join(dirname(realpathSync(which('npm')!)), '..');
  cpSync(npm, join(drive, 'nodejs/node_modules/npm'), { recursive: true });
  cpSync(join(npm, 'bin/npm.cmd'), join(drive, 'nodejs/npm.cmd'));
  cpSync(windowsNode(tree), join(drive, 'nodejs/node.exe'));
}, 120_000);
afterAll(() => desktop?.stop());

/** A line in cmd, in the checkout's folder. */
async function cmd(line: string): Promise<{ status: number | null; text: string }> {
  const file = join(drive, 'output.txt');
  const output = openSync(file, 'w');
  const child = desktop.run('cmd.exe', ['/d', '/c', line], {
    cwd: join(drive, 'checkout'),
    env: { PATH: undefined, WINEPATH: 'C:\\nodejs' },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (!(await ended(child, 280_000))) throw new Error(`${line} does not end:\n${readFileSync(file, 'utf8')}`);
  return { status: child.exitCode, text: readFileSync(file, 'utf8') };
}

describe('a fresh checkout on Windows', () => {
  it('[checkout.windows.start] npm start: ready, a first action in the visible demo, ended by Ctrl+C and with its terminal', async () => {
    const { status, text } = await cmd('npm run smoke');
    expect(status, text).toBe(0);
    expect(text.match(/first action: confirmed/g)).toHaveLength(2);
    expect(text).toContain('ended by Ctrl+C');
    expect(text).toContain('ended by closing the terminal');
    expect(text).toContain('nothing is left');
  }, 300_000);

  it('[checkout.windows.test] npm test runs tests in Node, and says how to get the compiler that others need', async () => {
    const pure = await cmd('npm test -- test/pure/contract/keys');
    expect(pure.status, pure.text).toBe(0);
    expect(pure.text).toMatch(/^[1-9]\d* passed, 0 failed\s*$/m);
    const native = await cmd('npm test -- test/native/base');
    expect(native.text).toMatch(/not run here: .*\bmingw-w64\b.*\bInstall one\b/s);
  }, 300_000);
});
