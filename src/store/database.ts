/** Opens the SQLite database, runs batches of requests in one transaction, and checkpoints its log when idle. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UiaHostError } from '../contract/errors.ts';
import { migrate, SCHEMA_VERSION } from './schema.ts';
import { recover } from './recovery.ts';
import { retain } from './retention.ts';
import { createRepositories } from './repositories/index.ts';
import type { OpenReport, RetentionPolicy, RetentionReport } from './records.ts';
import type { Repositories } from './repositories/types.ts';

/** One request of a batch, and its result. */
export interface StoreRequest {
  readonly topic: string;
  readonly method: string;
  readonly args: readonly unknown[];
}
export type StoreResult = { readonly value: unknown } | { readonly error: unknown };

export interface Database {
  readonly opened: OpenReport;
  /**
   * Runs all requests in order in one transaction and returns when it is on disk. A request that fails undoes only
   * itself.
   */
  runBatch(requests: readonly StoreRequest[]): StoreResult[];
  /** Cuts a write-ahead log that has become long. Called after answers have left. */
  trim(): void;
  /** While no request waits: cuts the log, and returns the space of deleted rows to the disk. */
  tidy(): void;
  close(): void;
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

interface StoreTopic {
  retain(policy: RetentionPolicy): RetentionReport;
  flush(): null;
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
 * Opens the database, brings its schema up to date and closes what a killed host left open.
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
    const { created } = migrate(db);
    allowFreeing(db);
    const repositories = createRepositories(db);
    db.exec('BEGIN IMMEDIATE');
    const recovery = recover(db, repositories, now().toISOString());
    db.exec('COMMIT');
    return serveDatabase(db, repositories, { created, schemaVersion: SCHEMA_VERSION, recovery }, { file, isShared });
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
  opened: OpenReport,
  { file, isShared }: { file: string; isShared: boolean },
): Database {
  const store: StoreTopic = { retain: (policy) => retain(db, policy), flush: () => null };
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

  const call = ({ topic, method, args }: StoreRequest): unknown => {
    if (!methods[topic]?.includes(method))
      throw new UiaHostError('internal', `The store has no method ${topic}.${method}.`);
    return (topics[topic] as Record<string, (...values: readonly unknown[]) => unknown>)[method]?.(...args) ?? null;
  };

  /** Undoes only itself if it fails. */
  const runOne = (request: StoreRequest): StoreResult => {
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

  /** Most batches contain nothing that fails. Null if something did: then nothing of the batch was done. */
  const runPlainly = (requests: readonly StoreRequest[]): StoreResult[] | null => {
    begin.run();
    try {
      return requests.map((request) => ({ value: call(request) }));
    } catch {
      if (db.isTransaction) rollback.run();
      return null;
    }
  };

  const runSingly = (requests: readonly StoreRequest[]): StoreResult[] => {
    begin.run();
    return requests.map(runOne);
  };

  return {
    opened,
    runBatch(requests) {
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
    trim() {
      batches = (batches + 1) % BATCHES_A_LOOK;
      if (batches === 0) cutLog(MOST_LOG_BYTES);
    },
    tidy() {
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
