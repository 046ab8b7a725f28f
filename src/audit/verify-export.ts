/**
 * Verifies an exported file, which may come from anyone: its head has a schema and limits before any of it is used, the file
 * is read in pieces, and the time taken grows with its size alone.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isSameHex, parseLine, recordMac, type ChainEnd } from './chain.ts';
import type { CopyVerdict } from './copy.ts';
import type { AuditEntry, AuditReceipt } from './entry.ts';
import { exportMac, FORMAT, type SegmentEnd } from './export.ts';
import { ChainJudge, type Fault } from './chain-judge.ts';
import { nextKey, type SegmentKey } from './key.ts';
import { attempt } from '../contract/attempt.ts';
import { z } from 'zod';

const CHUNK_BYTES = 256 * 1024;
/** More than any record has, and than the head of an audit of many years. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** A file's bytes, as much as is asked for at a time. A Buffer is one. */
interface Bytes {
  readonly length: number;
  subarray(from: number, to: number): Uint8Array;
}

/** Reads a file in pieces. Errors: those of the file system. */
export function withFile<T>(path: string, read: (bytes: Bytes) => T): T {
  const file = openSync(path, 'r');
  try {
    return read({
      length: fstatSync(file).size,
      subarray(from, to) {
        const part = Buffer.alloc(to - from);
        return part.subarray(0, readSync(file, part, 0, part.length, from));
      },
    });
  } finally {
    closeSync(file);
  }
}

function* piecesOf(bytes: Bytes, from: number, to: number): Generator<Uint8Array> {
  for (let at = from; at < to; at += CHUNK_BYTES) yield bytes.subarray(at, Math.min(to, at + CHUNK_BYTES));
}

/** Lines up to an offset; null in the place of a line that is longer than any of an export, after which nothing follows. */
function* linesOf(bytes: Bytes, to: number): Generator<Buffer | null> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for (const piece of piecesOf(bytes, 0, to)) {
    let from = 0;
    for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]);
      [begun, length, from] = [[], 0, end + 1];
    }
    begun.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) return yield null;
  }
}

const CLOSING = /^\{"seal":(null|\{"segment":(\d{1,9}),"mac":"([0-9a-f]{64})"\}),"sha256":"([0-9a-f]{64})"\}\n$/;
const LONGEST_CLOSING = 250;
const CHECKSUM_LENGTH = `,"sha256":""}\n`.length + 64;

interface Closing {
  /** Where it begins. */
  readonly at: number;
  readonly bodyHash: string;
  readonly seal: { readonly segment: number; readonly mac: string } | null;
}

/** The last line, which fits the bytes before it; a text says why it does not. */
function closingOf(bytes: Bytes): Closing | string {
  const from = Math.max(0, bytes.length - LONGEST_CLOSING);
  const end = Buffer.from(bytes.subarray(from, bytes.length));
  const at = from + end.lastIndexOf(0x0a, end.length - 2) + 1;
  const closing = CLOSING.exec(end.toString('latin1', at - from));
  if (closing === null) return 'it has no closing line: it was cut off, or is not an export of the audit';
  const [, , segment, mac, checksum = ''] = closing;
  const whole = createHash('sha256');
  for (const piece of piecesOf(bytes, 0, at)) whole.update(piece);
  const bodyHash = whole.copy().digest('hex');
  whole.update(bytes.subarray(at, bytes.length - CHECKSUM_LENGTH));
  if (!isSameHex(whole.digest('hex'), checksum))
    return 'its checksum does not fit: bytes were changed, added or removed';
  return { at, bodyHash, seal: segment === undefined || mac === undefined ? null : { segment: Number(segment), mac } };
}

const text = (pattern: RegExp) => z.string().regex(pattern);
const count = z.int().min(0);
const segment = count.max(999_999_999);
const time = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const receipt = { seq: count, hash: text(/^[0-9a-f]{64}$/) };

const HEAD = z.strictObject({
  format: z.literal(FORMAT),
  version: text(/^[\w.+-]{1,64}$/),
  exportedAt: time,
  since: time.nullable(),
  until: time.nullable(),
  records: count,
  first: count,
  last: count,
  previous: z.strictObject({ ...receipt, mac: text(/^[0-9a-f]{32}$/), segment }),
  segments: z
    .array(z.strictObject({ ...receipt, segment }))
    .refine((ends) => ends.every((end, index) => index === 0 || end.segment > (ends[index - 1]?.segment ?? 0))),
  newest: z.strictObject(receipt),
  // On the exporter's word: nothing of it is shown.
  verdict: z.record(z.string(), z.unknown()),
});

const headOf = (line: Buffer | null | undefined): z.infer<typeof HEAD> | null =>
  attempt(() => HEAD.parse(JSON.parse(line?.toString('utf8') ?? '')), null);

export interface ExportVerdict extends CopyVerdict {
  readonly since: string | null;
  readonly until: string | null;
  readonly exportedAt: string | null;
  /** The first record of the export. */
  readonly first: number | null;
  /** The newest record of the log when it was exported, to be compared with the event log. */
  readonly newest: AuditReceipt | null;
  /** Whether the seal of the whole export was checked: then no record was left out and none added since. */
  readonly isSealChecked: boolean;
  /** What is wrong with the file as a whole; null if its records are the problem, or nothing is. */
  readonly damage: string | null;
}

const NOTHING = {
  since: null,
  until: null,
  exportedAt: null,
  first: null,
  newest: null,
  isSealChecked: false,
  records: 0,
  head: '',
  firstBad: null,
  sealsCheckedFrom: null,
  completeFrom: 1,
  unchecked: [],
} as const;

const WHO =
  'whether the records were written by the host: anyone who can write the file can rebuild it, checksum included';
const COMPLETE = 'whether the export holds every record of its range';
const WHOSE =
  'whether the key is the host’s: it was next to the export, where anyone who made the export could put another';

/** The key of a segment, from an earlier one by the ends of the segments between; null if it cannot be derived. */
function keyOf(from: SegmentKey, segment: number, ends: ReadonlyMap<number, SegmentEnd>): SegmentKey | null {
  let key = from;
  while (key.segment < segment) {
    const end = ends.get(key.segment);
    if (end === undefined) return null;
    key = nextKey(key, end);
  }
  return key.segment === segment ? key : null;
}

/** Whether the record before the first one was sealed with this key; true where that cannot be checked. */
const fitsBefore = (key: SegmentKey | null, previous: ChainEnd): boolean =>
  key === null ||
  key.segment !== previous.segment ||
  previous.seq === 0 ||
  isSameHex(recordMac(key.key, previous.hash), previous.mac);

/**
 * Judges an exported file.
 * @param isOwn whether the key was kept by the person who verifies; with a key from elsewhere nothing is known to be the host's
 */
export function verifyExport(bytes: Bytes, key: SegmentKey | null, isOwn = true): ExportVerdict {
  const closing = closingOf(bytes);
  if (typeof closing === 'string') return { ...NOTHING, ok: false, damage: closing };
  const lines = linesOf(bytes, closing.at);
  const head = headOf(lines.next().value as Buffer | null | undefined);
  if (head === null) return { ...NOTHING, ok: false, damage: 'its first line is not the head of an export' };
  const { previous } = head;
  const ends = new Map(head.segments.map((end) => [end.segment, end]));
  // An earlier key is brought up to the segment before the first record; a later one checks from its own segment on.
  const start = key === null || key.segment >= previous.segment ? key : keyOf(key, previous.segment, ends);
  const judge = new ChainJudge(start, previous);
  let fault: Fault | null = fitsBefore(start, previous) ? null : { seq: previous.seq, reason: 'key' };
  for (const line of lines) {
    fault ??= line === null ? { seq: judge.nextSeq, reason: 'hash' } : judge.take(line);
    if (fault !== null) break;
  }
  fault ??= judge.damage;
  const { seal, bodyHash } = closing;
  const sealKey = key === null || seal === null ? null : keyOf(key, seal.segment, ends);
  const isSealWrong = sealKey !== null && seal !== null && !isSameHex(exportMac(sealKey.key, bodyHash), seal.mac);
  const namesOthers = judge.records !== head.records || judge.head.seq !== head.last || head.first !== previous.seq + 1;
  const damage =
    fault !== null
      ? null
      : namesOthers
        ? 'its head names other records than it contains'
        : isSealWrong
          ? 'its seal was not made with this key'
          : null;
  const isSealChecked = sealKey !== null;
  const isBad = fault !== null || damage !== null;
  const unchecked = [
    ...(key !== null && !isOwn ? [WHOSE] : []),
    ...(judge.sealsCheckedFrom !== null || isSealChecked ? [] : [WHO]),
    ...(isSealChecked ? [] : [COMPLETE]),
  ];
  return {
    since: head.since,
    until: head.until,
    exportedAt: head.exportedAt,
    first: head.first,
    newest: head.newest,
    ok: isBad ? false : unchecked.length > 0 ? null : true,
    records: judge.records,
    head: judge.records === 0 ? '' : judge.head.hash,
    firstBad: fault,
    sealsCheckedFrom: judge.sealsCheckedFrom,
    completeFrom: previous.seq + 1,
    unchecked: isBad ? [] : unchecked,
    isSealChecked,
    damage,
  };
}

const textOrNull = z.string().nullable();
/** A record may have been made by anyone: it is shown only in an entry's form. */
const ENTRY = z.looseObject({
  seq: count,
  time: z.string(),
  kind: z.string(),
  actor: z.looseObject({ tokenId: textOrNull, surface: z.string() }),
  sessionId: textOrNull,
  action: textOrNull,
  decision: textOrNull,
  errorCode: textOrNull,
});

/** The records of an exported file after one number, whole or not: every line in a record's form. */
export function* exportedEntries(bytes: Bytes, after = 0): Generator<AuditEntry> {
  for (const line of linesOf(bytes, bytes.length)) {
    const parsed = line === null ? null : parseLine(line);
    if (parsed?.isIntact !== true || parsed.seq <= after) continue;
    // Not JSON: nothing that a host wrote.
    const entry = attempt(() => parsed.entry(), null);
    if (ENTRY.safeParse(entry).success && entry !== null) yield entry;
  }
}
