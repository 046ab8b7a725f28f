/** Secrets in files: tokens and keys of the data directory. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { UiaHostError } from '../../contract/errors.ts';

/**
 * Who may read and change a secret's file. On Windows: owner and access control list; elsewhere mode 0600, which `open`
 * sets.
 */
export interface SecretGuard {
  /** Narrows a new file to its owner. */
  restrict(path: string): void;
  /** Why an existing file is not this user's own secret; null if it is. */
  whyNot(path: string): string | null;
}

/**
 * Reads a secret from its file, or creates it (256 bits, base64url), readable only by the user. Two processes that
 * start at the same time get the same secret: the file is created exclusively.
 * Errors: permission_denied for a file that another user owns, can read or can change.
 */
export function readOrCreateSecret(path: string, guard: SecretGuard): string {
  try {
    return readSecret(path, guard);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readSecret(path, guard);
    throw error;
  }
  try {
    guard.restrict(path);
    const secret = randomBytes(32).toString('base64url');
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
    return secret;
  } finally {
    closeSync(file);
  }
}

function readSecret(path: string, guard: SecretGuard): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (!/^[A-Za-z0-9._~+/=-]{32,512}$/.test(secret))
    throw new Error(
      `${path} does not contain a usable secret (32 to 512 characters); delete it and start again to get a new one`,
    );
  const why = guard.whyNot(path);
  if (why !== null) {
    throw new UiaHostError('permission_denied', `A secret of the host is not safe: ${why}. The host did not start.`, {
      hint: 'Delete that file and start again to get a new one, and give the new one to the clients that have the old one.',
    });
  }
  return secret;
}
