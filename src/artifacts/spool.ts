/** Keeps tool outputs that are too large to send, so that a client can read them in parts. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ToolContent, WholeOutput } from '../contract/artifact.ts';
import { KeptFiles } from './kept-files.ts';
import type { ImageArtifactStore } from './types.ts';
import type { Seal } from '../base/seal.ts';
import { attempt } from '../contract/attempt.ts';

export const SPOOL_ROOT = join('.agent-runtime', 'spool');

/** Tool outputs up to this size are sent unchanged. */
export const SPOOL_THRESHOLD_BYTES = 64 * 1024;

const SPOOL_ID = /^out_[0-9a-f]{32}$/;
const DAY = 24 * 3_600_000;

export interface SpoolContext {
  readonly tool: string;
  readonly sessionId?: string;
  readonly actionId?: string;
  /** The output's owner: no other caller may read it. */
  readonly tokenId?: string;
  /** True if pictures are the answer itself (a screenshot): they stay inline and do not count against the threshold. */
  readonly keepImages?: boolean;
}

export interface SpooledOutput {
  /** What is sent. */
  readonly content: ToolContent[];
  /** Null if the output was sent in full. */
  readonly spoolId: string | null;
}

/** The content of a spool file. */
export type SpoolRecord = WholeOutput & { readonly tokenId?: string };

export interface ToolOutputSpool {
  /** Writes an output that is too large to a file and returns what remains to be sent. Never throws: an output that cannot be written is sent in full. */
  spool(content: readonly ToolContent[], context: SpoolContext): Promise<SpooledOutput>;
  /** The whole output; null for an unknown or malformed id. */
  read(spoolId: string): Promise<SpoolRecord | null>;
  /** Deletes expired outputs, and the oldest ones beyond the quota. */
  sweep(now?: Date): Promise<{ deleted: number; bytesFreed: number }>;
}

export interface ToolOutputSpoolOptions {
  /** The host's data directory; outputs go to `.agent-runtime/spool` in it. */
  readonly dataDirectory: string;
  readonly images: ImageArtifactStore;
  readonly thresholdBytes?: number;
  /** Default: a day with a seal, as answers are kept; a week without one. */
  readonly retentionMs?: number;
  /** Outputs are sealed on disk, and last as its key does. Without it they are plain JSON. */
  readonly seal?: Seal;
  readonly quotaBytes?: number;
  /** Phrases where to read the rest, for the line at a cut; default: only the file. */
  readonly whereToRead?: (spoolId: string) => string;
  /** Called when an output could not be written. */
  readonly onFailure?: (failure: { tool: string; message: string }) => void;
}

const sizeOf = (part: ToolContent): number =>
  part.type === 'text'
    ? Buffer.byteLength(part.text)
    : part.type === 'image'
      ? part.data.length
      : Buffer.byteLength(part.uri);

/** The longest prefix of a text that has at most `bytes` bytes and does not split a code point. */
function cutText(text: string, bytes: number): string {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return all.toString('utf8', 0, end);
}

/** Cuts the texts to the budget and marks the cut with a line. */
function cutContent(
  content: readonly ToolContent[],
  budget: number,
  notice: (cutBytes: number, totalBytes: number) => string,
): ToolContent[] {
  const totalBytes = content.reduce((sum, part) => sum + (part.type === 'text' ? sizeOf(part) : 0), 0);
  const cut: ToolContent[] = [];
  let left = budget;
  let noticeAt = -1;
  for (const part of content) {
    if (part.type !== 'text' || (noticeAt < 0 && sizeOf(part) <= left)) {
      cut.push(part);
      if (part.type === 'text') left -= sizeOf(part);
    } else if (noticeAt < 0) {
      const text = cutText(part.text, left);
      if (text !== '') cut.push({ type: 'text', text });
      left -= Buffer.byteLength(text);
      noticeAt = cut.length;
    }
  }
  if (noticeAt >= 0) cut.splice(noticeAt, 0, { type: 'text', text: notice(totalBytes - (budget - left), totalBytes) });
  return cut;
}

export function createToolOutputSpool(options: ToolOutputSpoolOptions): ToolOutputSpool {
  const { dataDirectory, images, onFailure, seal } = options;
  const threshold = options.thresholdBytes ?? SPOOL_THRESHOLD_BYTES;
  const retentionMs = options.retentionMs ?? (seal === undefined ? 7 * DAY : DAY);
  const quotaBytes = options.quotaBytes ?? 512 * 1024 * 1024;
  const files = new KeptFiles(join(dataDirectory, SPOOL_ROOT), seal);

  /** Stores a picture as a separate file; if that fails, it is reported as missing and the action continues. */
  const toReference = async (part: ToolContent, spoolId: string, context: SpoolContext): Promise<ToolContent> => {
    if (part.type !== 'image') return part;
    const { sessionId, actionId } = context;
    const stored = await images.put({
      data: part.data,
      mimeType: part.mimeType,
      sourceTool: context.tool,
      toolOutputSpoolId: spoolId,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(actionId === undefined ? {} : { actionId }),
    });
    if (stored.status === 'kept')
      return { type: 'resource', uri: stored.artifact.uri, mimeType: stored.artifact.mimeType };
    return {
      type: 'text',
      text:
        stored.status === 'not_kept'
          ? '[picture: keeping pictures is switched off]'
          : `[picture not kept: ${stored.quarantined.message}]`,
    };
  };

  const notice =
    (spoolId: string) =>
    (cutBytes: number, totalBytes: number): string =>
      `[cut: ${cutBytes} of ${totalBytes} bytes of text are left out here; ${placeOf(spoolId)}]`;

  const placeOf = (spoolId: string): string => {
    const where = options.whereToRead?.(spoolId);
    if (seal !== undefined)
      return `the whole output is kept for ${retentionMs / DAY === 1 ? 'a day' : `${retentionMs / DAY} days`}; ${where ?? ''}`;
    const file = `the whole output is in ${SPOOL_ROOT.replaceAll('\\', '/')}/${spoolId}.json of the data directory`;
    return where === undefined ? file : `${file}; ${where}`;
  };

  const write = async (content: readonly ToolContent[], context: SpoolContext): Promise<SpooledOutput> => {
    const spoolId = `out_${randomUUID().replaceAll('-', '')}`;
    const stored: ToolContent[] = [];
    for (const part of content) stored.push(await toReference(part, spoolId, context));
    const record: SpoolRecord = {
      spoolId,
      tool: context.tool,
      sessionId: context.sessionId ?? null,
      actionId: context.actionId ?? null,
      createdAt: new Date().toISOString(),
      content: stored,
      ...(context.tokenId === undefined ? {} : { tokenId: context.tokenId }),
    };
    await files.write(spoolId, Buffer.from(JSON.stringify(record)));
    return { content: cutContent(context.keepImages === true ? content : stored, threshold, notice(spoolId)), spoolId };
  };

  return {
    async spool(content, context) {
      const counted = content.filter((part) => !(context.keepImages === true && part.type === 'image'));
      if (counted.reduce((sum, part) => sum + sizeOf(part), 0) <= threshold)
        return { content: [...content], spoolId: null };
      try {
        return await write(content, context);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // The handler only reports; its own failure must not reach the action.
        attempt(() => onFailure?.({ tool: context.tool, message }), undefined);
        return { content: [...content], spoolId: null };
      }
    },
    async read(spoolId) {
      if (!SPOOL_ID.test(spoolId)) return null;
      const bytes = await files.read(spoolId);
      return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as SpoolRecord);
    },
    sweep: (now = new Date()) => files.sweep(now, { retentionMs, quotaBytes }),
  };
}
