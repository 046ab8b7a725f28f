/** Remembers what policy changes took away, so that rights granted before them end. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import type { Flag, Policy, Tier } from '../../contract/gate/permissions.ts';
import { matchApp, matchesDenied } from '../../contract/gate/app-match.ts';
import { lowerTier, tierReaches } from '../../contract/gate/orders.ts';

/** What one policy change took away. */
type Revocation =
  /** `keeps`: grants up to this tier stay; null = none does. */
  | { readonly kind: 'grant'; readonly app: string; readonly keeps: Tier | null }
  | { readonly kind: 'deny'; readonly app: string }
  | { readonly kind: 'flag'; readonly flag: Flag };

/** Maximum number of revocations remembered; rights granted before the oldest count as taken away. */
const MAX_REMEMBERED = 1000;

/** The lowest tier that the grants give each application, by their spelling of its name. */
function tiersOf(policy: Policy): Map<string, Tier> {
  const tiers = new Map<string, Tier>();
  for (const { app, tier } of policy.grants) {
    const key = app.trim().toLowerCase();
    const present = tiers.get(key);
    tiers.set(key, present === undefined ? tier : lowerTier(present, tier));
  }
  return tiers;
}

/**
 * What operators took away by changing the policy, in order, so that what a person granted a session before does not
 * outlive it: a grant lowered or removed, one set lower than what was granted, a new entry on the deny list, a
 * removed flag. It is kept by name, since which application a name means is known only when that application acts.
 */
export class Revocations {
  #first = 0;
  readonly #taken: Revocation[] = [];

  /** The current mark; each granted right stores it. */
  get mark(): number {
    return this.#first + this.#taken.length;
  }

  /** Records a change of the policy. */
  follow(before: Policy, after: Policy): void {
    const tiers = tiersOf(after);
    const former = tiersOf(before);
    for (const [app, tier] of former) {
      const now = tiers.get(app);
      if (now === undefined || !tierReaches(now, tier)) this.#taken.push({ kind: 'grant', app, keeps: null });
    }
    for (const [app, tier] of tiers) if (!former.has(app)) this.#taken.push({ kind: 'grant', app, keeps: tier });
    for (const app of after.deny) if (!before.deny.includes(app)) this.#taken.push({ kind: 'deny', app });
    for (const flag of before.flags) if (!after.flags.includes(flag)) this.#taken.push({ kind: 'flag', flag });
    const surplus = Math.max(0, this.#taken.length - MAX_REMEMBERED);
    this.#taken.splice(0, surplus);
    this.#first += surplus;
  }

  /** Whether a tier on this application granted at `mark` has been taken away. */
  hitApp(mark: number, app: AppIdentity, tier: Tier): boolean {
    return this.#since(
      mark,
      (one) =>
        (one.kind === 'deny' && matchesDenied(one.app, app)) ||
        (one.kind === 'grant' &&
          (one.keeps === null || !tierReaches(one.keeps, tier)) &&
          matchApp(one.app, app) !== null),
    );
  }

  hitFlag(mark: number, flag: Flag): boolean {
    return this.#since(mark, (one) => one.kind === 'flag' && one.flag === flag);
  }

  #since(mark: number, hits: (one: Revocation) => boolean): boolean {
    if (mark >= this.mark) return false;
    return mark < this.#first || this.#taken.slice(mark - this.#first).some(hits);
  }
}
