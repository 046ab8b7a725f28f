/** Verifies a whole audit: files, chain, seals, checkpoint and anchor, in pieces that leave the event loop its turn. */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { anchorFaultOf, type Anchor } from './anchor.ts';
import { isSameHex, lineStart, parseLine, type ChainEnd } from './chain.ts';
import { startOfLog } from './cut.ts';
import { claimOf, judgeCheckpoint, readCheckpoint, readImage, type CheckpointState } from './checkpoint.ts';
import type { AuditVerification } from './entry.ts';
import { dayOf, LineSplitter, listLogFiles, type LogFile } from './files.ts';
import { ChainJudge, type Fault } from './chain-judge.ts';
import { readKey } from './key.ts';

/** Between two pieces of this size the event loop gets its turn: about 1 ms of hashing. */
const CHUNK_BYTES = 32 * 1024;

export interface AuditPlace {
  readonly directory: string;
  readonly keyFile: string;
  /** What is kept elsewhere of how far the log reaches. Read before the log, it is never ahead of it. */
  readonly anchor?: Anchor | null;
}

/** Position of the scan, so that it can continue when a running host has written more. */
interface Position {
  fileIndex: number;
  offset: number;
  /** Unfinished bytes at the end of the last file. */
  rest: Buffer;
}

async function* chunks(path: string, offset: number): AsyncGenerator<Buffer> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    for (let position = offset; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** The name says where in the chain its file begins, and the day of its first record. */
function nameFault(file: LogFile, line: Buffer, judge: ChainJudge): Fault | null {
  const parsed = parseLine(line);
  if (parsed === null || !parsed.isIntact || parsed.seq !== judge.nextSeq) return null;
  const fits = file.firstSeq === parsed.seq && file.day === dayOf(parsed.time);
  return fits ? null : { seq: judge.nextSeq, reason: 'order' };
}

/** Feeds the judge from `position` on, up to the end of the log or to the record `until`. */
async function scan(
  directory: string,
  files: readonly LogFile[],
  judge: ChainJudge,
  position: Position,
  until = Infinity,
): Promise<Fault | null> {
  for (; position.fileIndex < files.length; position.fileIndex += 1, position.offset = 0) {
    const file = files[position.fileIndex];
    if (file === undefined) return null;
    const splitter = new LineSplitter(position.offset);
    for await (const chunk of chunks(join(directory, file.name), position.offset)) {
      for (const { line, end } of splitter.feed(chunk)) {
        const fault = (position.offset === 0 ? nameFault(file, line, judge) : null) ?? judge.take(line);
        if (fault !== null) return fault;
        position.offset = end;
        if (judge.head.seq >= until) return null;
      }
    }
    position.rest = splitter.rest;
    const isLast = position.fileIndex === files.length - 1;
    if (isLast) return null;
    if (splitter.rest.length > 0) return { seq: judge.nextSeq, reason: 'truncated' };
  }
  return null;
}

/** A record that is missing in its place may be elsewhere: then the order was changed. */
async function standsElsewhere(directory: string, files: readonly LogFile[], seq: number): Promise<boolean> {
  const start = `{"seq":${seq},`;
  for (const file of files) {
    const splitter = new LineSplitter();
    for await (const chunk of chunks(join(directory, file.name), 0)) {
      for (const { line } of splitter.feed(chunk)) {
        if (line.toString('latin1', 0, start.length) === start && parseLine(line)?.isIntact === true) return true;
      }
    }
  }
  return false;
}

async function scanWhole(
  directory: string,
  files: readonly LogFile[],
  judge: ChainJudge,
  position: Position,
): Promise<Fault | null> {
  const fault = await scan(directory, files, judge, position);
  const isMoved = fault?.reason === 'gap' && (await standsElsewhere(directory, files, fault.seq));
  return isMoved ? { seq: fault.seq, reason: 'order' } : fault;
}

/**
 * Reads the checkpoint, after the chain: a record of the flush n + 1 is written only once the checkpoint has reached n,
 * so at most one flush that was seen is ahead of it. Where it names a later record, the chain is read up to that
 * first: only there its key is known.
 */
async function judgeStableCheckpoint(
  directory: string,
  judge: ChainJudge,
  position: Position,
): Promise<CheckpointState | Fault> {
  for (let attempt = 0; ; attempt += 1) {
    const image = readImage(directory);
    if (claimOf(image) > judge.head.seq) {
      position.rest = Buffer.alloc(0);
      const fault = await scan(directory, listLogFiles(directory).files, judge, position, claimOf(image));
      if (fault !== null) return fault;
    }
    const state = judgeCheckpoint(image, judge.sealing);
    // A slot may be read in the moment it is being written; it is whole a moment later.
    if (state.state !== 'invalid' || judge.sealing === null || attempt === 4) return state;
    await wait(2);
  }
}

/** Bytes after the last record are a write that was cut off only if they begin as the next record must, and nothing was closed. */
function isTornWrite(rest: Buffer, judge: ChainJudge, checkpointSeq: number): boolean {
  const { seq: last, hash } = judge.head;
  const flush = last > checkpointSeq ? judge.flush : last + 1;
  const start = lineStart(last + 1, flush, hash);
  const text = rest.toString('latin1', 0, start.length);
  return start.startsWith(text);
}

/** What is wrong with a log whose chain fits, and whose end is where the checkpoint says. */
const faultAround = (judge: ChainJudge, anchor: Anchor | null, foreign: readonly string[]): Fault | null =>
  judge.missingStart ??
  judge.damage ??
  anchorFaultOf(anchor, judge) ??
  (foreign.length > 0 ? { seq: judge.nextSeq, reason: 'order' } : null);

const summaryOf = (
  judge: ChainJudge,
  start: ChainEnd,
): Pick<AuditVerification, 'records' | 'head' | 'sealsCheckedFrom' | 'completeFrom'> => ({
  records: judge.records,
  head: judge.records === 0 ? null : { seq: judge.head.seq, hash: judge.head.hash },
  sealsCheckedFrom: judge.sealsCheckedFrom,
  completeFrom: start.seq + 1,
});

/** What the checkpoint says about a chain that was read to its end. */
function judgeEnd(
  judge: ChainJudge,
  checkpoint: { seq: number; hash: string; isClosed: boolean },
  rest: Buffer,
): Fault | null {
  const { seq, hash } = checkpoint;
  if (judge.head.seq < seq) return { seq: judge.nextSeq, reason: 'truncated' };
  const covered = seq === judge.head.seq ? judge.head : judge.beforeFlush;
  if (covered.seq !== seq) return { seq: seq + 1, reason: 'key' };
  if (!isSameHex(covered.hash, hash)) return { seq, reason: 'key' };
  if (checkpoint.isClosed && seq !== judge.head.seq) return { seq: seq + 1, reason: 'order' };
  if (rest.length > 0 && (checkpoint.isClosed || !isTornWrite(rest, judge, seq)))
    return { seq: judge.nextSeq, reason: 'hash' };
  return null;
}

/**
 * Judges the whole log. It only reads, and works next to a running host: what the host writes meanwhile is followed until
 * checkpoint and chain agree.
 */
export async function verifyAuditLog({ directory, keyFile, anchor = null }: AuditPlace): Promise<AuditVerification> {
  const key = readKey(keyFile);
  const { files } = listLogFiles(directory);
  const start = startOfLog(directory, files);
  const judge = new ChainJudge(key, start, anchor?.seq ?? null);
  const position: Position = { fileIndex: 0, offset: 0, rest: Buffer.alloc(0) };
  const verdict = (firstBad: Fault | null, ahead = 0, tornBytes = 0): AuditVerification => ({
    ok: firstBad === null,
    firstBad,
    ahead,
    tornBytes,
    ...summaryOf(judge, start),
  });

  const fault = await scanWhole(directory, files, judge, position);
  if (fault !== null) {
    // A file was cut while this read the log.
    if (listLogFiles(directory).files[0]?.name !== files[0]?.name)
      return verifyAuditLog({ directory, keyFile, anchor });
    return verdict(fault);
  }

  const state = await judgeStableCheckpoint(directory, judge, position);
  if ('reason' in state) return verdict(state);
  if (state.state !== 'valid') {
    // The log's first record came between these looks, and its key before it.
    if (key === null && readKey(keyFile) !== null) return verifyAuditLog({ directory, keyFile, anchor });
    const isEmpty = judge.records === 0 && position.rest.length === 0;
    const wasNeverUsed = isEmpty && key === null && (state.state === 'absent' || state.claimedSeq === 0);
    return verdict(wasNeverUsed ? anchorFaultOf(anchor, judge) : { seq: judge.nextSeq, reason: 'key' });
  }
  const { checkpoint } = state;
  const listing = listLogFiles(directory);
  const wrong = judgeEnd(judge, checkpoint, position.rest) ?? faultAround(judge, anchor, listing.foreign);
  return wrong === null ? verdict(null, judge.head.seq - checkpoint.seq, position.rest.length) : verdict(wrong);
}

/**
 * What can be judged without the key: that each record fits its hash and follows the one before, and that the end is not
 * before what the checkpoint claims. Anyone who can write the files can recreate all of that, so "nothing found" is not
 * a verdict.
 */
export async function verifyWithoutKey(
  directory: string,
  anchor: Anchor | null = null,
): Promise<Omit<AuditVerification, 'ok' | 'ahead' | 'tornBytes'>> {
  const { files, foreign } = listLogFiles(directory);
  const start = startOfLog(directory, files);
  const judge = new ChainJudge(null, start, anchor?.seq ?? null);
  const position: Position = { fileIndex: 0, offset: 0, rest: Buffer.alloc(0) };
  const state = readCheckpoint(directory, null);
  const claimedSeq = state.state === 'invalid' ? state.claimedSeq : 0;
  const judgeWhole = (): Fault | null => {
    if (judge.head.seq < claimedSeq) return { seq: judge.nextSeq, reason: 'truncated' };
    if (position.rest.length > 0 && !isTornWrite(position.rest, judge, claimedSeq))
      return { seq: judge.nextSeq, reason: 'hash' };
    return faultAround(judge, anchor, foreign);
  };
  const fault = await scanWhole(directory, files, judge, position);
  return { ...summaryOf(judge, start), firstBad: fault ?? judgeWhole() };
}
