/** The log’s files: their names, their order, and their lines. */
import { readdirSync } from 'node:fs';

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

export interface LogListing {
  /** In the order of the chain. */
  readonly files: readonly LogFile[];
  /** Names of other *.jsonl files. A reader of `*.jsonl` would take them for the log, so they count as inserted. */
  readonly foreign: readonly string[];
}

/** The log's files; empty when the folder does not exist. */
export function listLogFiles(directory: string): LogListing {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    names = [];
  }
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
