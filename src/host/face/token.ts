/** Tokens as a host, or an administrator's command, makes them, and how a host proves to a client that it is the one of a data directory. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** All that is kept of a token, in the store and in the machine's policy. */
export const tokenHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

/** 256 bits. */
export function newToken(): { readonly token: string; readonly sha256: string } {
  const token = `uia_${randomBytes(32).toString('base64url')}`;
  return { token, sha256: tokenHash(token) };
}

const PROOF_CONTEXT = 'uiahost proof 1';

/** A host's answer to a challenge: both sides compute it from the host's key. The port is that of the connection. */
export function proofOf(key: Uint8Array, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`${PROOF_CONTEXT}\n${port}\n${challenge}`).digest('hex');
}
