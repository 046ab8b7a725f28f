// Folders in the cache are made once and marked as complete. Those unused for a month are removed when something new is
// made; otherwise every change of the lock or the runtime would leave 150 to 300 MB behind.
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './places.mjs';

const mark = '.ok';
export const unusedFor = 30 * 24 * 3600_000;

/** Whether the folder is complete. The query counts as a use. */
export function isComplete(folder) {
  const file = path.join(folder, mark);
  if (!existsSync(file)) return false;
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // another user's cache may be used, but not marked
  }
  return true;
}

/** Marks a folder as complete, and removes complete ones unused for a month. */
export function complete(folder) {
  writeFileSync(path.join(folder, mark), '');
  for (const name of readdirSync(cacheFolder())) {
    const file = path.join(cacheFolder(), name, mark);
    if (existsSync(file) && Date.now() - statSync(file).mtimeMs > unusedFor)
      rmSync(path.dirname(file), { recursive: true, force: true });
  }
}
