/** Who gets a host: the machine's policy, compared with the account of a session. */
import type { HostScope } from '../contract/process/service-channel.ts';
import type { SessionAccount } from '../win32/services/session-account.ts';

/**
 * Why this session gets no host, in words for an administrator; null if it gets one. `sidOf`: an account's SID, null for an
 * unknown account: a user who cannot be identified gets none where the policy names users or groups.
 */
export function whyNoHost(
  scope: HostScope,
  account: SessionAccount | null,
  sidOf: (name: string) => string | null,
): string | null {
  const { users, groups, sessions } = scope;
  if (scope.isDisabled) return 'the level of the machine’s policy is disabled';
  if (scope.isOnDemand) return 'the machine’s policy starts hosts on demand (OnDemand)';
  if (users === null && groups === null && sessions === null) return null;
  if (account === null) return 'its user is not known, and the machine’s policy names who gets a host';
  if (sessions !== null && !sessions.includes(account.isRemote ? 'remote' : 'console'))
    return `the machine’s policy (Sessions) names no ${account.isRemote ? 'remote' : 'console'} sessions`;
  if (users === null && groups === null) return null;
  const sids = (names: readonly string[] | null): string[] => (names ?? []).flatMap((name) => sidOf(name) ?? []);
  const isNamed = sids(users).includes(account.user) || sids(groups).some((sid) => account.groups.includes(sid));
  return isNamed ? null : 'the machine’s policy (Users, Groups) does not name this user';
}
