/** Rows of tokens, stored only by their hash. */
import type { DatabaseSync } from 'node:sqlite';
import { badInput } from '../../contract/errors.ts';
import type { TokenRecord } from '../records.ts';
import { fromJson, insertOnce, prepare, reader, text, textOrNull, toJson, type Row } from './rows.ts';

const fromRow = (row: Row): TokenRecord => ({
  tokenId: text(row.token_id),
  name: text(row.name),
  scope: row.scope === 'operator' || row.scope === 'viewer' ? row.scope : 'agent',
  hash: text(row.hash),
  limits: fromJson(row.limits),
  createdAt: text(row.created_at),
  expiresAt: textOrNull(row.expires_at),
  revokedAt: textOrNull(row.revoked_at),
});

export function tokenRepository(db: DatabaseSync) {
  const insert = prepare(
    db,
    'INSERT INTO tokens (token_id, name, scope, hash, limits, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const byId = prepare(db, 'SELECT * FROM tokens WHERE token_id = ?');
  const all = prepare(db, 'SELECT * FROM tokens ORDER BY created_at, token_id');
  const revoke = prepare(db, 'UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE token_id = ?');

  const forget = prepare(
    db,
    'DELETE FROM tokens WHERE (revoked_at IS NOT NULL OR expires_at <= ?) AND (token_id = ? OR name = ?)',
  );

  const { need } = reader(byId, fromRow, 'not_found', 'token');

  return {
    /** Takes the place of tokens with its id or name that have ended. Errors: state_conflict when id, name or hash exists. */
    add(token: TokenRecord): TokenRecord {
      // A caller that passes the token itself by mistake must not get it stored.
      if (!/^[0-9a-f]{64}$/.test(token.hash))
        throw badInput('A token is stored only as its SHA-256 in lower-case hex.');
      // The audit keeps what a token was that has ended; its id and name are free again.
      forget.run(token.createdAt, token.tokenId, token.name);
      insertOnce('A token with this id, name or value', () =>
        insert.run(
          token.tokenId,
          token.name,
          token.scope,
          token.hash,
          toJson(token.limits),
          token.createdAt,
          token.expiresAt,
          token.revokedAt,
        ),
      );
      return need(token.tokenId);
    },
    list: (): TokenRecord[] => all.all().map(fromRow),
    /** The first revocation's time remains. Errors: not_found. */
    revoke(tokenId: string, at: string): TokenRecord {
      need(tokenId);
      revoke.run(at, tokenId);
      return need(tokenId);
    },
  };
}
