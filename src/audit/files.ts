/** Names and order of the log’s files. */
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
