/** What a picture store needs of its records and reference counts, and a ledger in memory for use without a host. */
import type { ArtifactReference, ImageArtifact, StoredArtifact } from '../contract/artifact.ts';

/** Holds the records and reference counts of pictures. The store's `artifacts` is one. */
export interface ArtifactLedger {
  add(artifact: ImageArtifact, reference: ArtifactReference, storedAt: string): Promise<{ references: number }>;
  /** Drops one reference; at zero the record goes too. */
  release(reference: ArtifactReference): Promise<{ references: number }>;
  /** Drops all references of a session; at zero the record goes too. */
  releaseSession(contentHash: string, sessionId: string): Promise<{ references: number }>;
  get(contentHash: string): Promise<StoredArtifact | null>;
  usage(sessionId: string | null): Promise<{ totalBytes: number; sessionBytes: number }>;
  /** Oldest first, stored before `before` (null: whenever), of one session (null: of all). */
  oldest(query: { before: string | null; ofSession: string | null; limit: number }): Promise<StoredArtifact[]>;
  remove(contentHash: string): Promise<boolean>;
  hashes(): Promise<string[]>;
}

interface KeptPicture {
  readonly artifact: ImageArtifact;
  readonly storedAt: string;
  readonly references: Map<string, ArtifactReference>;
}

/** A ledger for programs that use the picture store without a host: it lives as long as the process. */
export function createMemoryLedger(): ArtifactLedger {
  const kept = new Map<string, KeptPicture>();
  const keyOf = ({ sessionId, actionId }: ArtifactReference): string => JSON.stringify([sessionId, actionId]);
  const isOf = (entry: KeptPicture, sessionId: string): boolean =>
    [...entry.references.values()].some((reference) => reference.sessionId === sessionId);
  const view = ({ artifact, storedAt, references }: KeptPicture): StoredArtifact => ({
    artifact,
    storedAt,
    references: references.size,
  });
  const bytes = (entries: Iterable<KeptPicture>): number =>
    [...entries].reduce((sum, { artifact }) => sum + artifact.byteSize, 0);

  const dropWhere = (contentHash: string, drops: (reference: ArtifactReference) => boolean): { references: number } => {
    const entry = kept.get(contentHash);
    if (entry === undefined) return { references: 0 };
    for (const [key, reference] of entry.references) if (drops(reference)) entry.references.delete(key);
    if (entry.references.size === 0) kept.delete(contentHash);
    return { references: entry.references.size };
  };

  return {
    async add(artifact, reference, storedAt) {
      const entry = kept.get(artifact.contentHash) ?? { artifact, storedAt, references: new Map() };
      kept.set(artifact.contentHash, entry);
      entry.references.set(keyOf(reference), reference);
      return { references: entry.references.size };
    },
    release: async (reference) => dropWhere(reference.contentHash, (other) => keyOf(other) === keyOf(reference)),
    releaseSession: async (contentHash, sessionId) => dropWhere(contentHash, (other) => other.sessionId === sessionId),
    async get(contentHash) {
      const entry = kept.get(contentHash);
      return entry === undefined ? null : view(entry);
    },
    usage: async (sessionId) => ({
      totalBytes: bytes(kept.values()),
      sessionBytes: sessionId === null ? 0 : bytes([...kept.values()].filter((entry) => isOf(entry, sessionId))),
    }),
    oldest: async ({ before, ofSession, limit }) =>
      [...kept.values()]
        .filter(
          (entry) => (before === null || entry.storedAt < before) && (ofSession === null || isOf(entry, ofSession)),
        )
        .sort((a, b) => (a.storedAt < b.storedAt ? -1 : 1))
        .slice(0, limit)
        .map(view),
    remove: async (contentHash) => kept.delete(contentHash),
    hashes: async () => [...kept.keys()],
  };
}
