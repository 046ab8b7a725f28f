import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Narrows a new file to its owner. Windows: an access control list; elsewhere mode 0600, which `open` sets. */
export type RestrictToUser = (path: string) => void;

/**
 * Reads a secret kept in a file, or makes it (256 bits, base64url) so that only the user can read it.
 * Two processes that start at once get the same one: the file is created exclusively.
 */
export function readOrCreateSecret(path: string, restrictToUser: RestrictToUser): string {
  try {
    return readSecret(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readSecret(path);
    throw error;
  }
  try {
    restrictToUser(path);
    const secret = randomBytes(32).toString('base64url');
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
    return secret;
  } finally {
    closeSync(file);
  }
}

function readSecret(path: string): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (!/^[A-Za-z0-9._~+/=-]{16,512}$/.test(secret)) throw new Error(`${path} holds no usable secret; delete it and start again to get a new one`);
  return secret;
}
