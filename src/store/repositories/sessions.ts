/** Rows of computer-use sessions. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../../contract/errors.ts';
import { SESSION_STATUSES, type SessionStatus } from '../../contract/gate/session-status.ts';
import type { SessionRecord } from '../records.ts';
import {
  count,
  fromJson,
  insertOnce,
  pageSize,
  parseCursor,
  prepare,
  text,
  textOrNull,
  toJson,
  type Row,
} from './rows.ts';
import type { SessionRepository } from './types.ts';

const DEFAULT_PAGE = 100;

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

export function sessionRepository(db: DatabaseSync): SessionRepository {
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

  const get = (sessionId: string): SessionRecord | null => {
    const row = select.get(sessionId);
    return row === null ? null : fromRow(row);
  };
  const need = (sessionId: string): SessionRecord => {
    const session = get(sessionId);
    if (session === null) throw new UiaHostError('session_not_found', 'The store has no session with this id.');
    return session;
  };

  return {
    create(session) {
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
    list({ tokenId, limit, cursor }) {
      const size = pageSize(limit, DEFAULT_PAGE);
      const rows = page.all(parseCursor(cursor), tokenId ?? null, size + 1);
      const kept = rows.slice(0, size);
      return { sessions: kept.map(fromRow), nextCursor: rows.length > size ? text(kept.at(-1)?.ordinal) : null };
    },
    update(sessionId, patch) {
      const before = need(sessionId);
      const after = {
        ...before,
        ...(before.status === 'running' ? patch : { evidence: patch.evidence ?? before.evidence }),
      };
      write.run(after.summary, after.lastUrl, after.denialsInRow, toJson(after.evidence), sessionId);
      return need(sessionId);
    },
    countAction(sessionId, lastUrl = null) {
      need(sessionId);
      const counted = increment.run(lastUrl, sessionId) === 1;
      return { counted, session: need(sessionId) };
    },
    end(sessionId, end) {
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
