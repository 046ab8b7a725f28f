/** One host a user session: the lock is taken once, released with its process, and held against names of another kind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { kernel32 } from '../../../../native-bindings/win32/kernel32.ts';
import { SessionHeldError, takeSessionLock } from '../../../../src/win32/system/session-lock.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A host's process as far as this goes: it takes the place, reports it, and stays until it is killed. */
async function otherHost(dataDirectory: string): Promise<{ said: string; kill(): Promise<void> }> {
  const module = pathToFileURL(path.resolve(import.meta.dirname, '../../../../src/win32/system/session-lock.ts')).href;
  const file = path.join(folder, 'other.mjs');
  writeFileSync(
    file,
    `
    import { takeSessionLock } from ${JSON.stringify(module)};
    try { takeSessionLock(process.argv[2]); console.log('taken'); setInterval(() => {}, 1000); } catch (error) { console.log(error.message); }
  `,
  );
  const child = spawn(process.execPath, [file, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    said: String(said).trim(),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

test('[host.one.session] taken once, also within one process; freed by releasing it', () => {
  const place = takeSessionLock('C:\\first');
  expect(() => takeSessionLock('C:\\second')).toThrow(
    expect.objectContaining({
      code: 'lock_held',
      message: expect.stringContaining(`Process ${process.pid} has been the host`),
    }),
  );
  expect(() => takeSessionLock('C:\\second')).toThrow(/data directory C:\\first/);
  place.release();
  takeSessionLock('C:\\second').release();
});

test('[host.one.session] held against another process, and free again once its holder was killed', async () => {
  const other = await otherHost('C:\\théirs');
  try {
    expect(other.said).toBe('taken');
    expect(() => takeSessionLock('C:\\ours')).toThrow(SessionHeldError);
    expect(() => takeSessionLock('C:\\ours')).toThrow(/C:\\théirs/);
  } finally {
    await other.kill();
  }
  const place = takeSessionLock('C:\\ours');
  const refused = await otherHost('C:\\another');
  expect(refused.said).toMatch(/has been the host of this user session/);
  await refused.kill();
  place.release();
});

test('a program that holds that name with another kind of object keeps hosts out, and the error names the cause', () => {
  const squatted = kernel32.CreateEventW(null, true, false, 'Local\\uiahost.host');
  try {
    expect(() => takeSessionLock('C:\\ours')).toThrow(
      expect.objectContaining({
        code: 'lock_held',
        message: expect.stringMatching(/holds the mutex Local\\uiahost\.host \(Windows error 6\)/),
      }),
    );
  } finally {
    kernel32.CloseHandle(squatted);
  }
  takeSessionLock('C:\\ours').release();
});
