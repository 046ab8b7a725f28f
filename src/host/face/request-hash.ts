/** Keyed hashes of requests, for idempotency keys. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../contract/json/strict-json.ts';

/** Recognises a repeated request with the same Idempotency-Key: 64 hex digits over the request's target and body. */
export type RequestHash = (what: string, body: unknown) => string;

/** Separates these hashes from everything else derived from the same secret. */
const CONTEXT = 'uiahost idempotency 1';

/**
 * The hash is keyed, since a body may be a short typed text, which a reader of the database could guess. `secret` must
 * not be in the database. Requests are recognised after a restart only if it stays the same; by default each process
 * makes a new one.
 */
export function createRequestHash(secret: Uint8Array = randomBytes(32)): RequestHash {
  const key = createSecretKey(createHmac('sha256', secret).update(CONTEXT).digest());
  return (what, body) =>
    createHmac('sha256', key)
      .update(`${what}\n${canonicalJson(body)}`)
      .digest('hex');
}
