/** Replacing a file that another handle keeps from being replaced, as virus scanners and editors do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { writeDurably, writeDurablySync } from '../../../src/base/durable-file.ts';

const GENERIC_READ = 0x8000_0000;
const FILE_SHARE_READ = 1;
const OPEN_EXISTING = 3;

const folder = mkdtempSync(path.join(os.tmpdir(), 'uiahost-durable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file as a program does that lets others read it and nothing else. */
function holdOpen(file: string): () => void {
  const handle = kernel32.CreateFileW(file, GENERIC_READ, FILE_SHARE_READ, null, OPEN_EXISTING, 0, 0);
  expect(handle).not.toBe(0);
  expect(handle).not.toBe(-1);
  return () => {
    kernel32.CloseHandle(handle);
  };
}

test('a file that is open elsewhere is replaced as soon as the other program closes it', async () => {
  const file = path.join(folder, 'file.json');
  writeFileSync(file, 'old');
  const release = holdOpen(file);
  setTimeout(release, 60);
  await writeDurably(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('a file that stays open elsewhere is left unchanged, with no temporary file next to it', async () => {
  const file = path.join(folder, 'held.json');
  writeFileSync(file, 'old');
  const release = holdOpen(file);
  try {
    expect(() => writeDurablySync(file, 'new')).toThrow(/EPERM|EACCES|EBUSY/);
    await expect(writeDurably(file, 'new')).rejects.toThrow(/EPERM|EACCES|EBUSY/);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
  } finally {
    release();
  }
});
