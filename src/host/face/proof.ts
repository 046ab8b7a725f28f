/** How a host proves to a client that it is the host of a data directory: both compute the same from its key. */
import { createHmac } from 'node:crypto';

const PROOF_CONTEXT = 'uiahost proof 1';

/** What a host answers to a challenge. The port is the one that the connection goes to. */
export function proofOf(key: Uint8Array, port: number, challenge: string): string {
  return createHmac('sha256', key).update(`${PROOF_CONTEXT}\n${port}\n${challenge}`).digest('hex');
}
