/** Rows of artifacts and of the references that keep them. */
import type { DatabaseSync } from 'node:sqlite';
import type { ArtifactReference, ImageArtifact, StoredArtifact } from '../../contract/artifact.ts';
import { count, fromJson, prepare, text, toJson, type Row } from './rows.ts';

const fromRow = (row: Row): StoredArtifact => ({
  artifact: fromJson<ImageArtifact>(row.artifact),
  storedAt: text(row.stored_at),
  references: count(row.reference_count),
});

const WITH_COUNT = `SELECT a.*, (SELECT count(*) FROM artifact_references r WHERE r.content_hash = a.content_hash) AS reference_count FROM artifacts a`;

export function artifactRepository(db: DatabaseSync) {
  const insert = prepare(
    db,
    'INSERT INTO artifacts (content_hash, byte_size, artifact, stored_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const refer = prepare(
    db,
    'INSERT INTO artifact_references (content_hash, session_id, action_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const unrefer = prepare(
    db,
    'DELETE FROM artifact_references WHERE content_hash = ? AND session_id = ? AND action_id = ?',
  );
  const unreferSession = prepare(db, 'DELETE FROM artifact_references WHERE content_hash = ? AND session_id = ?');
  const references = prepare(db, 'SELECT count(*) AS n FROM artifact_references WHERE content_hash = ?');
  const drop = prepare(db, 'DELETE FROM artifacts WHERE content_hash = ?');
  const select = prepare(db, `${WITH_COUNT} WHERE a.content_hash = ?`);
  const total = prepare(db, 'SELECT coalesce(sum(byte_size), 0) AS n FROM artifacts');
  const sessionTotal = prepare(
    db,
    `SELECT coalesce(sum(byte_size), 0) AS n FROM artifacts
    WHERE content_hash IN (SELECT content_hash FROM artifact_references WHERE session_id = ?)`,
  );
  const old = prepare(
    db,
    `${WITH_COUNT} WHERE (?1 IS NULL OR a.stored_at < ?1)
    AND (?2 IS NULL OR a.content_hash IN (SELECT content_hash FROM artifact_references WHERE session_id = ?2))
    ORDER BY a.stored_at, a.content_hash LIMIT ?3`,
  );
  const all = prepare(db, 'SELECT content_hash FROM artifacts');

  const referenceCount = (contentHash: string): number => count(references.get(contentHash)?.n);
  const dropUnreferenced = (contentHash: string): { references: number } => {
    const left = referenceCount(contentHash);
    if (left === 0) drop.run(contentHash);
    return { references: left };
  };

  return {
    /** Records a picture and one reference to it; the same reference twice counts once. */
    add(artifact: ImageArtifact, reference: ArtifactReference, storedAt: string): { references: number } {
      insert.run(artifact.contentHash, artifact.byteSize, toJson(artifact), storedAt);
      refer.run(artifact.contentHash, reference.sessionId, reference.actionId);
      return { references: referenceCount(artifact.contentHash) };
    },
    /** Drops one reference. At zero the record goes too, and the caller deletes the file. */
    release({ contentHash, sessionId, actionId }: ArtifactReference): { references: number } {
      unrefer.run(contentHash, sessionId, actionId);
      return dropUnreferenced(contentHash);
    },
    /** Drops all references of a session; at zero the record goes too. */
    releaseSession(contentHash: string, sessionId: string): { references: number } {
      unreferSession.run(contentHash, sessionId);
      return dropUnreferenced(contentHash);
    },
    get(contentHash: string): StoredArtifact | null {
      const row = select.get(contentHash);
      return row === null ? null : fromRow(row);
    },
    /** Bytes of all pictures, and of the pictures that the session refers to. */
    usage: (sessionId: string | null): { totalBytes: number; sessionBytes: number } => ({
      totalBytes: count(total.get()?.n),
      sessionBytes: sessionId === null ? 0 : count(sessionTotal.get(sessionId)?.n),
    }),
    /** Oldest first, stored before `before` (null: whenever), of one session (null: of all). */
    oldest: ({
      before,
      ofSession,
      limit,
    }: {
      before: string | null;
      ofSession: string | null;
      limit: number;
    }): StoredArtifact[] => old.all(before, ofSession, limit).map(fromRow),
    /** Drops the record with all its references. */
    remove: (contentHash: string): boolean => drop.run(contentHash) > 0,
    hashes: (): string[] => all.all().map((row) => text(row.content_hash)),
  };
}
