/** The database’s schema, as a list of migrations. */
import type { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../contract/errors.ts';

/** Each step takes a database from version n to n + 1. A step that has been released is never edited. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

  CREATE TABLE sessions (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL UNIQUE,
    token_id TEXT NOT NULL,
    goal TEXT NOT NULL,
    urls TEXT NOT NULL,
    hints TEXT NOT NULL,
    status TEXT NOT NULL,
    summary TEXT NOT NULL,
    last_url TEXT,
    actions_executed INTEGER NOT NULL,
    max_actions INTEGER NOT NULL,
    max_duration_ms INTEGER NOT NULL,
    denials_in_row INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    error TEXT
  ) STRICT;
  CREATE INDEX sessions_status ON sessions (status);

  CREATE TABLE streams (stream_id TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL, is_closed INTEGER NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE events (
    stream_id TEXT NOT NULL, sequence INTEGER NOT NULL, event TEXT NOT NULL,
    PRIMARY KEY (stream_id, sequence)
  ) WITHOUT ROWID, STRICT;

  CREATE TABLE approvals (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    approval_id TEXT NOT NULL UNIQUE,
    action_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    token_id TEXT NOT NULL,
    status TEXT NOT NULL,
    card TEXT NOT NULL,
    scope TEXT,
    decided_at TEXT
  ) STRICT;
  CREATE INDEX approvals_status ON approvals (status);
  CREATE INDEX approvals_action ON approvals (action_id);
  CREATE INDEX approvals_session ON approvals (session_id);

  CREATE TABLE actions (
    action_id TEXT PRIMARY KEY,
    token_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    approval_id TEXT,
    result TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX actions_open ON actions (status) WHERE status IN ('pending', 'running');
  CREATE INDEX actions_age ON actions (updated_at);

  CREATE TABLE artifacts (
    content_hash TEXT PRIMARY KEY,
    byte_size INTEGER NOT NULL,
    artifact TEXT NOT NULL,
    stored_at TEXT NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX artifacts_age ON artifacts (stored_at);
  CREATE INDEX artifacts_size ON artifacts (byte_size);
  CREATE TABLE artifact_references (
    content_hash TEXT NOT NULL REFERENCES artifacts (content_hash) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    action_id TEXT NOT NULL,
    PRIMARY KEY (content_hash, session_id, action_id)
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX artifact_references_session ON artifact_references (session_id);

  CREATE TABLE idempotency (
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    action_id TEXT NOT NULL,
    status TEXT NOT NULL,
    response TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (token_id, key)
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX idempotency_age ON idempotency (created_at);

  CREATE TABLE tokens (
    token_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    scope TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    limits TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT
  ) WITHOUT ROWID, STRICT;

  CREATE TABLE grants (
    grant_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    grant_json TEXT NOT NULL,
    until TEXT,
    revoked_at TEXT
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX grants_owner ON grants (owner) WHERE revoked_at IS NULL;
  `,
  // By ordinal, so that rows fill their pages: in order of their random ids, an answer of a kilobyte took a page of four.
  `
  CREATE TABLE actions_by_ordinal (
    ordinal INTEGER PRIMARY KEY,
    action_id TEXT NOT NULL UNIQUE,
    token_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    approval_id TEXT,
    result TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  INSERT INTO actions_by_ordinal (action_id, token_id, session_id, action, status, approval_id, result, error, created_at, updated_at)
    SELECT action_id, token_id, session_id, action, status, approval_id, result, error, created_at, updated_at
    FROM actions ORDER BY created_at, action_id;
  DROP TABLE actions;
  ALTER TABLE actions_by_ordinal RENAME TO actions;
  CREATE INDEX actions_open ON actions (status) WHERE status IN ('pending', 'running');
  CREATE INDEX actions_age ON actions (updated_at);
  `,
  // A host of an earlier version did not write whether a running action had its turn yet.
  `
  ALTER TABLE actions ADD COLUMN delivery TEXT NOT NULL DEFAULT 'queued';
  UPDATE actions SET delivery = CASE status WHEN 'pending' THEN 'queued' WHEN 'running' THEN 'delivering' ELSE 'done' END;
  `,
];

/**
 * Brings the database to this version's schema, all steps in one transaction.
 * Errors: internal, with what to do, when a newer host wrote it.
 */
export function migrate(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > MIGRATIONS.length) {
    throw new UiaHostError(
      'internal',
      `The database was written by a newer host: its schema is version ${version}, this host knows ${MIGRATIONS.length}. It was left unchanged.`,
      { hint: 'Start the newer host again, or move the database file away to start with an empty one.' },
    );
  }
  if (version === MIGRATIONS.length) return;
  db.exec('BEGIN EXCLUSIVE');
  try {
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
