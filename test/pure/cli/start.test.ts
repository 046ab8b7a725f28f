/** `uiahost start` from a checkout whose start script is the test's: what comes before and around a host, not the host. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliBundle, runCli, serveCli, temporaryFolder } from '../../support/cli.ts';

/** A folder with the command, and with a start script of these lines. */
async function checkout(script: string): Promise<string> {
  const folder = temporaryFolder();
  for (const part of ['dist', 'scripts']) mkdirSync(join(folder, part));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  copyFileSync(cliBundle(), join(folder, 'dist', 'cli.mjs'));
  writeFileSync(join(folder, 'scripts', 'start.mjs'), script);
  return join(folder, 'dist', 'cli.mjs');
}

describe('uiahost start', () => {
  it('a start that finds its place taken waits for the other’s host', async () => {
    const { dataDirectory } = await serveCli();
    const hostFile = join(dataDirectory, 'host.json');
    const address = readFileSync(hostFile, 'utf8');
    rmSync(hostFile);
    // The other one answers after this one has been refused.
    const file = await checkout(`console.error('Another npm start uses it.'); process.exit(75);`);
    const start = runCli(['start'], dataDirectory, { file });
    await expect
      .poll(() => readFileSync(join(dataDirectory, 'start.log'), { encoding: 'utf8' }), { timeout: 60_000 })
      .toContain('Another npm start');
    writeFileSync(hostFile, address);
    expect(await start).toMatchObject({ status: 0 });
  });

  it('reports the last output of a host that did not start, and nothing of an earlier host', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'start.log'), 'words of a former start\n');
    const file = await checkout(`console.error('There is no display.', ...process.argv.slice(2)); process.exit(1);`);
    const { status, stderr } = await runCli(['start'], folder, { file });
    expect(status).toBe(1);
    // A program starts it, so no person agrees to a policy by it.
    expect(stderr).toContain('There is no display. --no-demo --by-program');
    expect(stderr).not.toContain('former');
    expect(readFileSync(join(folder, 'start.log'), 'utf8')).toContain('former');
  });
});
