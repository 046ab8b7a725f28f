/** Rows of grants: which application a session may use, and how far. */
import type { DatabaseSync } from 'node:sqlite';
import type { GrantRecord } from '../records.ts';
import { fromJson, insertOnce, prepare, textOrNull, toJson, type Row } from './rows.ts';
import type { GrantRepository } from './types.ts';

const fromRow = (row: Row): GrantRecord => ({
  ...fromJson<GrantRecord>(row.grant_json),
  revokedAt: textOrNull(row.revoked_at),
});

export function grantRepository(db: DatabaseSync): GrantRepository {
  const insert = prepare(
    db,
    'INSERT INTO grants (grant_id, owner, grant_json, until, revoked_at) VALUES (?, ?, ?, ?, ?)',
  );
  const active = prepare(
    db,
    'SELECT * FROM grants WHERE (?1 IS NULL OR owner = ?1) AND revoked_at IS NULL AND (until IS NULL OR until > ?2) ORDER BY grant_id',
  );
  const revoke = prepare(db, 'UPDATE grants SET revoked_at = ? WHERE grant_id = ? AND revoked_at IS NULL');
  const revokeOwner = prepare(db, 'UPDATE grants SET revoked_at = ? WHERE owner = ? AND revoked_at IS NULL');

  return {
    add(grant) {
      insertOnce('A grant with this id', () =>
        insert.run(grant.grantId, grant.owner, toJson(grant), grant.until, grant.revokedAt),
      );
      return grant;
    },
    active: (owner, now) => active.all(owner, now).map(fromRow),
    allActive: (now) => active.all(null, now).map(fromRow),
    revoke: (grantId, at) => revoke.run(at, grantId) === 1,
    revokeOwner: (owner, at) => revokeOwner.run(at, owner),
  };
}
