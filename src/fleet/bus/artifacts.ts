/**
 * Pictures and long answers, in chunks under the SHA-256 of the whole: a reader trusts the hash, which a signed record names.
 * One chunk is in flight, so that pictures over a slow line do not hold up claims.
 */
import { createHash } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { artifactSubject, STREAM } from './names.ts';
import { readNow } from './reading.ts';
import { unanswered } from './records.ts';

const CHUNK_BYTES = 128 * 1024;
const CHUNK_MS = 30_000;
/** 64 MiB: a seat could let a reader take in all that the server keeps. */
const MOST_CHUNKS = 512;

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The same again adds nothing: each chunk has one message id. Errors: Unanswered. */
export async function putArtifact(nc: NatsConnection, seat: string, bytes: Uint8Array): Promise<void> {
  const hash = hashOf(bytes);
  const js = jetstream(nc, { timeout: CHUNK_MS });
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) =>
    bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
  for (const [index, chunk] of chunks.entries()) {
    const msgID = `art.${seat}.${hash}.${index}`;
    const subject = artifactSubject(seat, hash, `${index}.${chunks.length}`);
    await js.publish(subject, chunk, { msgID }).catch(unanswered);
  }
}

/** Null if the server has it no longer, or not whole, or more of it than a reader takes. Errors: Unanswered. */
export async function getArtifact(nc: NatsConnection, seat: string, hash: string): Promise<Uint8Array | null> {
  const { values } = await readNow(nc, STREAM.artifacts, artifactSubject(seat, hash, '>'), 'last', MOST_CHUNKS);
  const indexOf = ({ subject }: (typeof values)[number]): number => Number(subject.split('.').at(-2));
  const bytes = Buffer.concat(values.toSorted((one, other) => indexOf(one) - indexOf(other)).map(({ data }) => data));
  return hashOf(bytes) === hash ? bytes : null;
}
