/** Results as they are stored, without their pictures, and as they are returned again, with them. */
import type { ActionResult } from '../../contract/outcome.ts';

/** The field that stored results lack: pictures are artifacts with their own quotas, or are not stored at all. */
const PICTURE = 'base64';
const ARTIFACT_PREFIX = 'artifact://';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The artifact that a value names as its picture. */
export function artifactOf(value: unknown): string | null {
  const uri = isFields(value) ? value['artifact'] : undefined;
  return typeof uri === 'string' ? uri.slice(ARTIFACT_PREFIX.length) : null;
}

/** A result to store: without its own picture and those of a batch's steps. */
export function withoutPictures(result: ActionResult): ActionResult {
  return { ...result, value: valueToKeep(result.value) };
}

export function valueToKeep(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value).filter(
    ([field, content]) => !(field === PICTURE && typeof content === 'string'),
  );
  return Object.fromEntries(
    fields.map(([field, content]) => [
      field,
      field === 'completed' && Array.isArray(content)
        ? content.map((step: ActionResult) => withoutPictures(step))
        : content,
    ]),
  );
}

/** A stored result with its pictures restored, as far as their artifacts still exist: the first answer. */
export async function withPictures(
  result: ActionResult,
  read: (contentHash: string) => Promise<Uint8Array | null>,
): Promise<ActionResult> {
  return { ...result, value: await valueAsGiven(result.value, read) };
}

export async function valueAsGiven(
  value: unknown,
  read: (contentHash: string) => Promise<Uint8Array | null>,
): Promise<unknown> {
  if (!isFields(value)) return value;
  if (Array.isArray(value['completed'])) {
    return {
      ...value,
      completed: await Promise.all(value['completed'].map((step: ActionResult) => withPictures(step, read))),
    };
  }
  const hash = artifactOf(value);
  if (hash === null || PICTURE in value) return value;
  const bytes = await read(hash);
  return bytes === null ? value : { [PICTURE]: Buffer.from(bytes).toString('base64'), ...value };
}
