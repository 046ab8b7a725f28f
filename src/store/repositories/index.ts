/** All repositories over one connection. */
import type { DatabaseSync } from 'node:sqlite';
import { actionRepository, idempotencyRepository } from './actions.ts';
import { approvalRepository, grantRepository } from './approvals.ts';
import { artifactRepository } from './artifacts.ts';
import { eventRepository } from './events.ts';
import { prepare, textOrNull } from './rows.ts';
import { sessionRepository } from './sessions.ts';
import { tokenRepository } from './tokens.ts';
import type { MetaRepository, Repositories } from './types.ts';

/** All repositories over one connection, their statements prepared once. */
export function createRepositories(db: DatabaseSync): Repositories {
  return {
    sessions: sessionRepository(db),
    events: eventRepository(db),
    approvals: approvalRepository(db),
    actions: actionRepository(db),
    artifacts: artifactRepository(db),
    idempotency: idempotencyRepository(db),
    tokens: tokenRepository(db),
    grants: grantRepository(db),
    meta: metaRepository(db),
  };
}

/** Rows of single values, such as the audit's anchor. */
function metaRepository(db: DatabaseSync): MetaRepository {
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
