/** The SQLite database: opened, recovered after a kill, batches in one transaction, its log cut, old rows deleted. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Problem, UiaHostError } from '../contract/errors.ts';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import { DECIDED_BY, denialWords } from '../contract/gate/card-lines.ts';
import type { Recovery, RetentionPolicy, StreamEvent } from './records.ts';
import { actionRepository, idempotencyRepository } from './repositories/actions.ts';
import { approvalRepository } from './repositories/approvals.ts';
import { artifactRepository } from './repositories/artifacts.ts';
import { eventRepository } from './repositories/events.ts';
import { prepare, text, textOrNull, toJson } from './repositories/rows.ts';
import { sessionRepository } from './repositories/sessions.ts';
import { tokenRepository } from './repositories/tokens.ts';
import { migrate } from './schema.ts';
import type { BatchResult, ThreadRequest, ThreadService } from './thread.ts';

/** All repositories over one connection, their statements prepared once. */
export function createRepositories(db: DatabaseSync) {
  return {
    sessions: sessionRepository(db),
    events: eventRepository(db),
    approvals: approvalRepository(db),
    actions: actionRepository(db),
    artifacts: artifactRepository(db),
    idempotency: idempotencyRepository(db),
    tokens: tokenRepository(db),
    meta: metaRepository(db),
  };
}

/** The store's methods, as they run inside its thread. The client has the same ones, each answering a promise. */
export type Repositories = ReturnType<typeof createRepositories>;

/** Rows of single values, such as the audit's anchor. */
function metaRepository(db: DatabaseSync) {
  const select = prepare(db, 'SELECT value FROM meta WHERE key = ?');
  const write = prepare(
    db,
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const drop = prepare(db, 'DELETE FROM meta WHERE key = ?');
  return {
    get: (key: string): string | null => textOrNull(select.get(key)?.value),
    set(key: string, value: string | null): void {
      if (value === null) drop.run(key);
      else write.run(key, value);
    },
  };
}

/**
 * The database as a service of the store's thread; methods are called `topic.method`. A batch runs in order in one
 * transaction and is on disk when it returns; a request that fails undoes only itself.
 */
export interface Database extends ThreadService {
  readonly opened: OpenedDatabase;
}

/** What the main thread learns of an opened database. */
export interface OpenedDatabase {
  readonly recovery: Recovery;
  /** The methods that it may call, by topic. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** A longer log (bytes) is cut between two batches, however busy the host is. */
const MOST_LOG_BYTES = 4 * 1024 * 1024;
/** Asking for the log's length takes a millisecond or more under Wine, and a batch writes some kilobytes. */
const BATCHES_A_LOOK = 8;
/** A shorter log (bytes) is not worth an idle checkpoint's two flushes. */
const IDLE_LOG_BYTES = 512 * 1024;
/** From this many pages (16 MB) on, a commit checkpoints: another program reads the file and kept the log from being cut. */
const AUTOCHECKPOINT_PAGES = 4000;
/** Free pages (1 MB) that stay in the file, for the rows of the next hours. */
const SPARE_PAGES = 256;
/** Pages that are freed at a time: moving them takes some ten milliseconds. */
const VACUUM_PAGES = 1000;

export interface StoreTopic {
  /** Deletes expired rows. */
  retain(policy: RetentionPolicy): void;
  /** Returns when everything sent before is on disk. */
  flush(): void;
}

/** SQLite's code: another connection holds a conflicting lock. */
const SQLITE_BUSY = 5;

/**
 * Opens the file exclusively while the host runs: another program's lock cannot make an action wait, and a commit needs
 * none. If another program has it open already, it is shared. Source: sqlite.org/wal.html, "Use of WAL without shared
 * memory".
 */
function takeFile(db: DatabaseSync): { isShared: boolean } {
  try {
    // WAL keeps its index in heap memory only if the locking mode was set before.
    db.exec(
      'PRAGMA busy_timeout = 200; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT',
    );
    return { isShared: false };
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
    db.exec('PRAGMA busy_timeout = 2000; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL');
    return { isShared: true };
  }
}

const numberOf = (db: DatabaseSync, pragma: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);

/** SQLite's value of auto_vacuum for files that free pages on request. */
const INCREMENTAL = 2;

/** A file of an older host is written once again, so that it can free pages from then on. */
function allowFreeing(db: DatabaseSync): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  try {
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch {
    // Another program reads the file, or the disk has no room for a copy: the next start tries again.
  }
}

/**
 * Opens the database, brings its schema up to date and closes actions that a killed host left open.
 * Errors: internal, when the file is not a database of ours or was written by a newer host.
 */
export function openDatabase(file: string, now: () => Date = () => new Date()): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  try {
    // Takes effect in a new file only, before its first table.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    const { isShared } = takeFile(db);
    db.exec(
      `PRAGMA journal_size_limit = ${MOST_LOG_BYTES}; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON`,
    );
    migrate(db);
    allowFreeing(db);
    const repositories = createRepositories(db);
    db.exec('BEGIN IMMEDIATE');
    const recovery = recover(db, repositories, now().toISOString());
    db.exec('COMMIT');
    return serveDatabase(db, repositories, recovery, { file, isShared });
  } catch (error) {
    db.close();
    if (error instanceof UiaHostError) throw error;
    throw new UiaHostError(
      'internal',
      `The database ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}. It was left unchanged.`,
      {
        hint: 'Check that the disk has free space and that you own the file. If it is damaged, move it away: the host then starts with an empty one. The audit is kept elsewhere.',
        cause: error,
      },
    );
  }
}

function serveDatabase(
  db: DatabaseSync,
  repositories: Repositories,
  recovery: Recovery,
  { file, isShared }: { file: string; isShared: boolean },
): Database {
  const store: StoreTopic = { retain: (policy) => retain(db, policy), flush() {} };
  const topics: Record<string, object> = { ...repositories, store };
  const methods = Object.fromEntries(Object.entries(topics).map(([topic, owner]) => [topic, Object.keys(owner)]));
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT request');
  const release = db.prepare('RELEASE request');
  const rollback = db.prepare('ROLLBACK');
  const undo = db.prepare('ROLLBACK TO request');
  const log = `${file}-wal`;
  /** Batches since the log's length was last asked for. */
  let batches = 0;

  /** Copies a log of at least this many bytes into the database and cuts it. A reader of a shared file is not waited for. */
  const cutLog = (from: number): void => {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < from) return;
    if (isShared) db.exec('PRAGMA busy_timeout = 0');
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      if (isShared) db.exec('PRAGMA busy_timeout = 2000');
    }
  };

  const call = ({ method, args }: ThreadRequest): unknown => {
    const [topic = '', name = ''] = method.split('.');
    if (!methods[topic]?.includes(name)) throw new UiaHostError('internal', `The store has no method ${method}.`);
    return (topics[topic] as Record<string, (...values: readonly unknown[]) => unknown>)[name]?.(...args) ?? null;
  };

  /** Undoes only itself if it fails. */
  const runOne = (request: ThreadRequest): BatchResult => {
    savepoint.run();
    try {
      const value = call(request);
      release.run();
      return { value };
    } catch (error) {
      // A full disk or an I/O error may have ended the whole transaction already; then there is no savepoint to return
      // to.
      if (db.isTransaction) {
        undo.run();
        release.run();
        return { error };
      }
      throw error;
    }
  };

  /** In most batches nothing fails. Null if something did: then the whole batch was undone. */
  const runPlainly = (requests: readonly ThreadRequest[]): BatchResult[] | null => {
    begin.run();
    try {
      return requests.map((request) => ({ value: call(request) }));
    } catch {
      if (db.isTransaction) rollback.run();
      return null;
    }
  };

  const runSingly = (requests: readonly ThreadRequest[]): BatchResult[] => {
    begin.run();
    return requests.map(runOne);
  };

  return {
    opened: { recovery, methods },
    handle(requests) {
      try {
        const results = runPlainly(requests) ?? runSingly(requests);
        commit.run();
        return results;
      } catch (error) {
        if (db.isTransaction) rollback.run();
        const failure = new UiaHostError(
          'internal',
          `Writing to the store failed (${error instanceof Error ? error.message : String(error)}); nothing of this request was kept.`,
          {
            hint: 'Free disk space or repair the data folder, then try again.',
            cause: error,
          },
        );
        return requests.map(() => ({ error: failure }));
      }
    },
    settle() {
      batches = (batches + 1) % BATCHES_A_LOOK;
      if (batches === 0) cutLog(MOST_LOG_BYTES);
    },
    idle() {
      const surplus = numberOf(db, 'freelist_count') - SPARE_PAGES;
      if (surplus > 0) db.exec(`PRAGMA incremental_vacuum(${Math.min(surplus, VACUUM_PAGES)})`);
      // The file becomes shorter when the log is copied into it.
      cutLog(surplus > 0 ? 0 : IDLE_LOG_BYTES);
    },
    close() {
      db.close();
    },
  };
}

/** The error for everything that was open when the host died. */
const CRASH_SUMMARY = 'The host ended while the session was running.';

/**
 * Closes actions that a killed host left open. At opening no other process uses the database (one host per user
 * session),
 * so whatever is still running, pending or granted for a session belongs to a host that is gone.
 */
function recover(db: DatabaseSync, repositories: Repositories, at: string): Recovery {
  const { sessions, events, approvals, actions } = repositories;
  const ids = (sql: string): string[] =>
    prepare(db, sql)
      .all()
      .map((row) => text(row.id));
  const runningSessions = ids("SELECT session_id AS id FROM sessions WHERE status = 'running' ORDER BY ordinal");
  const pendingApprovals = ids("SELECT approval_id AS id FROM approvals WHERE status = 'pending' ORDER BY ordinal");
  const openActions = prepare(
    db,
    "SELECT action_id, status, delivery FROM actions WHERE status IN ('pending', 'running') ORDER BY created_at, action_id",
  ).all();
  const keysOfActions = prepare(
    db,
    "SELECT action_id FROM idempotency WHERE status = 'running' AND action_id GLOB 'act_*' ORDER BY created_at",
  ).all();
  const answerKey = prepare(
    db,
    "UPDATE idempotency SET status = 'done', response = ? WHERE action_id = ? AND status = 'running'",
  );

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
    const { card } = approvals.resolve(approvalId, {
      status: 'cancelled',
      decidedBy: DECIDED_BY.restart,
      decidedAt: at,
    });
    if (runningSessions.includes(card.sessionId)) {
      appendIfOpen(card.sessionId, {
        type: 'approval_resolved',
        actionId: card.actionId,
        decision: 'deny',
        timestamp: at,
      });
    }
  }
  const endOf = (actionId: string, isDelivering: boolean): EndedWithHost =>
    endedWithHost(actionId, isDelivering, approvals.findByAction(actionId).at(-1)?.card);
  for (const row of openActions) {
    const actionId = text(row.action_id);
    const { status, error } = endOf(actionId, row.delivery === 'delivering');
    actions.update(actionId, { status, updatedAt: at, error });
    answerKey.run(toJson({ error }), actionId);
  }
  // The key is written first: an action without a record never had its turn.
  for (const row of keysOfActions) {
    const actionId = text(row.action_id);
    if (actions.get(actionId) === null) answerKey.run(toJson({ error: endOf(actionId, false).error }), actionId);
  }
  for (const sessionId of runningSessions) {
    sessions.end(sessionId, { status: 'failed', summary: CRASH_SUMMARY, endedAt: at, error: CRASH_SUMMARY });
    appendIfOpen(sessionId, { type: 'session.ended', status: 'failed', summary: CRASH_SUMMARY, timestamp: at });
  }
  return {
    failedSessions: runningSessions,
    cancelledApprovals: pendingApprovals,
    failedActions: openActions.map((row) => text(row.action_id)),
    interruptedRequests:
      keysOfActions.length +
      prepare(db, "UPDATE idempotency SET status = 'interrupted' WHERE status = 'running'").run(),
  };
}

interface EndedWithHost {
  readonly status: 'failed' | 'cancelled';
  readonly error: Problem;
}

/** How an action ended whose host was killed: the answer under its key, for good. `card`: the last that asked about it. */
function endedWithHost(actionId: string, isDelivering: boolean, card: ApprovalCard | undefined): EndedWithHost {
  const ended = (status: EndedWithHost['status'], error: UiaHostError): EndedWithHost => ({
    status,
    error: error.with({ actionId }).toProblem(),
  });
  if (isDelivering)
    return ended(
      'failed',
      new UiaHostError(
        'worker_restarted',
        'The host ended while this action was being delivered; its input may have been delivered.',
        { delivery: 'unknown' },
      ),
    );
  if (card?.status === 'denied' || card?.status === 'expired')
    return ended(
      'failed',
      new UiaHostError(
        card.status === 'denied' ? 'approval_denied' : 'approval_expired',
        `${denialWords(card.decidedBy)}. Nothing was delivered.`,
      ),
    );
  const before =
    card === undefined
      ? 'had its turn'
      : card.status === 'approved'
        ? 'was delivered; its approval was not used'
        : 'was approved or denied';
  return ended(
    'cancelled',
    new UiaHostError('cancelled', `The host ended before this action ${before}. Nothing was delivered.`, {
      hint: 'Send it again with a new Idempotency-Key if it is still wanted.',
    }),
  );
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What a person can still use: a month of sessions; the audit is kept permanently. */
const RETENTION_DEFAULTS = {
  sessionDays: 30,
  eventsPerStream: 10_000,
} as const;

/** Deletes expired rows. Running and pending ones are kept. */
function retain(db: DatabaseSync, policy: RetentionPolicy): void {
  const { sessionDays, eventsPerStream } = { ...RETENTION_DEFAULTS, ...policy };
  const before = (ms: number): string => new Date(Date.parse(policy.now) - ms).toISOString();
  const run = (sql: string, ...values: (string | number)[]): number => prepare(db, sql).run(...values);

  const oldSession = "SELECT session_id FROM sessions WHERE status <> 'running' AND ended_at < ?";
  const limit = before(sessionDays * DAY);
  run(`DELETE FROM events WHERE stream_id IN (${oldSession})`, limit);
  run(`DELETE FROM streams WHERE stream_id IN (${oldSession})`, limit);
  run(`DELETE FROM approvals WHERE status <> 'pending' AND session_id IN (${oldSession})`, limit);
  run("DELETE FROM sessions WHERE status <> 'running' AND ended_at < ?", limit);
  run(
    "DELETE FROM approvals WHERE status <> 'pending' AND decided_at < ? AND session_id NOT IN (SELECT session_id FROM sessions)",
    limit,
  );
  run(
    `DELETE FROM events WHERE stream_id NOT IN (SELECT session_id FROM sessions)
      AND sequence <= (SELECT last_sequence FROM streams s WHERE s.stream_id = events.stream_id) - ?`,
    eventsPerStream,
  );
  // What the API promises: a day.
  run("DELETE FROM actions WHERE status NOT IN ('pending', 'running') AND updated_at < ?", before(DAY));
  run("DELETE FROM idempotency WHERE status <> 'running' AND created_at < ?", before(DAY));
}
