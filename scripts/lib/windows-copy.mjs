// A fresh copy of the sources on a desktop's drive C, as a clone on Windows has them, and the tests without Windows in it.
import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ensureWindowsTree, windowsNode } from './dependencies.mjs';
import { startDesktop } from './desktop.mjs';
import { root } from './places.mjs';
import { end, ended } from './processes.mjs';

/** Against standing still: a folder takes minutes. */
const LIMIT_MS = 40 * 60_000;

/**
 * Copies what git knows, without packages. `tree`: with those of this folder, which `npm ci` on Windows installs from the same lock.
 * @param {string} folder
 * @param {string} [tree]
 */
export function copySources(folder, tree) {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(path.join(root, name)))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  if (tree !== undefined) symlinkSync(path.join(tree, 'node_modules'), path.join(folder, 'node_modules'));
}

/**
 * `node scripts/test.mjs PATTERN` in Windows' Node in such a copy, for one pattern after the other: under Wine a run of all tests
 * uses up what Wine's server has of handles.
 * @param {readonly string[]} patterns
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function testOnDriveC(patterns) {
  const tree = await ensureWindowsTree({ full: true });
  const desktop = await startDesktop();
  try {
    const folder = path.join(desktop.prefix, 'drive_c/checkout');
    copySources(folder, tree);
    const sum = { passed: 0, failed: 0 };
    for (const pattern of patterns) {
      // a Windows program cannot write to a pipe of this machine
      const file = path.join(desktop.prefix, 'output.txt');
      const output = openSync(file, 'w');
      const words = ['scripts/test.mjs', pattern];
      const child = desktop
        .onAllProcessors()
        .run(windowsNode(tree), words, { cwd: folder, stdio: ['ignore', output, output] });
      closeSync(output);
      const hasEnded = await ended(child, LIMIT_MS);
      if (!hasEnded) await end(child, 0);
      const text = readFileSync(file, 'utf8');
      process.stdout.write(text);
      const [, passed = 0, failed = 1] = /^(\d+) passed, (\d+) failed\s*$/m.exec(text) ?? [];
      sum.passed += Number(passed);
      sum.failed += Number(failed);
    }
    return sum;
  } finally {
    await desktop.stop();
  }
}
