// Writes what a command makes into a file that must not exist.
import { writeFile } from 'node:fs/promises';
import { FailedError } from './output.ts';

interface NewFileOptions {
  /** Default: choose another file. */
  readonly hint?: string;
  /** Replaces a file that exists. */
  readonly force?: boolean | undefined;
  /** Default: what the umask leaves. */
  readonly mode?: number;
}

/** Errors: FailedError where the file exists, and was not changed, or cannot be written. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  { hint = 'Choose a file that does not exist.', force = false, mode = 0o666 }: NewFileOptions = {},
): Promise<void> {
  await writeFile(file, content, { mode, flag: force ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new FailedError(`${file} already exists and was not changed.`, hint)
      : new FailedError(`${file} could not be written: ${String(error.code)}.`);
  });
}
