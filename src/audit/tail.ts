/** The end of the log as a host finds it when it opens it: compared with the checkpoint and with what is kept elsewhere. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { anchorFault, type Anchor } from './anchor.ts';
import { GENESIS_END, isSameHex, lineStart, parseLine, type ChainEnd } from './chain.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { AuditReceipt } from './entry.ts';
import { LineSplitter, type LogFile } from './files.ts';
import { ChainJudge, type Fault } from './chain-judge.ts';
import type { SegmentKey } from './key.ts';

export interface Tail {
  readonly head: ChainEnd;
  /** The file that the log continues in; null for a new one. */
  readonly file: LogFile | null;
  /** Its length without what was cut off. */
  readonly fileBytes: number;
  readonly ahead: number;
  readonly tornBytes: number;
  readonly fault: Fault | null;
}

export function identityOf(path: string): { identity: string; size: number } | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : { identity: `${stat.dev}:${stat.ino}`, size: Number(stat.size) };
}

/** Reads a file from an offset to its end. */
function readFrom(path: string, offset: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const length = Math.max(0, fstatSync(fd).size - offset);
    const data = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const read = readSync(fd, data, done, length - done, offset + done);
      if (read === 0) break;
      done += read;
    }
    return data.subarray(0, done);
  } finally {
    closeSync(fd);
  }
}

/** The last record of the log that has a record's form and hash, or the last of those with `hash`. */
export function lastRecord(directory: string, files: readonly LogFile[], hash?: string): ChainEnd {
  for (const { name } of [...files].reverse()) {
    let last: ChainEnd | null = null;
    for (const { line } of new LineSplitter().feed(readFrom(join(directory, name), 0))) {
      const parsed = parseLine(line);
      if (parsed?.isIntact === true && (hash === undefined || parsed.hash === hash)) last = parsed;
    }
    if (last !== null) return { seq: last.seq, hash: last.hash, mac: last.mac, segment: last.segment };
  }
  return GENESIS_END;
}

/** Compares what was kept elsewhere with the log. */
export function anchorFaultAt(
  directory: string,
  anchor: Anchor | null,
  head: AuditReceipt,
  files: readonly LogFile[],
): Fault | null {
  if (anchor === null) return null;
  return anchorFault(anchor, head, head.seq === anchor.seq ? head.hash : hashOf(directory, files, anchor.seq));
}

/** Hash of one record; null where there is none of this number. */
function hashOf(directory: string, files: readonly LogFile[], seq: number): string | null {
  const file = files.findLast(({ firstSeq }) => firstSeq <= seq);
  if (file === undefined) return null;
  const start = `{"seq":${seq},`;
  for (const { line } of new LineSplitter().feed(readFrom(join(directory, file.name), 0))) {
    if (line.toString('latin1', 0, start.length) === start) return parseLine(line)?.hash ?? null;
  }
  return null;
}

/** Records are far shorter than this (see MAX_BODY_BYTES). */
const LONGEST_LINE = 256 * 1024;

/** The line that ends at `end`: what the checkpoint says is the last record. */
function lineEndingAt(path: string, end: number): Buffer | null {
  const from = Math.max(0, end - LONGEST_LINE);
  const data = readFrom(path, from).subarray(0, end - from);
  if (data.length < 2 || data.at(-1) !== 0x0a) return null;
  return data.subarray(data.lastIndexOf(0x0a, data.length - 2) + 1, data.length - 1);
}

/** Compares the end of the log with the checkpoint: its last record must be there; behind it at most one flush, whole or cut off. */
export function readTail(directory: string, key: SegmentKey, at: Checkpoint, files: readonly LogFile[]): Tail {
  // Where the checkpoint names no file, its host began again behind the last record.
  const { mac, segment } = at.file === '' && at.seq > 0 ? lastRecord(directory, files, at.hash) : GENESIS_END;
  let head: ChainEnd = { seq: at.seq, hash: at.hash, mac, segment };
  const bad = (seq: number, reason: Fault['reason']): Tail => ({
    head,
    file: null,
    fileBytes: 0,
    ahead: 0,
    tornBytes: 0,
    fault: { seq, reason },
  });
  const index = files.findIndex(({ name }) => name === at.file);
  if (at.seq > 0 && at.file !== '') {
    const covered = files[index];
    if (covered === undefined) return bad(at.seq, 'truncated');
    const path = join(directory, covered.name);
    if ((identityOf(path)?.size ?? 0) < at.bytes) return bad(at.seq, 'truncated');
    const line = lineEndingAt(path, at.bytes);
    const parsed = line === null ? null : parseLine(line);
    if (parsed === null || !parsed.isIntact || !isSameHex(parsed.hash, at.hash)) return bad(at.seq, 'hash');
    head = { seq: at.seq, hash: at.hash, mac: parsed.mac, segment: parsed.segment };
  }
  const later = files.slice(index + 1);
  if (later.length > 1 || (later[0] !== undefined && later[0].firstSeq !== at.seq + 1)) return bad(at.seq + 1, 'order');

  const rest = index >= 0 ? readFrom(join(directory, at.file), at.bytes) : Buffer.alloc(0);
  const next = later[0];
  if (next !== undefined && rest.length > 0) return bad(at.seq + 1, 'order');
  const splitter = new LineSplitter(next === undefined ? at.bytes : 0);
  const judge = new ChainJudge(key, head);
  for (const { line } of splitter.feed(next === undefined ? rest : readFrom(join(directory, next.name), 0))) {
    const fault = judge.take(line);
    if (fault !== null) return bad(fault.seq, fault.reason);
    if (judge.flush !== at.seq + 1 || at.isClosed) return bad(judge.head.seq, 'order');
  }
  const torn = splitter.rest;
  const start = lineStart(judge.nextSeq, at.seq + 1, judge.head.hash);
  if (torn.length > 0 && (at.isClosed || !start.startsWith(torn.toString('latin1', 0, start.length))))
    return bad(judge.nextSeq, 'hash');
  return {
    head: judge.head,
    file: next ?? files[index] ?? null,
    fileBytes: splitter.offset,
    ahead: judge.records,
    tornBytes: torn.length,
    fault: null,
  };
}
