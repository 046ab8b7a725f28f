/** Who gets a host: every combination of what the machine's policy names and who is signed in. */
import { describe, expect, test } from 'vitest';
import type { HostScope } from '../../../src/contract/process/service-channel.ts';
import { whyNoHost } from '../../../src/service/serve.ts';

const ALL: HostScope = { why: null, isDisabled: false, isOnDemand: false, users: null, groups: null, sessions: null };
const SIDS: Readonly<Record<string, string>> = { 'EXAMPLE\\anna': 'S-1-5-21-1-1001', Agents: 'S-1-5-32-1' };
const sidOf = (name: string): string | null => (name.startsWith('S-1-') ? name : (SIDS[name] ?? null));
const anna = { user: 'S-1-5-21-1-1001', groups: ['S-1-1-0'], isRemote: false };
const bert = { user: 'S-1-5-21-1-1002', groups: ['S-1-1-0', 'S-1-5-32-1'], isRemote: true };
const why = (scope: Partial<HostScope>, account: typeof anna | null = anna) =>
  whyNoHost({ ...ALL, ...scope }, account, sidOf);

describe('[service.scope] who gets a host', () => {
  test('everyone, where the policy names no user, also a user whom Windows does not name', () => {
    expect([why({}), why({}, bert), why({}, null)]).toEqual([null, null, null]);
  });

  test('no user at level disabled or on demand, and the reason says which', () => {
    expect(why({ isDisabled: true })).toContain('disabled');
    expect(why({ isOnDemand: true })).toContain('OnDemand');
  });

  test('named users and members of named groups, by name or by SID; an empty list names no user', () => {
    const named = (scope: Partial<HostScope>) => [why(scope) === null, why(scope, bert) === null];
    expect(named({ users: ['EXAMPLE\\anna'] })).toEqual([true, false]);
    expect(named({ groups: ['Agents'] })).toEqual([false, true]);
    expect(named({ groups: ['S-1-5-32-1'], users: ['S-1-5-21-1-1001'] })).toEqual([true, true]);
    expect(named({ users: [] })).toEqual([false, false]);
  });

  test('kinds of session', () => {
    expect([why({ sessions: ['console'] }), why({ sessions: ['remote'] }, bert)]).toEqual([null, null]);
    expect(why({ sessions: ['console'] }, bert)).toContain('remote');
    expect(why({ sessions: ['remote'] })).toContain('console');
  });

  test('an account that cannot be identified gets none where the policy names who does', () => {
    expect(why({ users: ['EXAMPLE\\anna'] }, null)).not.toBeNull();
    expect(why({ users: ['EXAMPLE\\unknown'] })).not.toBeNull();
    expect(why({ sessions: ['console', 'remote'] }, null)).not.toBeNull();
  });
});
