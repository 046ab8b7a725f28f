/** The lock between script processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tryLock, withLock } from '../../../scripts/lib/lock.mjs';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a lock between processes', () => {
  it('has one owner', async () => {
    const file = join(folder, 'one');
    const first = await tryLock(file);
    expect(first).toBeDefined();
    expect(await tryLock(file)).toBeUndefined();
    await first!.release();
    const second = await tryLock(file);
    expect(second).toBeDefined();
    await second!.release();
  });

  it('lets the others wait, and runs one after the other', async () => {
    const file = join(folder, 'queue');
    const seen: string[] = [];
    const work = (name: string) =>
      withLock(file, async () => {
        seen.push(`${name} in`);
        await new Promise((done) => setTimeout(done, 50));
        seen.push(`${name} out`);
      });
    await Promise.all([work('a'), work('b'), work('c')]);
    expect(seen).toHaveLength(6);
    for (let index = 0; index < 6; index += 2) expect(seen[index + 1]).toBe(seen[index]!.replace('in', 'out'));
  });

  it('is free when its owner was killed', async () => {
    const file = join(folder, 'killed');
    const script = new URL('../../../scripts/lib/lock.mjs', import.meta.url).href;
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
      const { tryLock } = await import(${JSON.stringify(script)});
      if (await tryLock(${JSON.stringify(file)})) console.log('mine');
      setInterval(() => {}, 1000);
    `,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise((done) => owner.stdout.once('data', done));
    expect(await tryLock(file)).toBeUndefined();
    owner.kill('SIGKILL');
    await withLock(file, () => {});
  });
});
