/** Typed statements over node:sqlite, and what all repositories share: pages, cursors and conversions. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { badInput, type ErrorCode, UiaHostError } from '../../contract/errors.ts';

export type Row = Record<string, string | number | null>;

/** A statement prepared once, with rows typed as text, numbers and nulls (no column here holds blobs or 64-bit numbers). */
export interface Statement {
  run(...values: SQLInputValue[]): number;
  get(...values: SQLInputValue[]): Row | null;
  all(...values: SQLInputValue[]): Row[];
}

export function prepare(db: DatabaseSync, sql: string): Statement {
  const statement: StatementSync = db.prepare(sql);
  return {
    run: (...values) => Number(statement.run(...values).changes),
    get: (...values) => (statement.get(...values) as Row | undefined) ?? null,
    all: (...values) => statement.all(...values) as Row[],
  };
}

export const text = (value: unknown): string => String(value);
export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);
export const count = (value: unknown): number => Number(value);
export const toJson = (value: unknown): string => JSON.stringify(value ?? null);
export const fromJson = <T>(value: unknown): T => JSON.parse(String(value)) as T;

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/** Page sizes that a caller may ask for are bounded here, once. */
export function pageSize(limit: number | undefined, fallback: number, most = MAX_PAGE): number {
  if (limit === undefined) return fallback;
  if (!Number.isInteger(limit) || limit < 1)
    throw badInput(`\`limit\` must be a whole number from 1 to ${most}; it was ${limit}.`);
  return Math.min(limit, most);
}

/** Cursors are ordinals in decimal; anything else is refused. */
function parseCursor(cursor: string | null | undefined): number {
  if (cursor === null || cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[0-9]{1,15}$/.test(cursor)) throw badInput('Unknown cursor.');
  return Number(cursor);
}

/** How a table's rows are read by their key. `need` throws `code` for a key without a row. */
export function reader<T>(
  select: Statement,
  fromRow: (row: Row) => T,
  code: ErrorCode,
  what: string,
): { get(id: string): T | null; need(id: string): T } {
  const get = (id: string): T | null => {
    const row = select.get(id);
    return row === null ? null : fromRow(row);
  };
  return {
    get,
    need(id) {
      const found = get(id);
      if (found === null) throw new UiaHostError(code, `The store has no ${what} with this id.`);
      return found;
    },
  };
}

/** A page of rows, newest first. `select` takes the ordinal before which they are, a word, and how many. */
export function pageOf<T>(
  select: Statement,
  { limit, cursor, only }: { limit?: number | undefined; cursor?: string | null | undefined; only: string | null },
  fromRow: (row: Row) => T,
): { rows: T[]; nextCursor: string | null } {
  const size = pageSize(limit, DEFAULT_PAGE);
  const rows = select.all(parseCursor(cursor), only, size + 1);
  const kept = rows.slice(0, size);
  return { rows: kept.map(fromRow), nextCursor: rows.length > size ? text(kept.at(-1)?.ordinal) : null };
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [1555, 2067].includes(Number(error.errcode));

/** Turns a duplicate key into a typed error. */
export function insertOnce(what: string, insert: () => void): void {
  try {
    insert();
  } catch (error) {
    if (isUniqueViolation(error))
      throw new UiaHostError('state_conflict', `${what} already exists; nothing was changed.`, {
        hint: 'Use another one.',
      });
    throw error;
  }
}
