/** Keeps JSON documents that an answer only names, by the hash of their bytes: next to the pictures, under the same rights and retention. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Seal } from '../base/seal.ts';
import type { DocumentArtifact } from '../contract/artifact.ts';
import { KeptFiles, type Retention, type Swept } from './kept-files.ts';
import { SPOOL_ROOT } from './spool.ts';

const CONTENT_HASH = /^[0-9a-f]{64}$/;
const MIB = 1024 * 1024;

/** A larger document than the quota is not kept. */
interface DocumentPolicy extends Retention {
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
  const files = new KeptFiles(join(options.dataDirectory, SPOOL_ROOT, 'documents'), options.seal);
  let policy: DocumentPolicy = { ...DEFAULT_DOCUMENT_POLICY, ...options.policy };
  /** Bytes of the documents in the folder; null before it is first read. */
  let total: number | null = null;

  const sweep = async (now = new Date(), room = 0): Promise<Swept> => {
    const swept = await files.sweep(now, policy, room);
    total = swept.bytesKept;
    return swept;
  };

  return {
    async put(json) {
      const bytes = Buffer.from(json);
      if (!policy.keep || bytes.byteLength > policy.quotaBytes) return null;
      const contentHash = sha256(bytes);
      if (total === null || total + bytes.byteLength > policy.quotaBytes) await sweep(new Date(), bytes.byteLength);
      await files.write(contentHash, bytes);
      total = (total ?? 0) + bytes.byteLength;
      return record(bytes, contentHash);
    },
    async read(contentHash) {
      // A caller's text becomes a path only if it is exactly 64 hex digits.
      if (!CONTENT_HASH.test(contentHash)) return null;
      const bytes = await files.read(contentHash);
      if (bytes === null || sha256(bytes) !== contentHash) return null;
      return { artifact: record(bytes, contentHash), bytes };
    },
    sweep: (now) => sweep(now),
    configure(changes) {
      policy = { ...policy, ...changes };
    },
  };
}
