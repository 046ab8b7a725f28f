/** Deletes expired rows. */
import type { DatabaseSync } from 'node:sqlite';
import type { RetentionPolicy, RetentionReport } from './records.ts';
import { prepare } from './repositories/rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What the API promises (actions), and what a person can still use (a month of sessions; the audit is kept permanently). */
export const RETENTION_DEFAULTS = {
  actionsMs: DAY,
  idempotencyMs: DAY,
  sessionsMs: 30 * DAY,
  eventsPerStream: 10_000,
} as const;

/** Deletes expired rows. Running and pending ones are kept. */
export function retain(db: DatabaseSync, policy: RetentionPolicy): RetentionReport {
  const { actionsMs, idempotencyMs, sessionsMs, eventsPerStream } = { ...RETENTION_DEFAULTS, ...policy };
  const before = (ms: number): string => new Date(Date.parse(policy.now) - ms).toISOString();
  const run = (sql: string, ...values: (string | number)[]): number => prepare(db, sql).run(...values);

  const oldSession = "SELECT session_id FROM sessions WHERE status <> 'running' AND ended_at < ?";
  const limit = before(sessionsMs);
  const sessionEvents = run(`DELETE FROM events WHERE stream_id IN (${oldSession})`, limit);
  run(`DELETE FROM streams WHERE stream_id IN (${oldSession})`, limit);
  const sessionApprovals = run(
    `DELETE FROM approvals WHERE status <> 'pending' AND session_id IN (${oldSession})`,
    limit,
  );
  const sessions = run("DELETE FROM sessions WHERE status <> 'running' AND ended_at < ?", limit);
  const looseApprovals = run(
    "DELETE FROM approvals WHERE status <> 'pending' AND decided_at < ? AND session_id NOT IN (SELECT session_id FROM sessions)",
    limit,
  );
  const surplusEvents = run(
    `DELETE FROM events WHERE stream_id NOT IN (SELECT session_id FROM sessions)
      AND sequence <= (SELECT last_sequence FROM streams s WHERE s.stream_id = events.stream_id) - ?`,
    eventsPerStream,
  );

  return {
    sessions,
    events: sessionEvents + surplusEvents,
    approvals: sessionApprovals + looseApprovals,
    actions: run(
      "DELETE FROM actions WHERE status NOT IN ('pending', 'running') AND updated_at < ?",
      before(actionsMs),
    ),
    idempotency: run("DELETE FROM idempotency WHERE status <> 'running' AND created_at < ?", before(idempotencyMs)),
    grants: run(
      'DELETE FROM grants WHERE (revoked_at IS NOT NULL AND revoked_at < ?1) OR (until IS NOT NULL AND until < ?1)',
      limit,
    ),
  };
}
