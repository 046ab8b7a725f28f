/** A clone whose git turns line feeds into those of Windows (`core.autocrlf`): the checks pass there as here. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'uiahost-autocrlf-'));
const clone = join(folder, 'checkout');

/** A clone of the committed files. */
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', '-c', 'core.autocrlf=true', pathToFileURL(root).href, clone]);
  // The packages are those of this checkout; what the checks remember is the clone's own.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a clone with core.autocrlf=true', () => {
  it('has line feeds alone', () => {
    const listed = execFileSync('git', ['ls-files', '--eol'], { cwd: clone, encoding: 'utf8' });
    expect(listed.split('\n').filter((line) => /\bw\/(?:crlf|mixed)\b/.test(line))).toEqual([]);
  });

  it('passes npm run check', async () => {
    const check = promisify(execFile)('npm', ['run', 'check'], { cwd: clone, maxBuffer: 1 << 26 });
    const { stdout } = await check.catch((error: Error & { stdout: string }) => ({
      stdout: `${error.stdout}\n${error.message}`,
    }));
    expect(stdout).toMatch(/ {2}ok {5}types/);
    expect(stdout).not.toMatch(/FAILED|Command failed/);
  }, 900_000);
});
