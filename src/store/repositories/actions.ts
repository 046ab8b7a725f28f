/** Rows of actions and of idempotency keys: what was requested, its result, and what a repeated request gets again. */
import type { DatabaseSync } from 'node:sqlite';
import type { ActionDelivery, ActionStatus } from '../../contract/gate/session-status.ts';
import type { ActionPatch, ActionRecord, IdempotencyAnswer, IdempotencyRequest, NewAction } from '../records.ts';
import { fromJson, insertOnce, prepare, reader, text, textOrNull, toJson, type Row } from './rows.ts';

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

export function actionRepository(db: DatabaseSync) {
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

  const { get, need } = reader(select, fromRow, 'action_not_found', 'action');

  return {
    /** Errors: state_conflict when the id exists. */
    create({ actionId, tokenId, sessionId, action, status, approvalId = null, createdAt }: NewAction): void {
      insertOnce('An action with this id', () => {
        insert.run(actionId, tokenId, sessionId, action, status, approvalId, createdAt, createdAt);
      });
    },
    get,
    /** A finished action does not change again (`changed` false). Errors: action_not_found. */
    update(actionId: string, patch: ActionPatch): { changed: boolean } {
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

export function idempotencyRepository(db: DatabaseSync) {
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
    begin(request: IdempotencyRequest): IdempotencyAnswer {
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
    /** Keeps the first answer. */
    finish(tokenId: string, key: string, response: unknown): void {
      write.run(toJson(response), tokenId, key);
    },
    /** Forgets a request that was not run, so that it can be sent again. */
    abandon(tokenId: string, key: string): void {
      drop.run(tokenId, key);
    },
  };
}
