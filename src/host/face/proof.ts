/** How a host proves to a client that it is the host of a data directory: both compute the same value from its key. */
import { createHmac } from 'node:crypto';

const PROOF_CONTEXT = 'uiahost proof 1';

/** A host's answer to a challenge. The port is that of the connection. */
export function proofOf(key: Uint8Array, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`${PROOF_CONTEXT}\n${port}\n${challenge}`).digest('hex');
}
