/** What a step answered, as the record of its job has it: a record is one message of at most 1 MiB, and is read by many. */
import type { Row } from './protocol.ts';

/** All answers of a job in its record; what is beyond it is kept apart. */
const RECORD_BYTES = 64 * 1024;
/** The host's field for the bytes of a picture. */
const PICTURE = 'base64';

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** @param keep keeps bytes apart from the record, and names them */
export async function recordable(
  value: unknown,
  { steps }: Row,
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<unknown> {
  const told = await withoutPictures(value, keep);
  const size = sizeOf(told);
  if (size + sizeOf(steps) <= RECORD_BYTES) return told;
  const artifact = await keep(Buffer.from(JSON.stringify(told)));
  return { artifact, mimeType: 'application/json', byteSize: size };
}

async function withoutPictures(value: unknown, keep: (bytes: Uint8Array) => Promise<string>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const { [PICTURE]: picture, ...rest } = value as Record<string, unknown>;
  if (typeof picture === 'string') return { ...rest, artifact: await keep(Buffer.from(picture, 'base64')) };
  // one after another: pictures take the line from claims
  const fields: [string, unknown][] = [];
  for (const [field, each] of Object.entries(value)) fields.push([field, await withoutPictures(each, keep)]);
  return Array.isArray(value) ? fields.map(([, each]) => each) : Object.fromEntries(fields);
}
