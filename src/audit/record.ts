/** Turns an entry into the JSON line of a record; large fields become their length and hash. */
import type { AuditEntryInput } from './entry.ts';
import { lineStart, sha256Hex, type ChainEnd } from './chain.ts';

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
