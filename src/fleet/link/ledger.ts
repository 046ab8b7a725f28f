/** The link's ledger on the machine: one row for each job, synced before anything that relies on it is done. */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Row } from './protocol.ts';

export interface Ledger extends Disposable {
  /** Random: a reset disk has another one, so no reader waits for jobs that it forgot. */
  readonly id: string;
  find(target: string, id: string): Row | null;
  /** On disk when it returns. */
  put(row: Row, now: number): void;
  /** What a killed link left, the oldest first. */
  open(): Row[];
  /** What was reported and has its outcome, begun last first. */
  told(): Row[];
  /** Forgets jobs that were reported or dropped before this time; their records live a day longer. */
  forget(before: number): number;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS ledger (id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS seat (name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    target TEXT NOT NULL, id TEXT NOT NULL, is_open INTEGER NOT NULL, begun INTEGER NOT NULL, at INTEGER NOT NULL,
    row TEXT NOT NULL, PRIMARY KEY (target, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS open_jobs ON jobs (is_open, begun);
  CREATE INDEX IF NOT EXISTS ended_jobs ON jobs (is_open, at);`;

/** Before one is open: no job is known, and none can be taken. */
export const NO_LEDGER: Ledger = {
  id: '',
  find: () => null,
  put() {
    throw new Error('The ledger is not open.');
  },
  open: () => [],
  told: () => [],
  forget: () => 0,
  [Symbol.dispose]() {},
};

/** Times in ms of the epoch. Errors: those of node:sqlite, for a disk that does not write; Error for the ledger of another seat. */
export function openLedger(file: string, seat: string): Ledger {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const owner = database.prepare('SELECT name FROM seat').get()?.['name'];
  if (owner === undefined) database.prepare('INSERT INTO seat VALUES (?)').run(seat);
  else if (owner !== seat) {
    database.close();
    throw new Error(`it is the ledger of ${String(owner)}, whose jobs are not this seat’s`);
  }
  const kept = database.prepare('SELECT id FROM ledger').get()?.['id'];
  const id = typeof kept === 'string' ? kept : randomBytes(12).toString('base64url');
  if (kept === undefined) database.prepare('INSERT INTO ledger VALUES (?)').run(id);
  const find = database.prepare('SELECT row FROM jobs WHERE target = ? AND id = ?');
  const put = database.prepare(
    `INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET is_open = excluded.is_open, at = excluded.at, row = excluded.row`,
  );
  const open = database.prepare('SELECT row FROM jobs WHERE is_open = 1 ORDER BY begun');
  const told = database.prepare('SELECT row FROM jobs WHERE is_open = 0 ORDER BY begun DESC');
  const forget = database.prepare('DELETE FROM jobs WHERE is_open = 0 AND at < ?');
  const rowOf = (found: Record<string, unknown>): Row => JSON.parse(String(found['row'])) as Row;
  return {
    id,
    find(target, jobId) {
      const found = find.get(target, jobId);
      return found === undefined ? null : rowOf(found);
    },
    put(row, now) {
      const isOpen = row.state !== 'reported' && row.state !== 'dropped';
      put.run(row.target, row.id, Number(isOpen), now, now, JSON.stringify(row));
      // its texts are erased from the write-ahead log, too
      if (!isOpen) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    open: () => open.all().map(rowOf),
    told: () =>
      told
        .all()
        .map(rowOf)
        .filter(({ outcome }) => outcome !== null),
    forget: (before) => Number(forget.run(before).changes),
    [Symbol.dispose]: () => database.close(),
  };
}
