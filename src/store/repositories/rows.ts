/** Typed statements over node:sqlite, and what all repositories share: pages, cursors and conversions. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { UiaHostError } from '../../contract/errors.ts';

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

const MAX_PAGE = 1000;

/** Page sizes that a caller may ask for are bounded here, once. */
export function pageSize(limit: number | undefined, fallback: number, most = MAX_PAGE): number {
  if (limit === undefined) return fallback;
  if (!Number.isInteger(limit) || limit < 1)
    throw new UiaHostError('invalid_argument', `\`limit\` must be a whole number from 1 to ${most}; it was ${limit}.`);
  return Math.min(limit, most);
}

/** Cursors are ordinals in decimal; anything else is refused. */
export function parseCursor(cursor: string | null | undefined): number {
  if (cursor === null || cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[0-9]{1,15}$/.test(cursor)) throw new UiaHostError('invalid_argument', 'Unknown cursor.');
  return Number(cursor);
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
