/**
 * Live view on the bus: a viewer's signed request, and a seat's pictures for it, of which nothing is stored. A picture is a signed
 * head, bound to the viewer's request, and chunks that its hash binds to it.
 */
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { CHUNK_BYTES, chunksOf, hashOf } from './artifacts.ts';
import { openAs, type Trust } from './signed.ts';

/** A request is renewed after the first time; without it the view ends after the second. */
export const RENEW_MS = 10_000;
export const VIEW_MS = 30_000;
/** Why a viewer of the tenant sees nothing: the machine does not name it, or does no longer. */
export const NOT_NAMED = 'not_named';
const CHUNK = 'Uia-Chunk';

const headSchema = z.strictObject({
  /** Rises: an earlier picture, sent again by a stranger, counts for nothing. */
  n: z.int().positive(),
  at: z.int(),
  /** Why there is no picture, and the view has ended. */
  why: z.string().max(100).nullable(),
  app: z.string(),
  title: z.string(),
  job: z.string().nullable(),
  sha256: z.string().max(64),
  /** How many follow; 0: the picture is as before. */
  chunks: z.int().min(0).max(512),
});
export type Head = z.infer<typeof headSchema>;

export function publishChunks(nc: NatsConnection, subject: string, sha256: string, bytes: Uint8Array): void {
  for (const [index, chunk] of chunksOf(bytes).entries()) {
    const named = headers();
    named.set(CHUNK, `${sha256}.${index}`);
    nc.publish(subject, chunk, { headers: named });
  }
}

/** Puts what comes for one view together. */
export class Frames {
  readonly #about: { readonly kind: 'picture'; readonly target: string; readonly id: string };
  readonly #trust: Trust;
  #head: Head | null = null;
  #parts = new Map<number, Uint8Array>();
  #isWhole = false;

  constructor(seat: string, view: string, trust: Trust) {
    this.#about = { kind: 'picture', target: seat, id: view };
    this.#trust = trust;
  }

  /** The head that this message is, or the picture that it completes; null for noise, and for a part of a picture. */
  take(
    message: Pick<Msg, 'headers' | 'data' | 'string'>,
  ): Head | { readonly head: Head; readonly png: Uint8Array } | null {
    const chunk = message.headers?.get(CHUNK) ?? '';
    if (chunk === '') return this.#takeHead(message.string());
    const [sha256, index = ''] = chunk.split('.');
    const head = this.#head;
    if (head === null || this.#isWhole || sha256 !== head.sha256) return null;
    if (!/^\d{1,3}$/.test(index) || Number(index) >= head.chunks || message.data.length > CHUNK_BYTES) return null;
    this.#parts.set(Number(index), message.data);
    if (this.#parts.size < head.chunks) return null;
    const png = Buffer.concat([...this.#parts].toSorted(([one], [other]) => one - other).map(([, data]) => data));
    this.#parts.clear();
    this.#isWhole = true;
    return hashOf(png) === sha256 ? { head, png } : null;
  }

  #takeHead(text: string): Head | null {
    const head = openAs(headSchema, text, this.#about, this.#trust, Date.now())?.body;
    if (head === undefined || head.n <= (this.#head?.n ?? 0)) return null;
    this.#head = head;
    this.#isWhole = false;
    this.#parts.clear();
    return head;
  }
}
