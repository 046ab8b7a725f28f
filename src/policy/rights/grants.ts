/** How far each application may be operated: levels, default tiers, grants and the deny list. */
import { isInAdminOnlyFolder, matchApp, type FileTrust } from '../../contract/gate/app-match.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { Flag, Grant, Level, Policy, Tier } from '../../contract/gate/permissions.ts';
import { kindOf, type AppKind } from '../risk/words/app-kind.ts';
import { Revocations } from './revocations.ts';
import { higherTier, lowerTier, tierReaches, levelReaches } from '../../contract/gate/orders.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';

/** The policy's level, or the token's where that is lower. */
export function levelInForce(policy: Policy, limits: { readonly level?: Level | undefined } | null): Level {
  const limit = limits?.level;
  return limit === undefined || levelReaches(limit, policy.level) ? policy.level : limit;
}

/** Reading the screen or the clipboard needs observe; input, managing windows, launching and writing the clipboard need control. */
export function requiredLevel(traits: ActionTraits): 'observe' | 'control' {
  return traits.effect === 'observe' && !traits.flags.includes('clipboardWrite') ? 'observe' : 'control';
}

/** An application's tier without a grant: browsers and trading read, terminals and IDEs click; others read, and ask for more. */
function defaultTier(kind: AppKind): Tier {
  return kind === 'terminal' || kind === 'ide' ? 'click' : 'read';
}

/** Kinds of application that `full` does not open while `alwaysAsk` names anything: a person is asked there as at `control`. */
function isRestrictedKind(kind: AppKind): boolean {
  return kind === 'browser' || kind === 'trading';
}

export interface Reach {
  readonly tier: Tier;
  readonly source: 'policy' | 'session' | 'level' | 'default';
  /** `within`: granted. `ask`: a person may widen it on the card. */
  readonly result: 'within' | 'ask';
  /** The path by which to grant it, where a grant by name does not count for this file. */
  readonly unprotected?: string | undefined;
}

/**
 * Grants of the policy and of one session. The policy is read on each query, so a revocation applies to the next action, also
 * to what a person granted the session before.
 * Only a person's answer or the operator's policy adds grants, and two grants never combine to more than each gives its own application.
 */
export class SessionGrants {
  readonly #policy: () => Policy;
  readonly #trusted: FileTrust;
  readonly #revocations: Revocations;
  /** `since`: the mark of the revocations when it was given. */
  readonly #apps = new Map<string, Grant & { since: number }>();
  readonly #flags = new Map<Flag, number>();
  readonly #windows = new Map<string, { pid: number | null; tier: Tier; since: number }>();

  constructor(policy: () => Policy, options: { isProtected?: FileTrust | undefined; revocations?: Revocations } = {}) {
    this.#policy = policy;
    this.#revocations = options.revocations ?? new Revocations();
    this.#trusted = options.isProtected ?? isInAdminOnlyFolder;
  }

  /** Grants an application a tier for this session; never lowers what the session has. */
  grantApp(app: string, tier: Tier): void {
    const key = app.trim().toLowerCase();
    const present = this.#apps.get(key);
    const since = this.#revocations.mark;
    // A lower tier granted after a revocation does not restore what was granted before it.
    this.#apps.set(key, { app, tier: present?.since === since ? higherTier(present.tier, tier) : tier, since });
  }

  grantFlag(flag: Flag): void {
    this.#flags.set(flag, this.#revocations.mark);
  }

  /** Grants the window that an approved launch opened (a terminal): this window only, not its application. `hwnd` in decimal. */
  grantWindow(hwnd: string, pid: number | null, tier: Tier): void {
    this.#windows.set(hwnd, { pid, tier, since: this.#revocations.mark });
  }

  revokeAll(): void {
    this.#apps.clear();
    this.#flags.clear();
    this.#windows.clear();
  }

  get isEmpty(): boolean {
    return this.#apps.size === 0 && this.#flags.size === 0 && this.#windows.size === 0;
  }

  get hasWindowGrants(): boolean {
    return this.#windows.size > 0;
  }

  hasFlag(flag: Flag): boolean {
    const since = this.#flags.get(flag);
    if (since !== undefined && this.#revocations.hitFlag(since, flag)) this.#flags.delete(flag);
    return this.#flags.has(flag) || this.#policy().flags.includes(flag);
  }

  /** Whether the level, the policy or a person granted the application anything; a kind of program grants nothing. */
  isGranted(app: AppIdentity, level: Level): boolean {
    return this.#isOpen(app, level) || this.#tierByPolicy(app) !== null || this.#tierBySession(app, null) !== null;
  }

  /** Whether the level is enough for the application. An empty `alwaysAsk` says that nothing is to be asked. */
  #isOpen(app: AppIdentity, level: Level): boolean {
    return level === 'full' && (!isRestrictedKind(kindOf(app)) || this.#policy().alwaysAsk.length === 0);
  }

  /** How far actions on this application may go at this level. `window`: the bound window, which may have its own grant. */
  reach(app: AppIdentity, window: BindingRecord | null, needed: Tier, level: Level): Reach {
    const isOpen = this.#isOpen(app, level);
    const without = isOpen ? 'full' : defaultTier(kindOf(app));
    const byPolicy = this.#tierByPolicy(app) ?? this.#cap(app, without);
    const source = byPolicy !== null ? 'policy' : isOpen ? 'level' : 'default';
    const base: Omit<Reach, 'result'> = { tier: byPolicy ?? without, source };
    const bySession = this.#tierBySession(app, window);
    const present: Omit<Reach, 'result'> =
      bySession !== null && !tierReaches(base.tier, bySession) ? { tier: bySession, source: 'session' } : base;
    if (tierReaches(present.tier, needed)) return { ...present, result: 'within' };
    return { ...present, result: 'ask', unprotected: this.#unprotected(app) };
  }

  /** A grant may name the application's file and not count, because not only administrators can write the file or its folders. */
  #unprotected(app: AppIdentity): string | undefined {
    const isNamed = this.list().grants.some(
      ({ app: name }) => matchApp(name, app, this.#trusted) === null && matchApp(name, app, () => true) !== null,
    );
    return isNamed ? (app.executable ?? app.bundleId) : undefined;
  }

  /** Grants and flags in force, of the policy and of the session. */
  list(): { grants: Grant[]; flags: Flag[] } {
    return {
      grants: [...this.#policy().grants, ...[...this.#apps.values()].map(({ app, tier }) => ({ app, tier }))],
      flags: [...new Set([...this.#policy().flags, ...this.#flags.keys()])],
    };
  }

  /** The closest entry counts (an identity or path before a bare name); of equally close ones the lower. */
  #tierByPolicy(app: AppIdentity): Tier | null {
    let best: { match: 'exact' | 'name'; tier: Tier } | null = null;
    for (const grant of this.#policy().grants) {
      const match = matchApp(grant.app, app, this.#trusted);
      if (match === null) continue;
      if (best === null || (match === 'exact' && best.match === 'name')) best = { match, tier: grant.tier };
      else if (match === best.match) best = { match, tier: lowerTier(best.tier, grant.tier) };
    }
    return best?.tier ?? null;
  }

  /** The limit that a grant sets by a name too weak to grant: it may still mean this file. Null if it sets none. */
  #cap(app: AppIdentity, without: Tier): Tier | null {
    const named = this.#policy()
      .grants.filter((grant) => matchApp(grant.app, app, () => true) !== null)
      .map(({ tier }) => tier);
    const lowest = named.reduce(lowerTier, without);
    return lowest === without ? null : lowest;
  }

  #tierBySession(app: AppIdentity, window: BindingRecord | null): Tier | null {
    let best: Tier | null = null;
    for (const [key, grant] of this.#apps) {
      if (matchApp(grant.app, app, this.#trusted) === null) continue;
      if (this.#revocations.hitApp(grant.since, app, grant.tier)) this.#apps.delete(key);
      else best = best === null ? grant.tier : higherTier(best, grant.tier);
    }
    if (window !== null) {
      const own = this.#windows.get(window.hwnd);
      if (own !== undefined && this.#revocations.hitApp(own.since, app, own.tier)) this.#windows.delete(window.hwnd);
      else if (own !== undefined && (own.pid === null || own.pid === window.pid))
        best = best === null ? own.tier : higherTier(best, own.tier);
    }
    return best;
  }
}
