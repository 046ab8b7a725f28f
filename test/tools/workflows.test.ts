/** The workflow files: they run what is promised on the hosted systems, and the check finds what it is there for. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workflowProblems } from '../../scripts/check-workflows.ts';

const folder = new URL('../../.github/workflows/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

describe('the workflows', () => {
  it.each(readdirSync(folder))('%s has no problem', async (name) => {
    expect(await workflowProblems(name, read(name))).toEqual([]);
  });

  it('run both commands, the longer tests, the selftest and the delivery matrix on four systems, keep reports, and hide no failure', () => {
    const text = read('test.yml');
    for (const system of ['windows-2022', 'windows-2025', 'windows-11-arm', 'ubuntu-24.04'])
      expect(text).toContain(system);
    expect(text).toMatch(/npm run smoke 2>&1/);
    expect(text).toMatch(/^\s+npm test \$PATTERN 2>&1/m);
    expect(text).toMatch(/^\s+node scripts\/test\.mjs --rest 2>&1/m);
    expect(text).toMatch(/npm run delivery-matrix/);
    expect(text).toMatch(/actions\/upload-artifact@/);
    expect(text).not.toContain('|| true');
    // Native tests inform on Windows alone; checks and tests in Node bind there too.
    const informs = text.match(/continue-on-error: .*/g) ?? [];
    expect(informs.every((each) => each.includes("runner.os == 'Windows'"))).toBe(true);
    expect(text).toMatch(/node scripts\/check\.mjs\n\s+node scripts\/test\.mjs test\/pure/);
    // a command's status must not be that of the program that keeps its output
    expect(text.match(/\| tee/g)).toHaveLength(text.match(/set -o pipefail/g)!.length);
  });

  it('the first command makes the selftest’s report, and the next step keeps it, whatever fails', () => {
    const [, , first, second] = read('test.yml')
      .split(/^ {6}- /m)
      .slice(1);
    expect(first).toMatch(/npm run selftest -- /);
    expect(second).toMatch(/^uses: actions\/upload-artifact@.*\n {8}if: \$\{\{ !cancelled\(\) \}\}/);
  });

  const good = read('test.yml');
  it.each([
    ['an unknown key', good.replace('fail-fast:', 'failfast:'), /failfast/],
    [
      'an expression without such a context',
      good.replace('matrix.system }}\n    runs-on', 'matrx.system }}\n    runs-on'),
      /matrx/,
    ],
    ['an action by its tag', good.replace(/actions\/checkout@\S+/, 'actions/checkout@v5'), /not pinned/],
    ['a pin without its version', good.replace(' # v4.6.2', ''), /no version next to it/],
    ['rights to write', good.replace('contents: read', 'contents: write'), /only to read/],
    ['no rights given', good.replace(/permissions:\n {2}contents: read\n/, ''), /must be given/],
    ['no time limit', good.replace(/ {4}timeout-minutes: \d+\n/, ''), /timeout-minutes/],
    ['credentials that stay', good.replace('persist-credentials: false', 'persist-credentials: true'), /credentials/],
    ['a branch name in a script', good.replace('npm test $', 'npm test ${{ github.head_ref }} $'), /environment/],
  ])('%s is found', async (_what, text, problem) => {
    expect(text).not.toBe(good);
    expect((await workflowProblems('test.yml', text)).join('\n')).toMatch(problem);
  });
});
