/** Closes what a killed host left open: sessions, actions and approvals. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError, type ErrorCode } from '../contract/errors.ts';
import type { Recovery, StreamEvent } from './records.ts';
import { prepare, text } from './repositories/rows.ts';
import type { Repositories } from './repositories/types.ts';

/** The error for everything that was open when the host died. */
export const CRASH_SUMMARY = 'The host ended while the session was running.';
const DECIDED_BY = 'host restart';

/**
 * Closes what a killed host left open. At opening no other process uses the database (one host per user session),
 * so whatever is still running, pending or granted for a session belongs to a host that is gone.
 */
export function recover(db: DatabaseSync, repositories: Repositories, at: string): Recovery {
  const { sessions, events, approvals, actions } = repositories;
  const ids = (sql: string): string[] =>
    prepare(db, sql)
      .all()
      .map((row) => text(row.id));
  const runningSessions = ids("SELECT session_id AS id FROM sessions WHERE status = 'running' ORDER BY ordinal");
  const pendingApprovals = ids("SELECT approval_id AS id FROM approvals WHERE status = 'pending' ORDER BY ordinal");
  const openActions = prepare(
    db,
    "SELECT action_id, status FROM actions WHERE status IN ('pending', 'running') ORDER BY created_at, action_id",
  ).all();

  // The host may have died between the event session.ended and the session's own end: its stream is then complete
  // already.
  const appendIfOpen = (sessionId: string, event: StreamEvent): void => {
    try {
      events.append(sessionId, event);
    } catch (error) {
      if (!(error instanceof UiaHostError && error.code === 'session_ended')) throw error;
    }
  };

  for (const approvalId of pendingApprovals) {
    const { approval } = approvals.resolve(approvalId, { status: 'denied', decidedBy: DECIDED_BY, decidedAt: at });
    if (runningSessions.includes(approval.card.sessionId)) {
      appendIfOpen(approval.card.sessionId, {
        type: 'approval_resolved',
        actionId: approval.card.actionId,
        decision: 'deny',
        timestamp: at,
      });
    }
  }
  for (const row of openActions) {
    const wasRunning = row.status === 'running';
    const code: ErrorCode = wasRunning ? 'worker_restarted' : 'approval_denied';
    const detail = wasRunning
      ? 'The host ended while this action was running; its input may have been delivered.'
      : 'The host ended before this action was delivered: it was still awaiting approval, or its approval had not been acted on, which counts as a denial. Nothing was delivered.';
    const error = new UiaHostError(code, detail, {
      delivery: wasRunning ? 'unknown' : 'not_delivered',
      actionId: text(row.action_id),
    }).toProblem();
    actions.update(text(row.action_id), { status: 'failed', updatedAt: at, error });
  }
  for (const sessionId of runningSessions) {
    sessions.end(sessionId, { status: 'failed', summary: CRASH_SUMMARY, endedAt: at, error: CRASH_SUMMARY });
    appendIfOpen(sessionId, { type: 'session.ended', status: 'failed', summary: CRASH_SUMMARY, timestamp: at });
  }
  return {
    failedSessions: runningSessions,
    deniedApprovals: pendingApprovals,
    failedActions: openActions.map((row) => text(row.action_id)),
    interruptedRequests: prepare(db, "UPDATE idempotency SET status = 'interrupted' WHERE status = 'running'").run(),
    // Every stored grant lasts for a session or a window; a restart ends both.
    revokedGrants: prepare(db, 'UPDATE grants SET revoked_at = ? WHERE revoked_at IS NULL').run(at),
  };
}
