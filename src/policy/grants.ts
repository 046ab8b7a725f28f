import type { AppIdentity, BindingRecord } from '../contract/binding.ts';
import type { Flag, Grant, Level, Policy, Tier } from '../contract/permissions.ts';
import { ADMIN_ONLY_FOLDERS, kindOf, matchApp } from './app-match.ts';
import type { AppKind } from './known-apps.ts';

const TIER_ORDER: Readonly<Record<Tier, number>> = { read: 0, click: 1, full: 2 };

export function tierReaches(tier: Tier, needed: Tier): boolean {
  return TIER_ORDER[tier] >= TIER_ORDER[needed];
}
const higherTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? a : b);
const lowerTier = (a: Tier, b: Tier): Tier => (tierReaches(a, b) ? b : a);

/** What an application has without any grant: browsers and trading read, terminals and IDEs click, others look and are asked for more. */
export function defaultTier(kind: AppKind): Tier {
  return kind === 'terminal' || kind === 'ide' ? 'click' : 'read';
}

/** Kinds that `full` does not open by itself. */
export function isRestrictedKind(kind: AppKind): boolean {
  return kind === 'browser' || kind === 'trading';
}

export interface Reach {
  readonly tier: Tier;
  readonly source: 'policy' | 'session' | 'level' | 'default';
  /** `within`: granted. `ask`: a person may widen it on the card. `refused`: only a grant helps. */
  readonly result: 'within' | 'ask' | 'refused';
}

/**
 * Grants of the policy and of one session. The policy is read at each look, so revoking there works on the next action.
 * Only a person's answer or the operator's policy adds here: two grants never add up to more than each says for its own application.
 */
export class SessionGrants {
  readonly #policy: () => Policy;
  readonly #adminFolders: readonly string[];
  readonly #apps = new Map<string, Grant>();
  readonly #flags = new Set<Flag>();
  readonly #windows = new Map<string, { pid: number | null; tier: Tier }>();

  constructor(policy: () => Policy, options: { adminFolders?: readonly string[] } = {}) {
    this.#policy = policy;
    this.#adminFolders = options.adminFolders ?? ADMIN_ONLY_FOLDERS;
  }

  /** Grants an application a tier for this session; never lowers what the session has. */
  grantApp(app: string, tier: Tier): void {
    const key = app.trim().toLowerCase();
    const present = this.#apps.get(key);
    this.#apps.set(key, { app, tier: present === undefined ? tier : higherTier(present.tier, tier) });
  }

  grantFlag(flag: Flag): void {
    this.#flags.add(flag);
  }

  /** A window that an approved launch opened (a terminal): this window alone, not its application. `hwnd` decimal. */
  grantWindow(hwnd: string, pid: number | null, tier: Tier): void {
    this.#windows.set(hwnd, { pid, tier });
  }

  revokeApp(app: string): void {
    this.#apps.delete(app.trim().toLowerCase());
  }

  revokeFlag(flag: Flag): void {
    this.#flags.delete(flag);
  }

  revokeWindow(hwnd: string): void {
    this.#windows.delete(hwnd);
  }

  revokeAll(): void {
    this.#apps.clear();
    this.#flags.clear();
    this.#windows.clear();
  }

  get hasWindowGrants(): boolean {
    return this.#windows.size > 0;
  }

  hasFlag(flag: Flag): boolean {
    return this.#flags.has(flag) || this.#policy().flags.includes(flag);
  }

  /** How far actions on this application may go at this level. `window`: the bound window, for a window's own grant. */
  reach(app: AppIdentity, window: BindingRecord | null, needed: Tier, level: Level): Reach {
    const kind = kindOf(app);
    const byPolicy = this.#tierByPolicy(app);
    const base: Omit<Reach, 'result'> = byPolicy !== null ? { tier: byPolicy, source: 'policy' }
      : level === 'full' && !isRestrictedKind(kind) ? { tier: 'full', source: 'level' }
        : { tier: defaultTier(kind), source: 'default' };
    const bySession = this.#tierBySession(app, window);
    const present: Omit<Reach, 'result'> = bySession !== null && !tierReaches(base.tier, bySession) ? { tier: bySession, source: 'session' } : base;
    if (tierReaches(present.tier, needed)) return { ...present, result: 'within' };
    return { ...present, result: level === 'full' ? 'refused' : 'ask' };
  }

  /** Grants and flags in force, the session's beside the policy's. */
  list(): { grants: Grant[]; flags: Flag[] } {
    return {
      grants: [...this.#policy().grants, ...this.#apps.values()],
      flags: [...new Set([...this.#policy().flags, ...this.#flags])],
    };
  }

  /** The closest entry counts (an identity or path before a bare name); of equally close ones the lower. */
  #tierByPolicy(app: AppIdentity): Tier | null {
    let best: { match: 'exact' | 'name'; tier: Tier } | null = null;
    for (const grant of this.#policy().grants) {
      const match = matchApp(grant.app, app, this.#adminFolders);
      if (match === null) continue;
      if (best === null || (match === 'exact' && best.match === 'name')) best = { match, tier: grant.tier };
      else if (match === best.match) best = { match, tier: lowerTier(best.tier, grant.tier) };
    }
    return best?.tier ?? null;
  }

  #tierBySession(app: AppIdentity, window: BindingRecord | null): Tier | null {
    let best: Tier | null = null;
    for (const grant of this.#apps.values()) {
      if (matchApp(grant.app, app, this.#adminFolders) !== null) best = best === null ? grant.tier : higherTier(best, grant.tier);
    }
    if (window !== null) {
      const own = this.#windows.get(window.hwnd);
      if (own !== undefined && (own.pid === null || own.pid === window.pid)) best = best === null ? own.tier : higherTier(best, own.tier);
    }
    return best;
  }
}
