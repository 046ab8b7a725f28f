/**
 * Files that exist completely or not at all, even after a power cut: a temporary file in the same folder, a sync, a
 * rename, and the folder's sync. Everything that the host must find again is written this way.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Prefix of temporary files; clean-up of a folder removes the files that a killed process left. */
export const TEMPORARY_PREFIX = '.tmp-';

/** Less than a second in all: a caller is waiting for the file. */
const WAITS_MS = [10, 20, 50, 100, 200, 400] as const;

/**
 * Windows refuses to replace a file while another program has it open without sharing deletion, as a virus scanner, a
 * backup or an editor briefly does. Source: learn.microsoft.com/windows/win32/fileio/creating-and-opening-files
 */
const isOpenElsewhere = (error: unknown): boolean =>
  ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

const temporaryBeside = (path: string): string =>
  join(dirname(path), `${TEMPORARY_PREFIX}${process.pid}-${randomUUID()}`);

/** Replaces `to` with `from`, waiting briefly if another program has `to` open. */
async function renameWhenFree(from: string, to: string): Promise<void> {
  for (const milliseconds of WAITS_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isOpenElsewhere(error)) throw error;
      await wait(milliseconds);
    }
  }
  await rename(from, to);
}

function renameWhenFreeSync(from: string, to: string): void {
  for (const milliseconds of WAITS_MS) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!isOpenElsewhere(error)) throw error;
      // Blocks this thread, which has nothing else to do until the file is written.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    }
  }
  renameSync(from, to);
}

/** Makes the folder if it is missing, which is rare: each call to the disk is a turn of another thread. */
async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(path, 'wx', 0o600);
  }
}

/**
 * Writes the file, readable only by its user; missing folders are created. Errors: those of the file system; the file
 * is then unchanged.
 */
export async function writeDurably(path: string, data: Uint8Array | string): Promise<void> {
  const folder = dirname(path);
  const temporary = temporaryBeside(path);
  try {
    const file = await openIn(folder, temporary);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameWhenFree(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** The same for a caller that cannot wait for promises. */
export function writeDurablySync(path: string, data: Uint8Array | string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = temporaryBeside(path);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, data);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameWhenFreeSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolderSync(folder);
}

/** Removes what processes left that were killed while they wrote into this folder. Only for folders with a single writer. */
export function removeTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(TEMPORARY_PREFIX)) rmSync(join(folder, name), { force: true });
}

/** Makes a rename or a new name durable. Windows keeps names by its journal and cannot open folders for that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function syncFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Deletes a file; true when it was there. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** What the work returns; null where the file or folder that it reads does not exist. */
export function ifThere<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
