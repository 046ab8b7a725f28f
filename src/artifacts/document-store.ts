/** Keeps JSON documents that an answer only names, by the hash of their bytes: next to the pictures, under the same rights and retention. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, TEMPORARY_PREFIX, writeDurably } from '../base/durable-file.ts';
import type { Seal } from '../base/seal.ts';
import type { DocumentArtifact } from '../contract/artifact.ts';
import { SPOOL_ROOT } from './spool.ts';

const CONTENT_HASH = /^[0-9a-f]{64}$/;
const FILE_NAME = /^[0-9a-f]{64}\.(?:json|sealed)$/;
const MIB = 1024 * 1024;

interface DocumentPolicy {
  /** A document is deleted at this age. */
  readonly retentionMs: number;
  /** Beyond it the oldest documents are deleted; a larger document is not kept. */
  readonly quotaBytes: number;
  /** False: nothing is kept. */
  readonly keep: boolean;
}

/** A day, like the answers that name them. */
const DEFAULT_DOCUMENT_POLICY: DocumentPolicy = {
  retentionMs: 24 * 3_600_000,
  quotaBytes: 512 * MIB,
  keep: true,
};

export interface DocumentStore {
  /** Null if documents are not kept, or this one is too large. `json`: its text. Errors: those of the file system. */
  put(json: string): Promise<DocumentArtifact | null>;
  /** Record and bytes; null if unknown, or if the bytes no longer have this hash. */
  read(contentHash: string): Promise<{ artifact: DocumentArtifact; bytes: Uint8Array } | null>;
  /** Deletes expired documents, and the oldest beyond the quota. */
  sweep(now?: Date): Promise<{ deleted: number; bytesFreed: number }>;
  configure(policy: Partial<DocumentPolicy>): void;
}

export interface DocumentStoreOptions {
  /** The host's data directory; documents go to `.agent-runtime/spool/documents` in it. */
  readonly dataDirectory: string;
  readonly policy?: Partial<DocumentPolicy>;
  /** Documents are sealed on disk and end with this process; their files’ names reveal nothing of them. */
  readonly seal: Seal;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const record = (bytes: Uint8Array, contentHash: string): DocumentArtifact => ({
  uri: `artifact://${contentHash}`,
  mimeType: 'application/json',
  byteSize: bytes.byteLength,
  contentHash,
});

export function createDocumentStore(options: DocumentStoreOptions): DocumentStore {
  const root = join(options.dataDirectory, SPOOL_ROOT, 'documents');
  let policy: DocumentPolicy = { ...DEFAULT_DOCUMENT_POLICY, ...options.policy };
  /** Bytes in the folder; null before it is first read. */
  let total: number | null = null;
  const nameOf = (contentHash: string): string => `${options.seal.nameOf(contentHash)}.sealed`;
  /** What this process has sealed: everything else that is sealed can no longer be read. */
  const own = new Set<string>();

  /** Null if there is none. Plain documents are those of earlier versions. */
  const bytesOf = async (contentHash: string): Promise<Buffer | null> => {
    const sealed = await readFile(join(root, nameOf(contentHash))).catch(() => null);
    if (sealed !== null) return options.seal.open(sealed);
    return readFile(join(root, `${contentHash}.json`)).catch(() => null);
  };

  /** Newest first. */
  const files = async (): Promise<Array<{ name: string; size: number; time: number }>> => {
    const found: Array<{ name: string; size: number; time: number }> = [];
    for (const name of await readdir(root).catch(() => [])) {
      if (!FILE_NAME.test(name) && !name.startsWith(TEMPORARY_PREFIX)) continue;
      const facts = await stat(join(root, name)).catch(() => null);
      if (facts !== null) found.push({ name, size: facts.size, time: facts.mtimeMs });
    }
    return found.sort((a, b) => b.time - a.time);
  };

  const sweep = async (now = new Date(), room = 0): Promise<{ deleted: number; bytesFreed: number }> => {
    let deleted = 0;
    let bytesFreed = 0;
    let kept = room;
    let present = 0;
    for (const { name, size, time } of await files()) {
      kept += size;
      present += size;
      const isLost = name.endsWith('.sealed') && !own.has(name);
      if (!isLost && time >= now.getTime() - policy.retentionMs && kept <= policy.quotaBytes) continue;
      own.delete(name);
      if (await removeFile(join(root, name))) deleted += 1;
      bytesFreed += size;
    }
    total = present - bytesFreed;
    return { deleted, bytesFreed };
  };

  return {
    async put(json) {
      const bytes = Buffer.from(json);
      const sealed = options.seal.close(bytes);
      if (!policy.keep || sealed.byteLength > policy.quotaBytes) return null;
      const contentHash = sha256(bytes);
      if (total === null || total + sealed.byteLength > policy.quotaBytes) await sweep(new Date(), sealed.byteLength);
      own.add(nameOf(contentHash));
      await writeDurably(join(root, nameOf(contentHash)), sealed);
      total = (total ?? 0) + sealed.byteLength;
      return record(bytes, contentHash);
    },
    async read(contentHash) {
      // A caller's text becomes a path only if it is exactly 64 hex digits.
      if (!CONTENT_HASH.test(contentHash)) return null;
      const bytes = await bytesOf(contentHash);
      if (bytes === null || sha256(bytes) !== contentHash) return null;
      return { artifact: record(bytes, contentHash), bytes };
    },
    sweep: (now) => sweep(now),
    configure(changes) {
      policy = { ...policy, ...changes };
    },
  };
}
