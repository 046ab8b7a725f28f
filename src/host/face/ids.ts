/** Ids of actions, approvals, observations and sessions. */
import { randomBytes } from 'node:crypto';

/** Unguessable id with a readable prefix: `act_…`, `apr_…`, `obs_…`, `cus_…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B')}`;
}
