import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../contract/canonical-json.ts';

/** By what a request that comes again with its Idempotency-Key is known as the same one: 64 hex digits of what was asked and the body. */
export type RequestHash = (what: string, body: unknown) => string;

/** Sets these hashes apart from everything else that is made with the same secret. */
const CONTEXT = 'uiahost idempotency 1';

/**
 * A body may be a short text that was typed, and who has a copy of the database could find it by trying: so the hash is keyed.
 * `secret` must not be in the database, and must be the same after a restart where requests may come again then; left out, it
 * is one of this process.
 */
export function createRequestHash(secret: Uint8Array = randomBytes(32)): RequestHash {
  const key = createHmac('sha256', secret).update(CONTEXT).digest();
  return (what, body) =>
    createHmac('sha256', key)
      .update(`${what}\n${canonicalJson(body)}`)
      .digest('hex');
}
