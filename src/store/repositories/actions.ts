/** Rows of actions and of idempotency keys: what was requested, its result, and what a repeated request gets again. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../../contract/errors.ts';
import type { ActionDelivery, ActionStatus } from '../../contract/gate/session-status.ts';
import type { ActionPatch, ActionRecord } from '../records.ts';
import { fromJson, insertOnce, prepare, text, textOrNull, toJson, type Row } from './rows.ts';
import type { ActionRepository, IdempotencyRepository } from './types.ts';

const fromRow = (row: Row): ActionRecord => ({
  actionId: text(row.action_id),
  tokenId: text(row.token_id),
  sessionId: text(row.session_id),
  action: text(row.action),
  status: text(row.status) as ActionStatus,
  delivery: text(row.delivery) as ActionDelivery,
  approvalId: textOrNull(row.approval_id),
  result: row.result === null ? null : fromJson(row.result),
  error: row.error === null ? null : fromJson(row.error),
  createdAt: text(row.created_at),
  updatedAt: text(row.updated_at),
});

const resultOf = ({ result }: ActionPatch): string | null => (result === undefined ? null : toJson(result));
const errorOf = ({ error }: ActionPatch): string | null =>
  error === undefined || error === null ? null : toJson(error);

export function actionRepository(db: DatabaseSync): ActionRepository {
  const insert = prepare(
    db,
    `INSERT INTO actions (action_id, token_id, session_id, action, status, approval_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = prepare(db, 'SELECT * FROM actions WHERE action_id = ?');
  const write = prepare(
    db,
    `UPDATE actions
    SET status = ?1, delivery = CASE WHEN ?1 IN ('pending', 'running') THEN coalesce(?2, delivery) ELSE 'done' END,
    approval_id = coalesce(?, approval_id), result = ?, error = ?, updated_at = ?
    WHERE action_id = ? AND status IN ('pending', 'running')`,
  );

  const get = (actionId: string): ActionRecord | null => {
    const row = select.get(actionId);
    return row === null ? null : fromRow(row);
  };
  const need = (actionId: string): ActionRecord => {
    const action = get(actionId);
    if (action === null) throw new UiaHostError('action_not_found', 'The store has no action with this id.');
    return action;
  };

  return {
    create({ actionId, tokenId, sessionId, action, status, approvalId = null, createdAt }) {
      insertOnce('An action with this id', () => {
        insert.run(actionId, tokenId, sessionId, action, status, approvalId, createdAt, createdAt);
      });
    },
    get,
    update(actionId, patch) {
      const changed =
        write.run(
          patch.status,
          patch.delivery ?? null,
          patch.approvalId ?? null,
          resultOf(patch),
          errorOf(patch),
          patch.updatedAt,
          actionId,
        ) === 1;
      // Only updates that changed nothing need to be distinguished; reading the row back would cost more than writing
      // it.
      if (!changed) need(actionId);
      return { changed };
    },
  };
}

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
