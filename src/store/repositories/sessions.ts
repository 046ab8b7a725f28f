/** Rows of computer-use sessions. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../../contract/errors.ts';
import { SESSION_STATUSES, type SessionStatus } from '../../contract/gate/session-status.ts';
import type { NewSession, SessionEnd, SessionPatch, SessionRecord } from '../records.ts';
import { count, fromJson, insertOnce, pageOf, prepare, reader, text, textOrNull, toJson, type Row } from './rows.ts';

function toStatus(word: string): SessionStatus {
  const known = SESSION_STATUSES.find((status) => status === word);
  if (known === undefined)
    throw new UiaHostError('internal', `The database holds a session with the unknown status ${word}.`);
  return known;
}

function fromRow(row: Row): SessionRecord {
  return {
    sessionId: text(row.session_id),
    tokenId: text(row.token_id),
    goal: text(row.goal),
    urls: fromJson(row.urls),
    hints: fromJson(row.hints),
    status: toStatus(text(row.status)),
    summary: text(row.summary),
    lastUrl: textOrNull(row.last_url),
    actionsExecuted: count(row.actions_executed),
    maxActions: count(row.max_actions),
    maxDurationMs: count(row.max_duration_ms),
    denialsInRow: count(row.denials_in_row),
    evidence: fromJson(row.evidence),
    startedAt: text(row.started_at),
    endedAt: textOrNull(row.ended_at),
    error: textOrNull(row.error),
  };
}

export function sessionRepository(db: DatabaseSync) {
  const insert = prepare(
    db,
    `INSERT INTO sessions
    (session_id, token_id, goal, urls, hints, status, summary, actions_executed, max_actions, max_duration_ms, denials_in_row, evidence, started_at)
    VALUES (?, ?, ?, ?, ?, 'running', '', 0, ?, ?, 0, '{}', ?)`,
  );
  const select = prepare(db, 'SELECT * FROM sessions WHERE session_id = ?');
  const page = prepare(
    db,
    `SELECT * FROM sessions
    WHERE ordinal < ?1 AND (?2 IS NULL OR token_id = ?2) ORDER BY ordinal DESC LIMIT ?3`,
  );
  const write = prepare(
    db,
    'UPDATE sessions SET summary = ?, last_url = ?, denials_in_row = ?, evidence = ? WHERE session_id = ?',
  );
  const increment = prepare(
    db,
    `UPDATE sessions SET actions_executed = actions_executed + 1, last_url = coalesce(?, last_url)
    WHERE session_id = ? AND status = 'running' AND actions_executed < max_actions`,
  );
  const finish = prepare(
    db,
    `UPDATE sessions SET status = ?, summary = ?, ended_at = ?, error = ?, evidence = coalesce(?, evidence)
    WHERE session_id = ? AND status = 'running'`,
  );

  const { get, need } = reader(select, fromRow, 'session_not_found', 'session');

  return {
    /** Errors: state_conflict when the id exists. */
    create(session: NewSession): SessionRecord {
      insertOnce('A session with this id', () =>
        insert.run(
          session.sessionId,
          session.tokenId,
          session.goal,
          toJson(session.urls),
          toJson(session.hints),
          session.maxActions,
          session.maxDurationMs,
          session.startedAt,
        ),
      );
      return need(session.sessionId);
    },
    get,
    /** Newest first. */
    list({ tokenId, ...query }: { tokenId?: string; limit?: number; cursor?: string | null }) {
      const { rows, nextCursor } = pageOf(page, { ...query, only: tokenId ?? null }, fromRow);
      return { sessions: rows, nextCursor };
    },
    /** Errors: session_not_found. An ended session does not change, apart from `evidence`. */
    update(sessionId: string, patch: SessionPatch): SessionRecord {
      const before = need(sessionId);
      const after = {
        ...before,
        ...(before.status === 'running' ? patch : { evidence: patch.evidence ?? before.evidence }),
      };
      write.run(after.summary, after.lastUrl, after.denialsInRow, toJson(after.evidence), sessionId);
      return need(sessionId);
    },
    /** Counts one action that changes something. `counted` is false, and nothing is counted, at the limit or after the end. Errors: session_not_found. */
    countAction(sessionId: string, lastUrl: string | null = null): { counted: boolean; session: SessionRecord } {
      need(sessionId);
      const counted = increment.run(lastUrl, sessionId) === 1;
      return { counted, session: need(sessionId) };
    },
    /** Ends a running session; the first end remains (`ended` false for later ones). Errors: session_not_found. */
    end(sessionId: string, end: SessionEnd): { ended: boolean; session: SessionRecord } {
      need(sessionId);
      const ended =
        finish.run(
          end.status,
          end.summary,
          end.endedAt,
          end.error ?? null,
          end.evidence === undefined ? null : toJson(end.evidence),
          sessionId,
        ) === 1;
      return { ended, session: need(sessionId) };
    },
  };
}
