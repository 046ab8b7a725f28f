/** Reads pages of audit records without loading whole files. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { UiaHostError } from '../contract/errors.ts';
import { parseLine } from './chain.ts';
import type { AuditEntry, AuditPage } from './entry.ts';
import { LineSplitter, listLogFiles, type LogFile } from './files.ts';

const CHUNK_BYTES = 256 * 1024;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const SEQ = /^\{"seq":([0-9]{1,15}),/;

/** Records of one file with seq greater than `after`, until `isFull` returns true. */
async function collect(path: string, after: number, take: (entry: AuditEntry) => boolean): Promise<void> {
  const file = await open(path, 'r');
  try {
    const splitter = new LineSplitter();
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      for (const { line } of splitter.feed(buffer.subarray(0, bytesRead))) {
        const seq = Number(SEQ.exec(line.toString('latin1', 0, 24))?.[1] ?? Number.NaN);
        // A line without a record's form or a valid hash is not shown as a record; `verify` reports what is wrong with it.
        const parsed = seq > after ? parseLine(line) : null;
        if (parsed?.isIntact === true && !take(parsed.entry())) return;
      }
    }
  } finally {
    await file.close();
  }
}

/** The last file that begins at or before the record after `after`, and all that follow. */
function filesFrom(files: readonly LogFile[], after: number): readonly LogFile[] {
  const index = files.findLastIndex((file) => file.firstSeq <= after + 1);
  return files.slice(Math.max(0, index));
}

/** A page of the log, read only from its files. Errors: invalid_argument. */
export async function readAuditLog(
  directory: string,
  { after = 0, limit = DEFAULT_LIMIT }: { after?: number; limit?: number } = {},
): Promise<AuditPage> {
  if (!Number.isSafeInteger(after) || after < 0)
    throw new UiaHostError('invalid_argument', '`after` must be the seq of an entry, or 0.');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new UiaHostError('invalid_argument', `\`limit\` must be a whole number from 1 to ${MAX_LIMIT}.`);
  const entries: AuditEntry[] = [];
  for (const file of filesFrom(listLogFiles(directory).files, after)) {
    await collect(join(directory, file.name), after, (entry) => entries.push(entry) <= limit);
    if (entries.length > limit) break;
  }
  const hasMore = entries.length > limit;
  const page = entries.slice(0, limit);
  return { entries: page, next: hasMore ? (page.at(-1)?.seq ?? null) : null };
}
