/** Deletes a file that may be missing. */
import { unlink } from 'node:fs/promises';

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
