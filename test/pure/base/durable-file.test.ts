/** Durable writes, with a file system that refuses a rename for a moment as Windows does. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeDurably, writeDurablySync } from '../../../src/base/durable-file.ts';

/** How often a rename is refused before it is done, and as what. */
const busy = vi.hoisted(() => ({ times: 0, code: 'EPERM', asked: 0 }));
const refuse = vi.hoisted(() => (): void => {
  busy.asked += 1;
  if (busy.times > 0) {
    busy.times -= 1;
    throw Object.assign(new Error(`${busy.code}: operation not permitted, rename`), { code: busy.code });
  }
});
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    renameSync: (from: string, to: string) => {
      refuse();
      fs.renameSync(from, to);
    },
  };
});
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    rename: async (from: string, to: string) => {
      refuse();
      await fs.rename(from, to);
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uiahost-durable-'));
  Object.assign(busy, { times: 0, code: 'EPERM', asked: 0 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['promises', writeDurably],
  ['sync', async (path: string, data: string | Uint8Array) => writeDurablySync(path, data)],
] as const)('%s', (_name, write) => {
  test('the file is there whole, for its user alone, with folders that were missing, and no file next to it', async () => {
    const file = join(folder, 'a', 'b', 'file.json');
    await write(file, 'one');
    await write(file, new Uint8Array([0x74, 0x77, 0x6f]));
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file.json']);
  });

  test.each(['EPERM', 'EACCES', 'EBUSY'])(
    'a file that is open elsewhere for a moment (%s) is waited for',
    async (code) => {
      const file = join(folder, 'file');
      writeFileSync(file, 'old');
      Object.assign(busy, { times: 3, code });
      await write(file, 'new');
      expect([readFileSync(file, 'utf8'), busy.asked]).toEqual(['new', 4]);
    },
  );

  test('a lasting failure, or a failure of another kind at once, leaves the file unchanged', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'old');
    busy.times = 1000;
    await expect(write(file, 'new')).rejects.toMatchObject({ code: 'EPERM' });
    Object.assign(busy, { times: 1, code: 'ENOSPC', asked: 0 });
    await expect(write(file, 'new')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(busy.asked).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
