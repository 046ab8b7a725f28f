/** Reads a tool's output from the spool, completely or in parts, for the token that made the call. */
import { SPOOL_THRESHOLD_BYTES, type ToolOutputSpool } from '../../artifacts/spool.ts';
import type { ToolContent, WholeOutput } from '../../contract/artifact.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Caller } from './caller.ts';

/** How a truncated answer names where the rest is. */
export function whereToRead(spoolId: string): string {
  return `it is read by the MCP resource spool://${spoolId}?from=${SPOOL_THRESHOLD_BYTES}, GET /v1/spool/${spoolId}, or uiahost spool ${spoolId}`;
}

/** Errors: artifact_not_found for an unknown id and for another token's output. */
export async function readSpooled(spool: ToolOutputSpool, caller: Caller, spoolId: string): Promise<WholeOutput> {
  const record = await spool.read(spoolId);
  if (record === null || (caller.scope !== 'operator' && record.tokenId !== caller.tokenId)) {
    throw new UiaHostError(
      'artifact_not_found',
      `This token has no stored output ${JSON.stringify(spoolId.slice(0, 80))}.`,
      { hint: 'It may be past its retention; call the tool again and ask for less.' },
    );
  }
  const { tokenId: _tokenId, ...view } = record;
  return view;
}

const URI = /^spool:\/\/(out_[0-9a-f]{32})(?:\?from=(\d{1,12}))?$/;

/** The id and the first byte from a resource's URI; null for any other URI. */
export function parseSpoolUri(uri: string): { readonly spoolId: string; readonly from: number } | null {
  const [, spoolId, from = '0'] = URI.exec(uri) ?? [];
  return spoolId === undefined ? null : { spoolId, from: Number(from) };
}

/** The texts from a byte on, at most `most` bytes of them. `next` is the byte to continue from, null at the end. No code point is split. */
export function partOfTexts(
  content: readonly ToolContent[],
  from: number,
  most: number = SPOOL_THRESHOLD_BYTES,
): { readonly texts: string[]; readonly next: number | null } {
  const texts: string[] = [];
  let begin = 0;
  let left = most;
  for (const part of content) {
    if (part.type !== 'text') continue;
    const bytes = Buffer.from(part.text);
    const first = onCharacter(bytes, Math.max(0, from - begin));
    if (first < bytes.length) {
      const last = onCharacter(bytes, Math.min(bytes.length, first + left));
      if (last > first) texts.push(bytes.toString('utf8', first, last));
      if (last < bytes.length) return { texts, next: begin + last };
      left -= last - first;
    }
    begin += bytes.length;
  }
  return { texts, next: null };
}

/** The position itself, or the beginning of the character that contains it. */
function onCharacter(bytes: Buffer, place: number): number {
  let at = Math.min(place, bytes.length);
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
