/** A token as a host, or an administrator's command, makes it. */
import { createHash, randomBytes } from 'node:crypto';

/** All that is kept of a token, in the store and in the machine's policy. */
export const tokenHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

/** 256 bits. */
export function newToken(): { readonly token: string; readonly sha256: string } {
  const token = `uia_${randomBytes(32).toString('base64url')}`;
  return { token, sha256: tokenHash(token) };
}
