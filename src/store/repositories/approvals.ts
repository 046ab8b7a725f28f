/** Rows of approvals: the cards and how each was decided. */
import type { DatabaseSync } from 'node:sqlite';
import type { ApprovalCard, ApprovalScope } from '../../contract/gate/approval.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ApprovalRecord } from '../records.ts';
import { fromJson, insertOnce, pageSize, parseCursor, prepare, text, textOrNull, toJson, type Row } from './rows.ts';
import type { ApprovalRepository } from './types.ts';

const DEFAULT_PAGE = 100;

const approvalOf = (row: Row): ApprovalRecord => ({
  // Cards of earlier versions have no page and no owner.
  card: { page: null, owner: null, ...fromJson<Omit<ApprovalCard, 'page' | 'owner'>>(row.card) },
  tokenId: text(row.token_id),
  scope: textOrNull(row.scope) as ApprovalScope | null,
  decidedAt: textOrNull(row.decided_at),
});

export function approvalRepository(db: DatabaseSync): ApprovalRepository {
  const insert = prepare(
    db,
    'INSERT INTO approvals (approval_id, action_id, session_id, token_id, status, card) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const select = prepare(db, 'SELECT * FROM approvals WHERE approval_id = ?');
  const ofAction = prepare(db, 'SELECT * FROM approvals WHERE action_id = ? ORDER BY ordinal');
  const page = prepare(
    db,
    `SELECT * FROM approvals
    WHERE ordinal < ?1 AND (?2 = 'all' OR status = 'pending') ORDER BY ordinal DESC LIMIT ?3`,
  );
  const decide = prepare(
    db,
    "UPDATE approvals SET status = ?, card = ?, scope = ?, decided_at = ? WHERE approval_id = ? AND status IN ('pending', 'approved')",
  );

  const get = (approvalId: string): ApprovalRecord | null => {
    const row = select.get(approvalId);
    return row === null ? null : approvalOf(row);
  };
  const need = (approvalId: string): ApprovalRecord => {
    const approval = get(approvalId);
    if (approval === null) throw new UiaHostError('approval_not_found', 'The store has no approval with this id.');
    return approval;
  };

  return {
    create(card, tokenId) {
      insertOnce('An approval with this id', () =>
        insert.run(card.approvalId, card.actionId, card.sessionId, tokenId, card.status, toJson(card)),
      );
      return need(card.approvalId);
    },
    get,
    findByAction: (actionId) => ofAction.all(actionId).map(approvalOf),
    list({ status, limit, cursor }) {
      const size = pageSize(limit, DEFAULT_PAGE);
      const rows = page.all(parseCursor(cursor), status, size + 1);
      const kept = rows.slice(0, size);
      return { approvals: kept.map(approvalOf), nextCursor: rows.length > size ? text(kept.at(-1)?.ordinal) : null };
    },
    resolve(approvalId, resolution) {
      const before = need(approvalId);
      // An approval may still become void; this only withdraws approvals and never grants one.
      const isVoiding = before.card.status === 'approved' && resolution.status === 'void';
      if (before.card.status !== 'pending' && !isVoiding) return before;
      const card: ApprovalCard = {
        ...before.card,
        status: resolution.status,
        decidedBy: resolution.decidedBy ?? before.card.decidedBy,
      };
      decide.run(card.status, toJson(card), resolution.scope ?? null, resolution.decidedAt, approvalId);
      return need(approvalId);
    },
  };
}
