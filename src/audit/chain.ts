/** The hash chain of the audit: how a record’s hash and seal follow from the record before it and from the segment’s key; and a record as a line. */
import { createHmac, hash as digest, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { AuditEntry, AuditEntryInput, AuditReceipt } from './entry.ts';

/**
 * The form of a record in the log: one line of JSON that ends in `hash` and `mac`. The hash covers the bytes
 * before them, so every byte of a line counts, blanks included, and anyone can check the chain with only sha256.
 */

export const GENESIS_HASH = '0'.repeat(64);
const MAC_LENGTH = 32;
const GENESIS_MAC = '0'.repeat(MAC_LENGTH);
const SUFFIX = /^,"hash":"([0-9a-f]{64})","mac":"([0-9a-f]{32})"\}$/;
const SUFFIX_LENGTH = `,"hash":"","mac":""}`.length + GENESIS_HASH.length + MAC_LENGTH;

export const sha256Hex = (data: string | Uint8Array): string => digest('sha256', data, 'hex');

/** Ties a hash to the log's key, so that no record can be added at the end without the key. */
export const recordMac = (key: KeyObject, hash: string): string =>
  createHmac('sha256', key).update(`record:${hash}`).digest('hex').slice(0, MAC_LENGTH);

export const checkpointMac = (key: KeyObject, content: string): string =>
  createHmac('sha256', key).update(`checkpoint:${content}`).digest('hex');

export const isSameHex = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Body of a record, `previous` included, as JSON → its line without the line feed. */
export function sealLine(body: string, key: KeyObject): { line: string; hash: string; mac: string } {
  const hash = sha256Hex(body);
  const mac = recordMac(key, hash);
  return { line: `${body.slice(0, -1)},"hash":"${hash}","mac":"${mac}"}`, hash, mac };
}

/** The record that the next one follows. */
export interface ChainEnd extends AuditReceipt {
  readonly mac: string;
  readonly segment: number;
}

export const GENESIS_END: ChainEnd = { seq: 0, hash: GENESIS_HASH, mac: GENESIS_MAC, segment: 0 };

export interface ParsedLine {
  readonly seq: number;
  readonly flush: number;
  readonly previous: string;
  readonly time: string;
  /** The segment whose key sealed it. */
  readonly segment: number;
  /** The seal of the record before, so that it can be checked without that record's key; null in segment 0. */
  readonly previousMac: string | null;
  readonly hash: string;
  readonly mac: string;
  /** False if `hash` is not the hash of what precedes it. */
  readonly isIntact: boolean;
  /** The whole record. Verification parses only few of them. Errors: SyntaxError. */
  entry(): AuditEntry;
}

const HEAD =
  /^\{"seq":([0-9]{1,15}),"flush":([0-9]{1,15}),"previous":"([0-9a-f]{64})","time":"([0-9T:.Z-]{24})",(?:"segment":([0-9]{1,9}),"previousMac":"([0-9a-f]{32})",)?/;
const HEAD_LENGTH = 288;
const CLOSING_BRACE = Buffer.from('}');

/** A line without its line feed → its place in the chain, or null if it does not have a record's form. */
export function parseLine(line: Uint8Array): ParsedLine | null {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const bodyEnd = bytes.length - SUFFIX_LENGTH;
  if (bodyEnd < 1) return null;
  const [, seq, flush, previous, time, segment = '0', previousMac = null] =
    HEAD.exec(bytes.toString('latin1', 0, Math.min(HEAD_LENGTH, bodyEnd))) ?? [];
  const [, hash, mac] = SUFFIX.exec(bytes.toString('latin1', bodyEnd)) ?? [];
  if (
    seq === undefined ||
    flush === undefined ||
    previous === undefined ||
    time === undefined ||
    hash === undefined ||
    mac === undefined
  )
    return null;
  const body = Buffer.concat([bytes.subarray(0, bodyEnd), CLOSING_BRACE]);
  return {
    seq: Number(seq),
    flush: Number(flush),
    previous,
    time,
    segment: Number(segment),
    previousMac,
    hash,
    mac,
    isIntact: sha256Hex(body) === hash,
    entry: () => ({ ...(JSON.parse(body.toString('utf8')) as Omit<AuditEntry, 'hash' | 'mac'>), hash, mac }),
  };
}

/** How the record that follows (seq, previous) must begin. Unfinished bytes at the end of a log are an interrupted write only if they begin like this. */
export const lineStart = (seq: number, flush: number, previous: string): string =>
  `{"seq":${seq},"flush":${flush},"previous":"${previous}",`;

/** A larger record is written with its large fields as length and hash, so that no caller can fill the disk with one request. */
const MAX_BODY_BYTES = 32 * 1024;

interface Position {
  readonly seq: number;
  readonly flush: number;
  readonly previous: ChainEnd;
  readonly time: string;
  readonly segment: number;
}

const summed = (value: unknown): { bytes: number; sha256: string } => {
  const json = JSON.stringify(value ?? null);
  return { bytes: Buffer.byteLength(json), sha256: sha256Hex(json) };
};

/** Copies only the known fields of an entry: anything a caller adds by mistake never reaches the disk. */
function fields(entry: AuditEntryInput): Record<string, unknown> {
  return {
    kind: entry.kind,
    actor: { tokenId: entry.actor.tokenId, surface: entry.actor.surface },
    sessionId: entry.sessionId ?? null,
    actionId: entry.actionId ?? null,
    action: entry.action ?? null,
    decision: entry.decision ?? null,
    riskLevel: entry.riskLevel ?? null,
    riskTags: entry.riskTags ?? [],
    why: entry.why ?? [],
    outcome: entry.outcome ?? null,
    errorCode: entry.errorCode ?? null,
    text: entry.text ? { length: entry.text.length, hmac: entry.text.hmac } : null,
    input: entry.input ?? null,
    digest: entry.digest ?? null,
    artifacts: entry.artifacts ?? [],
    details: entry.details ?? {},
  };
}

/** The JSON of a record without `hash` and `mac`. */
export function recordBody(entry: AuditEntryInput, position: Position): string {
  const { seq, flush, previous, time, segment } = position;
  const sealing = segment === 0 ? '' : `"segment":${segment},"previousMac":"${previous.mac}",`;
  const start = `${lineStart(seq, flush, previous.hash)}"time":${JSON.stringify(time)},${sealing}`;
  const all = fields(entry);
  const json = JSON.stringify(all).slice(1);
  if (Buffer.byteLength(json) <= MAX_BODY_BYTES) return start + json;
  const reduced = {
    ...all,
    input: summed(all.input),
    outcome: summed(all.outcome),
    details: summed(all.details),
    why: summed(all.why),
    artifacts: entry.artifacts?.slice(0, 64) ?? [],
    riskTags: entry.riskTags?.slice(0, 64) ?? [],
  };
  return start + JSON.stringify(reduced).slice(1);
}
