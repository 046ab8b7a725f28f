/** Rows of idempotency keys: the answer that a repeated request gets again. */
import type { DatabaseSync } from 'node:sqlite';
import { fromJson, prepare, text, toJson } from './rows.ts';
import type { IdempotencyRepository } from './types.ts';

export function idempotencyRepository(db: DatabaseSync): IdempotencyRepository {
  const select = prepare(db, 'SELECT * FROM idempotency WHERE token_id = ? AND key = ?');
  const insert = prepare(
    db,
    "INSERT INTO idempotency (token_id, key, body_hash, action_id, status, created_at) VALUES (?, ?, ?, ?, 'running', ?)",
  );
  const write = prepare(
    db,
    "UPDATE idempotency SET status = 'done', response = ? WHERE token_id = ? AND key = ? AND status = 'running'",
  );
  const drop = prepare(db, "DELETE FROM idempotency WHERE token_id = ? AND key = ? AND status = 'running'");

  return {
    begin(request) {
      const row = select.get(request.tokenId, request.key);
      if (row === null) {
        insert.run(request.tokenId, request.key, request.bodyHash, request.actionId, request.at);
        return { kind: 'new' };
      }
      if (row.body_hash !== request.bodyHash) return { kind: 'mismatch' };
      const actionId = text(row.action_id);
      if (row.status === 'done') return { kind: 'replay', actionId, response: fromJson(row.response) };
      return { kind: row.status === 'running' ? 'running' : 'interrupted', actionId };
    },
    finish(tokenId, key, response) {
      write.run(toJson(response), tokenId, key);
    },
    abandon(tokenId, key) {
      drop.run(tokenId, key);
    },
  };
}
