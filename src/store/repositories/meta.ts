/** Rows of single values, such as the audit’s anchor. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare, textOrNull } from './rows.ts';
import type { MetaRepository } from './types.ts';

export function metaRepository(db: DatabaseSync): MetaRepository {
  const select = prepare(db, 'SELECT value FROM meta WHERE key = ?');
  const write = prepare(
    db,
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const drop = prepare(db, 'DELETE FROM meta WHERE key = ?');
  return {
    get: (key) => textOrNull(select.get(key)?.value),
    set(key, value) {
      if (value === null) drop.run(key);
      else write.run(key, value);
    },
  };
}
