/**
 * Records end: whole files at the beginning of the log are deleted once the log has a sealed record of each, which says what was
 * cut and the hash that it ended with. So what remains can still be verified, and says from where it is complete.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { GENESIS_END, parseLine, type ChainEnd } from './chain.ts';
import type { AuditEntryInput } from './entry.ts';
import { LineSplitter, type LogFile } from './files.ts';
import { ChainJudge, CUT_ACTION, type Fault } from './chain-judge.ts';
import { ifThere } from '../base/durable-file.ts';

/** Records are far shorter than this (see MAX_BODY_BYTES). */
const LONGEST_LINE = 256 * 1024;

function firstLine(path: string): Buffer | null {
  const file = ifThere(() => openSync(path, 'r'));
  if (file === null) return null;
  try {
    const part = Buffer.alloc(LONGEST_LINE);
    const data = part.subarray(0, readSync(file, part, 0, part.length, 0));
    const end = data.indexOf(0x0a);
    return end === -1 ? null : data.subarray(0, end);
  } finally {
    closeSync(file);
  }
}

/** What the first record of a file says about the record before it; null if it is not a record in its place. */
function endBefore(directory: string, { name, firstSeq }: LogFile): ChainEnd | null {
  const line = firstLine(join(directory, name));
  const parsed = line === null ? null : parseLine(line);
  if (parsed?.isIntact !== true || parsed.seq !== firstSeq) return null;
  const { previous, previousMac, segment } = parsed;
  return { seq: firstSeq - 1, hash: previous, mac: previousMac ?? GENESIS_END.mac, segment };
}

/** Where a log begins that was cut, on the word of its first record alone: a later record must confirm it. The beginning of all for another log. */
export function startOfLog(directory: string, files: readonly LogFile[]): ChainEnd {
  const [first] = files;
  return first === undefined || first.firstSeq === 1 ? GENESIS_END : (endBefore(directory, first) ?? GENESIS_END);
}

/** What a record of a cut says. */
interface Cut {
  readonly file: string;
  readonly first: number;
  /** The last record that was cut, and its hash. */
  readonly last: number;
  readonly hash: string;
  /** What was wrong with the log up to there: a cut hides no damage. */
  readonly damage: Fault | null;
}

/**
 * The record for cutting the first file of a log. Null if the file after it does not say how it joins: then nothing is cut.
 */
export function describeCut(
  directory: string,
  [file, next]: readonly [LogFile, LogFile],
  days: number,
): AuditEntryInput | null {
  const end = endBefore(directory, next);
  if (end === null) return null;
  const judge = new ChainJudge(null, startOfLog(directory, [file]));
  let damage: Fault | null = null;
  const splitter = new LineSplitter();
  for (const { line } of splitter.feed(readFileSync(join(directory, file.name))))
    if ((damage = judge.take(line)) !== null) break;
  if (damage === null && (judge.head.hash !== end.hash || splitter.rest.length > 0))
    damage = { seq: judge.nextSeq, reason: 'truncated' };
  const cut: Cut = {
    file: file.name,
    first: file.firstSeq,
    last: end.seq,
    hash: end.hash,
    damage: damage ?? judge.damage,
  };
  return {
    kind: 'audit',
    actor: { tokenId: null, surface: 'host' },
    action: CUT_ACTION,
    why: [`The policy keeps the audit for ${days} days. Records up to ${end.seq} were deleted.`],
    details: { ...cut, days },
  };
}
