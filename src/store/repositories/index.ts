/** All repositories over one connection. */
import type { DatabaseSync } from 'node:sqlite';
import { actionRepository } from './actions.ts';
import { approvalRepository } from './approvals.ts';
import { artifactRepository } from './artifacts.ts';
import { eventRepository } from './events.ts';
import { grantRepository } from './grants.ts';
import { idempotencyRepository } from './idempotency.ts';
import { metaRepository } from './meta.ts';
import { sessionRepository } from './sessions.ts';
import { tokenRepository } from './tokens.ts';
import type { Repositories } from './types.ts';

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
