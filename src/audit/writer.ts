/** Writes records to the log’s files: chain, seal, flush, and the move to a new file and a new segment. */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolderSync } from '../base/durable-file.ts';
import type { Anchor } from './anchor.ts';
import { type ChainEnd, GENESIS_END, recordBody, sealLine } from './chain.ts';
import { describeCut } from './cut.ts';
import { CheckpointFile, GENESIS, readCheckpoint, type Checkpoint, type CheckpointMove } from './checkpoint.ts';
import type { AuditEntryInput, AuditOpenReport, AuditReceipt } from './entry.ts';
import { dayOf, listLogFiles, logFileName, type LogFile } from './files.ts';
import { DAMAGE_ACTION, type Fault } from './chain-judge.ts';
import { keyIdOf, keyReached, moveKey, newKey, nextKey, readKey, writeKey, type SegmentKey } from './key.ts';
import { anchorFaultAt, identityOf, lastRecord, readTail, type Tail } from './tail.ts';

export interface AuditWriterOptions {
  readonly directory: string;
  readonly keyFile: string;
  /** A file is closed and the next begun at this size, and with each new day (UTC). */
  readonly maxFileBytes?: number;
  /** The key changes after this many records, after an hour, and at each start. */
  readonly segmentRecords?: number;
  readonly now?: () => Date;
  /** Copies elsewhere of how far the log reaches; read when it is opened. */
  readonly anchor?: () => Anchor | null;
}

const DEFAULT_FILE_BYTES = 16 * 1024 * 1024;
/**
 * Limits what a reader of the current key could seal again. A move costs four syncs, where a record costs one or two: once in
 * 500 records or an hour that is less than one in a hundred more.
 */
const SEGMENT_RECORDS = 500;
const SEGMENT_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * How often the file is compared with the one it left: 0.3 ms under Wine, 3 µs on Linux. `verify` always sees
 * everything.
 */
const LOOK_EVERY_MS = 250;

/** The file that records are being appended to. */
interface OpenFile {
  readonly name: string;
  readonly day: string;
  readonly fd: number;
  /** Tells whether the name still leads to the file that is open. */
  readonly identity: string;
  bytes: number;
}

const receiptOf = ({ seq, hash }: ChainEnd): AuditReceipt => ({ seq, hash });

function writeAll(fd: number, data: Buffer): void {
  for (let done = 0; done < data.length;) done += writeSync(fd, data, done);
}

/**
 * Writes the log: records of a batch together, synced, then the checkpoint, which is synced before the next records are written: so on
 * the disk, too, at most one flush is ahead of it. One writer at a time (the host's lock sees to that). All calls are
 * synchronous, for a thread whose work is waiting for the disk.
 */
export class AuditWriter {
  readonly opened: AuditOpenReport;
  readonly #options: Required<AuditWriterOptions>;
  readonly #checkpoint: CheckpointFile;
  #key: SegmentKey;
  /** First record of this writer's segment; null before there is one, and for a segment of an earlier writer. */
  #segmentStart: { readonly seq: number; readonly at: number } | null = null;
  #head: ChainEnd;
  #file: OpenFile | null = null;
  #lookedAt = 0;

  private constructor(
    options: Required<AuditWriterOptions>,
    key: SegmentKey,
    checkpoint: CheckpointFile,
    head: ChainEnd,
    opened: AuditOpenReport,
  ) {
    this.#options = options;
    this.#key = key;
    this.#checkpoint = checkpoint;
    this.#head = head;
    this.opened = opened;
  }

  /** Opens or begins the log, takes over what a killed host had synced, and records damage. Errors: those of the file system. */
  static open(given: AuditWriterOptions): AuditWriter {
    const options: Required<AuditWriterOptions> = {
      maxFileBytes: DEFAULT_FILE_BYTES,
      segmentRecords: SEGMENT_RECORDS,
      now: () => new Date(),
      anchor: () => null,
      ...given,
    };
    const { directory, keyFile } = options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    dropEmptyLastFile(directory);
    const key = readKey(keyFile);
    const state = readCheckpoint(directory, key);
    const { files } = listLogFiles(directory);

    if (key !== null && state.state === 'valid') return AuditWriter.#resume(options, key, state.checkpoint, files);
    const claimedSeq = state.state === 'invalid' ? state.claimedSeq : 0;
    const wasNeverUsed = key === null && files.length === 0 && claimedSeq === 0;
    return wasNeverUsed ? AuditWriter.#begin(options) : AuditWriter.#beginAgain(options, key, files, claimedSeq);
  }

  static #begin(options: Required<AuditWriterOptions>): AuditWriter {
    // The key comes last: a key without a checkpoint then always means that the checkpoint was taken away.
    const key = newKey(1);
    const checkpoint = CheckpointFile.create(options.directory, key, { ...GENESIS, at: options.now().toISOString() });
    try {
      writeKey(options.keyFile, key);
    } catch (error) {
      checkpoint.close();
      throw error;
    }
    // A log that was never begun, with an anchor of one: the log was taken away, with its key.
    const damage: Fault | null = options.anchor() === null ? null : { seq: 1, reason: 'truncated' };
    const writer = new AuditWriter(options, key, checkpoint, GENESIS_END, {
      head: null,
      ahead: 0,
      tornBytes: 0,
      damage,
    });
    if (damage !== null) writer.#recordDamage(damage);
    return writer;
  }

  /**
   * Key or checkpoint is missing or not genuine: continues after the last record, and the log records that permanently.
   */
  static #beginAgain(
    options: Required<AuditWriterOptions>,
    oldKey: SegmentKey | null,
    files: readonly LogFile[],
    claimedSeq: number,
  ): AuditWriter {
    const head = lastRecord(options.directory, files);
    // A key from which the log's last segment cannot be reached is an old copy, and as good as none.
    const hasKey = oldKey !== null && oldKey.segment >= head.segment;
    const key = hasKey ? oldKey : newKey(head.segment + 1);
    const seq = Math.max(head.seq, claimedSeq);
    const checkpoint = CheckpointFile.create(options.directory, key, {
      ...GENESIS,
      seq,
      hash: head.hash,
      at: options.now().toISOString(),
    });
    if (!hasKey) {
      setAside(options.keyFile, options.now());
      writeKey(options.keyFile, key);
    }
    const damage: Fault = { seq: head.seq + 1, reason: 'key' };
    const writer = new AuditWriter(
      options,
      key,
      checkpoint,
      { ...head, seq },
      { head: receiptOf(head), ahead: 0, tornBytes: 0, damage },
    );
    writer.#recordDamage(damage);
    return writer;
  }

  static #resume(
    options: Required<AuditWriterOptions>,
    kept: SegmentKey,
    at: Checkpoint,
    files: readonly LogFile[],
  ): AuditWriter {
    const key = keyReached(kept, at.segment, at) ?? kept;
    const found = readTail(options.directory, key, at, files);
    const fault = found.fault ?? anchorFaultAt(options.directory, options.anchor(), found.head, files);
    const tail: Tail = fault === found.fault ? found : { ...found, file: null, fileBytes: 0, fault };
    const checkpoint = CheckpointFile.open(options.directory, key, at);
    const head = tail.head.seq === 0 ? null : receiptOf(tail.head);
    const writer = new AuditWriter(options, key, checkpoint, tail.head, {
      head,
      ahead: tail.ahead,
      tornBytes: tail.tornBytes,
      damage: tail.fault,
    });
    // A move to the next key that was cut short is finished, from whichever step it had reached.
    if (key.segment !== kept.segment) writer.#take(key);
    if (tail.file !== null && tail.tornBytes > 0) cutOff(join(options.directory, tail.file.name), tail.fileBytes);
    if (tail.file !== null && tail.fileBytes > 0) writer.#file = writer.#reopen(tail.file, tail.fileBytes);
    // Also takes back the note of a clean end, before anything is written that would contradict it.
    checkpoint.move(
      writer.#state(
        tail.ahead > 0 ? (writer.#file?.name ?? '') : at.file,
        tail.ahead > 0 ? tail.fileBytes : at.bytes,
        false,
      ),
    );
    checkpoint.sync();
    if (tail.fault !== null) writer.#recordDamage(tail.fault);
    return writer;
  }

  /** What can be kept elsewhere of the newest record; null in an empty log. */
  get anchor(): Anchor | null {
    return this.#head.seq === 0
      ? null
      : { ...receiptOf(this.#head), keyId: keyIdOf(this.#key.key), at: this.#checkpoint.current.at };
  }

  /** Returns when all entries are on disk and the checkpoint has moved behind them. Errors: those of the file system; nothing is acknowledged then. */
  append(entries: readonly AuditEntryInput[]): AuditReceipt[] {
    const fault = this.#lookForDamage();
    if (fault !== null) this.#recordDamage(fault);
    return this.#write(entries);
  }

  /**
   * Deletes the oldest files while they are whole days older than `days`, each after a record of it is on disk. The file of the
   * newest record stays. Answers how many. Errors: those of the file system.
   */
  cut(days: number): number {
    const { directory, now } = this.#options;
    const before = dayOf(new Date(now().getTime() - days * DAY_MS).toISOString());
    for (let count = 0; ; count += 1) {
      const [file, next] = listLogFiles(directory).files;
      if (file === undefined || next === undefined || file.day >= before || file.name === this.#checkpoint.current.file)
        return count;
      const entry = describeCut(directory, [file, next], days);
      if (entry === null) return count;
      this.#write([entry]);
      this.#checkpoint.sync();
      unlinkSync(join(directory, file.name));
      syncFolderSync(directory);
    }
  }

  /** Flushes the checkpoint to the disk; called after the answer, when no caller waits for it. Errors: those of the file system. */
  settle(): void {
    this.#checkpoint.sync();
  }

  /** Notes that nothing is under way, so that anything found behind the last record later was put there. */
  close(): void {
    try {
      const { file, bytes } = this.#checkpoint.current;
      this.#checkpoint.move(this.#state(file, bytes, true));
      this.#checkpoint.sync();
    } finally {
      this.abandon();
    }
  }

  /** Closes the files and leaves everything on disk unchanged, as a kill would. */
  abandon(): void {
    if (this.#file !== null) closeSync(this.#file.fd);
    this.#file = null;
    this.#checkpoint.close();
  }

  #write(entries: readonly AuditEntryInput[]): AuditReceipt[] {
    if (entries.length === 0) return [];
    this.#checkpoint.sync();
    if (this.#isMoveDue()) this.#take(nextKey(this.#key, this.#head));
    const time = this.#options.now().toISOString();
    const { segment, key } = this.#key;
    const flush = this.#head.seq + 1;
    const file = this.#fileFor(flush, dayOf(time));
    const receipts: AuditReceipt[] = [];
    const lines: string[] = [];
    let head = this.#head;
    for (const entry of entries) {
      const seq = head.seq + 1;
      const { line, hash, mac } = sealLine(recordBody(entry, { seq, flush, previous: head, time, segment }), key);
      head = { seq, hash, mac, segment };
      receipts.push({ seq, hash });
      lines.push(line, '\n');
    }
    const data = Buffer.from(lines.join(''));
    writeAll(file.fd, data);
    fdatasyncSync(file.fd);
    if (file.bytes === 0) syncFolderSync(this.#options.directory);
    file.bytes += data.length;
    this.#head = head;
    this.#segmentStart ??= { seq: flush, at: performance.now() };
    this.#checkpoint.move(this.#state(file.name, file.bytes, false));
    return receipts;
  }

  /** A segment without a record stays: so the next record belongs to the current segment or to the next. */
  #isMoveDue(): boolean {
    if (this.#head.seq === 0 || this.#head.segment !== this.#key.segment) return false;
    if (this.#segmentStart === null) return true;
    const { seq, at } = this.#segmentStart;
    return this.#head.seq - seq + 1 >= this.#options.segmentRecords || performance.now() - at >= SEGMENT_MS;
  }

  /**
   * The checkpoint first, both slots, then the key, then the old key is erased, each synced: whenever this is cut short, the
   * checkpoint's key is in the key file or is the next of the one there.
   */
  #take(next: SegmentKey): void {
    this.#checkpoint.sealWith(next);
    moveKey(this.#options.keyFile, next);
    this.#key = next;
    this.#segmentStart = null;
  }

  #state(file: string, bytes: number, isClosed: boolean): CheckpointMove {
    return { ...receiptOf(this.#head), file, bytes, isClosed, at: this.#options.now().toISOString() };
  }

  #fileFor(seq: number, day: string): OpenFile {
    const current = this.#file;
    if (current !== null && current.bytes < this.#options.maxFileBytes && current.day === day) return current;
    if (current !== null) closeSync(current.fd);
    this.#file = null;
    for (let attempt = 0; ; attempt += 1) {
      const name = logFileName(seq, day, attempt);
      const path = join(this.#options.directory, name);
      try {
        // Exclusive: an existing file is evidence and stays unchanged.
        const fd = openSync(path, 'ax', 0o600);
        this.#file = { name, day, fd, identity: identityOf(path)?.identity ?? '', bytes: 0 };
        return this.#file;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1000) throw error;
      }
    }
  }

  #reopen(file: LogFile, bytes: number): OpenFile {
    const path = join(this.#options.directory, file.name);
    return {
      name: file.name,
      day: file.day,
      fd: openSync(path, 'a'),
      identity: identityOf(path)?.identity ?? '',
      bytes,
    };
  }

  /** Another program's changes to the open file: it is gone, replaced, shorter or longer than it was left. */
  #lookForDamage(): Fault | null {
    const now = performance.now();
    if (this.#file === null || now - this.#lookedAt < LOOK_EVERY_MS) return null;
    this.#lookedAt = now;
    const seen = identityOf(join(this.#options.directory, this.#file.name));
    const seq = this.#head.seq;
    if (seen === null || seen.identity !== this.#file.identity || seen.size < this.#file.bytes)
      return { seq, reason: 'truncated' };
    return seen.size > this.#file.bytes ? { seq: seq + 1, reason: 'order' } : null;
  }

  /** Leaves the damaged file unchanged and continues in a new one, with a record that `verify` reports from then on. */
  #recordDamage(fault: Fault): void {
    if (this.#file !== null) closeSync(this.#file.fd);
    this.#file = null;
    this.#write([
      {
        kind: 'audit',
        actor: { tokenId: null, surface: 'host' },
        action: DAMAGE_ACTION,
        why: ['The log on disk did not agree with its checkpoint; it was left as it was and goes on here.'],
        details: { seq: fault.seq, reason: fault.reason },
      },
    ]);
  }
}

/** A host that is killed between making a file and writing its first record leaves an empty one. */
function dropEmptyLastFile(directory: string): void {
  const last = listLogFiles(directory).files.at(-1);
  if (last !== undefined && statSync(join(directory, last.name)).size === 0) unlinkSync(join(directory, last.name));
}

/** Takes back the unfinished end of a file. */
function cutOff(path: string, bytes: number): void {
  if (bytes === 0) {
    unlinkSync(path);
    return;
  }
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, bytes);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A key file without a valid key stays, to be examined. */
function setAside(path: string, now: Date): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, `${path}.damaged-${now.getTime()}`);
}
