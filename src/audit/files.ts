/** The log’s files: their names, their order, and their lines; pages of records, read without loading whole files. */
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '../contract/errors.ts';
import { parseLine } from './chain.ts';
import type { AuditEntry, AuditPage } from './entry.ts';
import { ifThere } from '../base/durable-file.ts';

/** One file of the log: `audit-<first seq>-<UTC day>.jsonl`; with a number if a file of that name already exists. */
export interface LogFile {
  readonly name: string;
  readonly firstSeq: number;
  readonly day: string;
}

const NAME = /^audit-(\d{12})-(\d{8})(?:-(\d{1,4}))?\.jsonl$/;

export const dayOf = (time: string): string => time.slice(0, 10).replaceAll('-', '');

export function logFileName(firstSeq: number, day: string, attempt = 0): string {
  return `audit-${String(firstSeq).padStart(12, '0')}-${day}${attempt === 0 ? '' : `-${attempt}`}.jsonl`;
}

interface LogListing {
  /** In the order of the chain. */
  readonly files: readonly LogFile[];
  /** Names of other *.jsonl files. A reader of `*.jsonl` would take them for the log, so they count as inserted. */
  readonly foreign: readonly string[];
}

/** The log's files; empty when the folder does not exist. */
export function listLogFiles(directory: string): LogListing {
  const names = ifThere(() => readdirSync(directory)) ?? [];
  const files: (LogFile & { attempt: number })[] = [];
  const foreign: string[] = [];
  for (const name of names) {
    const match = NAME.exec(name);
    if (match) files.push({ name, firstSeq: Number(match[1]), day: String(match[2]), attempt: Number(match[3] ?? 0) });
    else if (name.toLowerCase().endsWith('.jsonl')) foreign.push(name);
  }
  files.sort((a, b) => a.firstSeq - b.firstSeq || a.attempt - b.attempt || (a.name < b.name ? -1 : 1));
  return { files, foreign };
}

/** Splits a stream of bytes into lines, with the offset of each. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  /** Offset in the file of the first byte of `rest`. */
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  /** Complete lines without their line feeds; `end` is the offset after the line feed. */
  *feed(chunk: Uint8Array): Generator<{ line: Buffer; end: number }> {
    const data =
      this.#rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(0x0a); end !== -1; end = data.indexOf(0x0a, start)) {
      const line = data.subarray(start, end);
      this.#offset += line.length + 1;
      start = end + 1;
      yield { line, end: this.#offset };
    }
    this.#rest = Buffer.from(data.subarray(start));
  }

  /** What follows the last line feed. */
  get rest(): Buffer {
    return this.#rest;
  }

  /** Offset after the last complete line. */
  get offset(): number {
    return this.#offset;
  }
}

const CHUNK_BYTES = 256 * 1024;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const SEQ = /^\{"seq":([0-9]{1,15}),/;

/** The complete lines of one file. */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const splitter = new LineSplitter();
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      for (const { line } of splitter.feed(buffer.subarray(0, bytesRead))) yield Buffer.from(line);
    }
  } finally {
    await file.close();
  }
}

/** Records of one file with seq greater than `after`, until `isFull` returns true. */
async function collect(path: string, after: number, take: (entry: AuditEntry) => boolean): Promise<void> {
  for await (const line of linesOf(path)) {
    const seq = Number(SEQ.exec(line.toString('latin1', 0, 24))?.[1] ?? Number.NaN);
    // A line without a record's form or a valid hash is not shown as a record; `verify` reports what is wrong with it.
    const parsed = seq > after ? parseLine(line) : null;
    if (parsed?.isIntact === true && !take(parsed.entry())) return;
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
  if (!Number.isSafeInteger(after) || after < 0) throw badInput('`after` must be the seq of an entry, or 0.');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw badInput(`\`limit\` must be a whole number from 1 to ${MAX_LIMIT}.`);
  const entries: AuditEntry[] = [];
  for (const file of filesFrom(listLogFiles(directory).files, after)) {
    await collect(join(directory, file.name), after, (entry) => entries.push(entry) <= limit);
    if (entries.length > limit) break;
  }
  const hasMore = entries.length > limit;
  const page = entries.slice(0, limit);
  return { entries: page, next: hasMore ? (page.at(-1)?.seq ?? null) : null };
}
