/**
 * A part of the audit as one file that can be checked on its own, on any system. JSON Lines: a head that says what the part is and
 * how it joins the whole, the records as the log has them, and a closing line with a checksum of every byte before it and, where
 * the key was at hand, a seal. Records keep their own hashes and seals, so an earlier exported key checks them as in the whole log.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { parseLine, sha256Hex, type ChainEnd, type ParsedLine } from './chain.ts';
import type { AuditCopy, CopyVerdict } from './copy.ts';
import { verifyCopy } from './copy.ts';
import { startOfLog } from './cut.ts';
import type { AuditReceipt } from './entry.ts';
import { linesOf, listLogFiles } from './files.ts';
import { readKey } from './key.ts';

export const FORMAT = 'uiahost audit export 1';

/** Where a segment of the key ended: with an earlier key these give the keys of the later segments. */
export interface SegmentEnd extends AuditReceipt {
  readonly segment: number;
}

interface ExportHead {
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

export const exportMac = (key: KeyObject, checksum: string): string =>
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
  const { files } = listLogFiles(copy.directory);
  let newest: ChainEnd = startOfLog(copy.directory, files);
  let previous: ChainEnd = newest;
  // Lines after the last one in the range are kept until another one in the range follows, or none does.
  const lines: Buffer[] = [];
  let waiting: Buffer[] = [];
  let [records, first, last] = [0, 0, 0];
  let [waitingRecords, hasBegun] = [0, false];
  // Records written together are exported together: each names the first of them.
  let together: { readonly flush: number; readonly lines: Buffer[] } = { flush: 0, lines: [] };
  for (const { name } of files) {
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
  const head: ExportHead = {
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
