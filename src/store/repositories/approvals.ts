/** Rows of approvals: the cards and how each was decided. */
import type { DatabaseSync } from 'node:sqlite';
import type { ApprovalCard, ApprovalScope } from '../../contract/gate/approval.ts';
import type { ApprovalRecord, ApprovalResolution } from '../records.ts';
import { fromJson, insertOnce, pageOf, prepare, reader, text, textOrNull, toJson, type Row } from './rows.ts';

const approvalOf = (row: Row): ApprovalRecord => ({
  // Cards of earlier versions have no page and no owner.
  card: { page: null, owner: null, ...fromJson<Omit<ApprovalCard, 'page' | 'owner'>>(row.card) },
  tokenId: text(row.token_id),
  scope: textOrNull(row.scope) as ApprovalScope | null,
  decidedAt: textOrNull(row.decided_at),
});

export function approvalRepository(db: DatabaseSync) {
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

  const { get, need } = reader(select, approvalOf, 'approval_not_found', 'approval');

  return {
    /** Stores a new card. Errors: state_conflict when the id exists. */
    create(card: ApprovalCard, tokenId: string): ApprovalRecord {
      insertOnce('An approval with this id', () =>
        insert.run(card.approvalId, card.actionId, card.sessionId, tokenId, card.status, toJson(card)),
      );
      return need(card.approvalId);
    },
    get,
    findByAction: (actionId: string): ApprovalRecord[] => ofAction.all(actionId).map(approvalOf),
    /** Newest first; `nextCursor` is null at the end. */
    list({ status, ...query }: { status: 'pending' | 'all'; limit?: number; cursor?: string | null }) {
      const { rows, nextCursor } = pageOf(page, { ...query, only: status }, approvalOf);
      return { approvals: rows, nextCursor };
    },
    /** The first decision is final, but an approved one may become void; every status but approved counts as no. Returns what holds then. Errors: approval_not_found. */
    resolve(approvalId: string, resolution: ApprovalResolution): ApprovalRecord {
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
