/**
 * A part of the audit as one file that can be checked on its own, on any system. JSON Lines: a head that says what the part is and
 * how it joins the whole, the records as the log has them, and a closing line with a checksum of every byte before it and, where
 * the key was at hand, a seal. Records keep their own hashes and seals, so an earlier exported key checks them as in the whole log.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { GENESIS_END, isSameHex, parseLine, recordMac, sha256Hex, type ChainEnd, type ParsedLine } from './chain.ts';
import type { AuditCopy, CopyVerdict } from './copy.ts';
import { verifyCopy } from './copy.ts';
import type { AuditEntry, AuditReceipt } from './entry.ts';
import { LineSplitter, listLogFiles } from './files.ts';
import { ChainJudge } from './judge.ts';
import { nextKey, readKey, type SegmentKey } from './key.ts';

const FORMAT = 'uiahost audit export 1';
const CHUNK_BYTES = 256 * 1024;

/** Where a segment of the key ended: with an earlier key these give the keys of the later segments. */
interface SegmentEnd extends AuditReceipt {
  readonly segment: number;
}

interface Head {
  readonly format: string;
  readonly version: string;
  readonly exportedAt: string;
  readonly since: string | null;
  readonly until: string | null;
  /** Number of records in the file. */
  readonly records: number;
  readonly first: number;
  readonly last: number;
  /** The record before the first one. */
  readonly previous: ChainEnd;
  /** Ends of all segments before the one of the seal, from the first. */
  readonly segments: readonly SegmentEnd[];
  /** The newest record of the log at that time. */
  readonly newest: AuditReceipt;
  /** The verdict on the whole log at that time. */
  readonly verdict: CopyVerdict;
}

export interface ExportOptions {
  readonly since: Date | null;
  readonly until: Date | null;
  readonly version: string;
  readonly now?: Date;
}

export interface AuditExport {
  readonly content: Buffer;
  readonly records: number;
  readonly first: number;
  readonly last: number;
  /** On the whole log. */
  readonly verdict: CopyVerdict;
  readonly isSealed: boolean;
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
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

const exportMac = (key: KeyObject, checksum: string): string =>
  createHmac('sha256', key).update(`export:${checksum}`).digest('hex');

const endOf = ({ seq, hash, mac, segment }: ParsedLine): ChainEnd => ({ seq, hash, mac, segment });

/** Whether a time is in the range; lines that are not records belong to the part in which they are. */
const isBefore = (time: string, limit: Date | null): boolean => limit !== null && Date.parse(time) < limit.getTime();
const isAfter = (time: string, limit: Date | null): boolean => limit !== null && Date.parse(time) > limit.getTime();

/**
 * The records from the first at or after `since` to the last at or before `until`; null if there is none. A damaged log is exported
 * unchanged: the file then shows the same damage. Errors: those of the file system.
 */
export async function exportAudit(copy: AuditCopy, options: ExportOptions): Promise<AuditExport | null> {
  const verdict = await verifyCopy(copy);
  const key = readKey(copy.keyFile);
  const ends = new Map<number, SegmentEnd>();
  let newest: ChainEnd = GENESIS_END;
  let previous: ChainEnd = GENESIS_END;
  // Lines after the last one in the range are kept until another one in the range follows, or none does.
  const lines: Buffer[] = [];
  let waiting: Buffer[] = [];
  let [records, first, last] = [0, 0, 0];
  let [waitingRecords, hasBegun] = [0, false];
  // Records written together are exported together: each names the first of them.
  let together: { readonly flush: number; readonly lines: Buffer[] } = { flush: 0, lines: [] };
  for (const { name } of listLogFiles(copy.directory).files) {
    for await (const line of linesOf(join(copy.directory, name))) {
      const parsed = parseLine(line);
      if (parsed === null) {
        if (hasBegun) waiting.push(line);
        continue;
      }
      if (parsed.flush !== together.flush) {
        if (!hasBegun) previous = newest;
        together = { flush: parsed.flush, lines: [] };
      }
      if (!hasBegun && isBefore(parsed.time, options.since)) together.lines.push(line);
      else {
        if (!hasBegun) {
          waiting.push(...together.lines);
          waitingRecords += together.lines.length;
        }
        hasBegun = true;
        waiting.push(line);
        waitingRecords += 1;
        if (!isAfter(parsed.time, options.until) && !isBefore(parsed.time, options.since)) {
          lines.push(...waiting);
          records += waitingRecords;
          if (first === 0) first = previous.seq + 1;
          last = parsed.seq;
          waiting = [];
          waitingRecords = 0;
        }
      }
      newest = endOf(parsed);
      ends.set(parsed.segment, { segment: parsed.segment, seq: parsed.seq, hash: parsed.hash });
    }
  }
  if (records === 0) return null;
  // The key of a segment that the log has not reached, or has left, seals nothing that could be checked.
  const isUsable = key !== null && key.segment >= newest.segment && key.segment <= newest.segment + 1;
  const reached = isUsable ? key.segment : newest.segment;
  const head: Head = {
    format: FORMAT,
    version: options.version,
    exportedAt: (options.now ?? new Date()).toISOString(),
    since: options.since?.toISOString() ?? null,
    until: options.until?.toISOString() ?? null,
    records,
    first,
    last,
    previous,
    segments: [...ends.values()].filter(({ segment }) => segment < reached).sort((a, b) => a.segment - b.segment),
    newest: { seq: newest.seq, hash: newest.hash },
    verdict,
  };
  const newline = Buffer.from('\n');
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...lines.flatMap((line) => [line, newline])]);
  const seal = isUsable ? { segment: key.segment, mac: exportMac(key.key, sha256Hex(body)) } : null;
  const closing = Buffer.from(`{"seal":${JSON.stringify(seal)}`);
  const whole = Buffer.concat([body, closing]);
  const content = Buffer.concat([whole, Buffer.from(`,"sha256":"${sha256Hex(whole)}"}\n`)]);
  return { content, records, first, last, verdict, isSealed: seal !== null };
}

const CLOSING = /^\{"seal":(null|\{"segment":(\d{1,9}),"mac":"([0-9a-f]{64})"\}),"sha256":"([0-9a-f]{64})"\}\n$/;
const CHECKSUM_LENGTH = `,"sha256":""}\n`.length + 64;

export interface ExportVerdict extends CopyVerdict {
  readonly since: string | null;
  readonly until: string | null;
  readonly exportedAt: string | null;
  /** The newest record of the log when it was exported, to be compared with the event log. */
  readonly newest: AuditReceipt | null;
  /** Whether the seal of the whole export was checked: then no record was left out and none added since. */
  readonly isSealChecked: boolean;
  /** What is wrong with the file as a whole; null if its records are the problem, or nothing is. */
  readonly damage: string | null;
}

interface Parts {
  readonly head: Head;
  readonly records: readonly Buffer[];
  readonly bodyHash: string;
  readonly seal: { readonly segment: number; readonly mac: string } | null;
}

function isHead(value: unknown): value is Head {
  const head = value as Partial<Head> | null;
  return (
    typeof head === 'object' &&
    head !== null &&
    head.format === FORMAT &&
    typeof head.previous === 'object' &&
    Array.isArray(head.segments) &&
    Number.isSafeInteger(head.records)
  );
}

/** Takes the file apart; a text says why it cannot be. */
function partsOf(content: Buffer): Parts | string {
  const end = content.length - 1;
  const closingAt = content.lastIndexOf(0x0a, end - 1) + 1;
  const closing = CLOSING.exec(content.toString('latin1', closingAt));
  if (closing === null) return 'it has no closing line: it was cut off, or is not an export of the audit';
  const [, , segment, mac, checksum = ''] = closing;
  if (!isSameHex(sha256Hex(content.subarray(0, content.length - CHECKSUM_LENGTH)), checksum))
    return 'its checksum does not fit: bytes were changed, added or removed';
  const body = content.subarray(0, closingAt);
  const [first, ...records] = [...new LineSplitter().feed(body)].map(({ line }) => Buffer.from(line));
  try {
    const head: unknown = JSON.parse(first?.toString('utf8') ?? '');
    if (!isHead(head)) return 'its first line is not the head of an export';
    return {
      head,
      records,
      bodyHash: sha256Hex(body),
      seal: segment === undefined || mac === undefined ? null : { segment: Number(segment), mac },
    };
  } catch {
    return 'its first line is not the head of an export';
  }
}

/** The key of a segment, from an earlier one by the ends of the segments between; null if it cannot be derived. */
function keyOf(from: SegmentKey, segment: number, ends: readonly SegmentEnd[]): SegmentKey | null {
  let key = from;
  while (key.segment < segment) {
    const at = key.segment;
    const end = ends.find((each) => each.segment === at);
    if (end === undefined) return null;
    key = nextKey(key, end);
  }
  return key.segment === segment ? key : null;
}

const WHO =
  'whether the records were written by the host: anyone who can write the file can rebuild it, checksum included';
const COMPLETE = 'whether the export holds every record of its range';

/** Judges an exported file. `keyFile`: an exported key, or the key next to the log; null without any. */
export function verifyExport(content: Buffer, key: SegmentKey | null): ExportVerdict {
  const parts = partsOf(content);
  const nothing = { since: null, until: null, exportedAt: null, newest: null, isSealChecked: false };
  if (typeof parts === 'string')
    return {
      ...nothing,
      ok: false,
      records: 0,
      head: '',
      firstBad: null,
      sealsCheckedFrom: null,
      unchecked: [],
      damage: parts,
    };
  const { head, records, seal, bodyHash } = parts;
  const { previous, segments } = head;
  const facts = { since: head.since, until: head.until, exportedAt: head.exportedAt, newest: head.newest };
  // An earlier key is brought up to the segment before the first record; a later one checks from its own segment on.
  const start = key === null || key.segment >= previous.segment ? key : keyOf(key, previous.segment, segments);
  const judge = new ChainJudge(start, previous);
  let fault = null;
  if (start !== null && start.segment === previous.segment && previous.seq > 0) {
    if (!isSameHex(recordMac(start.key, previous.hash), previous.mac))
      fault = { seq: previous.seq, reason: 'key' as const };
  }
  for (const line of records) {
    fault ??= judge.take(line);
    if (fault !== null) break;
  }
  fault ??= judge.damage;
  let damage: string | null =
    fault === null && (judge.records !== head.records || judge.head.seq !== head.last)
      ? 'its head names other records than it contains'
      : null;
  const sealKey = key === null || seal === null ? null : keyOf(key, seal.segment, segments);
  const isSealChecked = sealKey !== null;
  if (fault === null && damage === null && sealKey !== null && seal !== null) {
    if (!isSameHex(exportMac(sealKey.key, bodyHash), seal.mac)) damage = 'its seal was not made with this key';
  }
  const isAnySealChecked = judge.sealsCheckedFrom !== null;
  const unchecked = [...(isAnySealChecked || isSealChecked ? [] : [WHO]), ...(isSealChecked ? [] : [COMPLETE])];
  const isBad = fault !== null || damage !== null;
  return {
    ...facts,
    ok: isBad ? false : unchecked.length > 0 ? null : true,
    records: judge.records,
    head: judge.records === 0 ? '' : judge.head.hash,
    firstBad: fault,
    sealsCheckedFrom: judge.sealsCheckedFrom,
    unchecked: isBad ? [] : unchecked,
    isSealChecked,
    damage,
  };
}

/** The records of an exported file, whole or not: every line in a record's form. */
export function exportedEntries(content: Buffer): AuditEntry[] {
  return [...new LineSplitter().feed(content)].flatMap(({ line }) => {
    const parsed = parseLine(line);
    return parsed?.isIntact === true ? [parsed.entry()] : [];
  });
}
