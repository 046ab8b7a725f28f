/** The methods that are called across the store's thread boundary: the compiler requires an entry for each. */
import type { Repositories } from './types.ts';

type MethodsOf<R> = { readonly [M in keyof R]: true };

export const REPOSITORY_METHODS: { readonly [T in keyof Repositories]: MethodsOf<Repositories[T]> } = {
  sessions: { create: true, get: true, list: true, update: true, countAction: true, end: true },
  events: { append: true, read: true },
  approvals: { create: true, get: true, findByAction: true, list: true, resolve: true },
  actions: { create: true, createEnded: true, get: true, update: true },
  artifacts: {
    add: true,
    release: true,
    get: true,
    releaseSession: true,
    list: true,
    usage: true,
    oldest: true,
    remove: true,
    hashes: true,
  },
  idempotency: { begin: true, finish: true, abandon: true },
  tokens: { add: true, findByHash: true, get: true, list: true, revoke: true },
  grants: { add: true, active: true, allActive: true, revoke: true, revokeOwner: true },
  meta: { get: true, set: true },
};
