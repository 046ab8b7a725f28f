// Native questions of the command line: answered by a bundle of the package in Windows' Node, in JSON.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FailedError } from './output.ts';
import { findNode, packageFolder } from './start.ts';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** A bundle of this installation; null on systems other than Windows and where it is missing. */
export function nativeBundle(name: string): { readonly folder: string; readonly file: string } | null {
  const folder = packageFolder();
  const file = join(folder, 'dist', `${name}.mjs`);
  return process.platform === 'win32' && existsSync(file) ? { folder, file } : null;
}

/** Runs a bundle with these words. Errors: FailedError with its message. */
export async function askNative<T>(
  { folder, file }: { readonly folder: string; readonly file: string },
  words: readonly string[],
): Promise<T> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { windowsHide: true, maxBuffer: 64 * 1024 * 1024 };
    execFile(findNode(folder), [file, ...words], options, (error, out, problem) => {
      if (out.trim() !== '') resolve(out);
      else reject(new FailedError(`${file} did not answer: ${problem.trim() || (error?.message ?? 'no output')}`));
    });
  });
  const { result, error } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as Answer;
  if (error === undefined) return result as T;
  throw new FailedError(`${error.code}: ${error.message}`, error.hint);
}
