/** Lasting approvals: which later actions each one covers. */
import { performance } from 'node:perf_hooks';
import { windowKey, type AppIdentity, type BindingRecord } from '../../contract/element/binding.ts';
import type { Flag, RiskLevel, RiskTag, Tier } from '../../contract/gate/permissions.ts';
import { Revocations } from './revocations.ts';
import { isHigherRisk, tierReaches } from '../../contract/gate/orders.ts';

/** Tags that no lasting approval covers: each such action asks again. */
export const NEVER_LASTING: readonly RiskTag[] = ['financial', 'destructive', 'prompts', 'password', 'customCommand'];

/** One action that would need approval. */
export interface AllowanceQuery {
  /** The key of its coverage; null if approvals of such a call never last. */
  readonly covers: string | null;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly tier: Tier;
  readonly flags: readonly Flag[];
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
  readonly grounds: readonly string[];
  readonly planStep: PlanStepNow | null;
}

/** A plan's step as it is about to run. */
export interface PlanStepNow {
  readonly planId: string;
  readonly stepDigest: string;
  /** Digest of the application and the element, from `stepTarget`. */
  readonly target: string;
  /** Digest of everything that an approval of the step alone would be bound to. */
  readonly digest: string;
}

export interface AllowanceMatch {
  readonly kind: 'window' | 'plan' | 'session';
  readonly approvalId: string;
  /** Marks a plan's step as used; does nothing for others. */
  readonly use: () => void;
}

/** What the card showed when a person approved; later actions may not go beyond it. */
export interface Approved {
  readonly approvalId: string;
  /** Why the card asked: a call with another reason asks again. */
  readonly grounds: readonly string[];
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
  readonly flags: readonly Flag[];
}

export interface PlanStepShown {
  readonly digest: string;
  /** Null if the step's target did not exist yet when shown: its own risk decides then. */
  readonly target: string | null;
  /** If no earlier step changes anything: what an approval of the step alone would be bound to. */
  readonly whole: string | null;
  /** False: needed no approval, so it may run out of order. */
  readonly isAsked: boolean;
  readonly riskLevel: RiskLevel;
  readonly riskTags: readonly RiskTag[];
}

interface Plan {
  readonly approvalId: string;
  readonly window: string | null;
  readonly steps: readonly PlanStepShown[];
  readonly since: number;
  next: number;
}

/** Approvals of one session that cover more than one action. */
export class Allowances {
  readonly #now: () => number;
  readonly #revocations: Revocations;
  /** `since`: the revocations' mark at the time it was given. */
  readonly #lasting = new Map<string, Approved & { until: number; since: number; tier: Tier | null }>();
  readonly #plans = new Map<string, Plan>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now(), revocations: Revocations = new Revocations()) {
    this.#now = now;
    this.#revocations = revocations;
  }

  /** Allows calls of this coverage on this window for some minutes. */
  allowWindow(covers: string, binding: BindingRecord, minutes: number, approved: Approved): void {
    const until = this.#now() + minutes * 60_000;
    this.#lasting.set(inWindow(covers, binding), { ...approved, until, tier: null, since: this.#revocations.mark });
  }

  /** Allows calls of this coverage on this application until the session ends, unless they need a higher tier. */
  allowSession(covers: string, app: AppIdentity, tier: Tier, approved: Approved): void {
    const since = this.#revocations.mark;
    this.#lasting.set(inSession(covers, app), { ...approved, until: Infinity, tier, since });
  }

  /** Allows the shown steps, each once and in order, on the window that was bound when they were shown. */
  allowPlan(planId: string, binding: BindingRecord | null, steps: readonly PlanStepShown[], approvalId: string): void {
    this.#plans.set(planId, {
      approvalId,
      window: binding === null ? null : windowKey(binding),
      steps,
      next: 0,
      since: this.#revocations.mark,
    });
  }

  endPlan(planId: string): void {
    this.#plans.delete(planId);
  }

  revokeAll(): void {
    this.#lasting.clear();
    this.#plans.clear();
  }

  /** Removes what has expired, and returns whether anything is left. */
  get isEmpty(): boolean {
    for (const [key, { until }] of this.#lasting) if (until <= this.#now()) this.#lasting.delete(key);
    return this.#lasting.size === 0 && this.#plans.size === 0;
  }

  /** The approval that already covers this action; null = a person must be asked. */
  find(query: AllowanceQuery): AllowanceMatch | null {
    // Always asked: what the proposer wants asked, secrets, and what could not be read.
    if (query.grounds.some((ground) => ground === 'proposer' || ground === 'unknown')) return null;
    return this.#findPlan(query) ?? this.#findLasting(query);
  }

  #findPlan(query: AllowanceQuery): AllowanceMatch | null {
    if (query.planStep === null) return null;
    const plan = this.#plans.get(query.planStep.planId);
    if (plan === undefined || this.#isRevoked(plan.since, query)) return null;
    let at = plan.next;
    while (plan.steps[at]?.isAsked === false && plan.steps[at]?.digest !== query.planStep.stepDigest) at += 1;
    const step = plan.steps[at];
    if (step === undefined || step.digest !== query.planStep.stepDigest) return null;
    if (step.target !== null && step.target !== query.planStep.target) return null;
    if (step.whole !== null && step.whole !== query.planStep.digest) return null;
    if (plan.window !== (query.binding === null ? null : windowKey(query.binding))) return null;
    if (!isWithin(query, { ...step, flags: query.flags, grounds: query.grounds })) return null;
    return {
      kind: 'plan',
      approvalId: plan.approvalId,
      use: () => {
        plan.next = at + 1;
      },
    };
  }

  #findLasting(query: AllowanceQuery): AllowanceMatch | null {
    const { covers, binding, app } = query;
    if (covers === null || query.riskTags.some((tag) => NEVER_LASTING.includes(tag))) return null;
    const asksAlways = query.grounds.some((ground) => ground.startsWith('alwaysAsk'));
    for (const [kind, key] of [
      ['window', binding === null ? '' : inWindow(covers, binding)],
      ['session', app === null || asksAlways ? '' : inSession(covers, app)],
    ] as const) {
      const kept = this.#lasting.get(key);
      if (kept === undefined) continue;
      const { tier, until, since, approvalId } = kept;
      if (until <= this.#now() || this.#isRevoked(since, { app, tier: tier ?? query.tier })) this.#lasting.delete(key);
      else if ((tier === null || tierReaches(tier, query.tier)) && isWithin(query, kept))
        return { kind, approvalId, use: () => {} };
    }
    return null;
  }

  #isRevoked(since: number, { app, tier }: Pick<AllowanceQuery, 'app' | 'tier'>): boolean {
    return app !== null && this.#revocations.hitApp(since, app, tier);
  }
}

const inWindow = (covers: string, binding: BindingRecord): string => `window ${covers}@${windowKey(binding)}`;
const inSession = (covers: string, { bundleId }: AppIdentity): string => `session ${covers}@${bundleId}`;

/** True if there is no tag, flag, level or reason beyond what the person saw. */
function isWithin(query: AllowanceQuery, approved: Omit<Approved, 'approvalId'>): boolean {
  return (
    !isHigherRisk(query.riskLevel, approved.riskLevel) &&
    query.riskTags.every((tag) => tag === 'computer:input' || approved.riskTags.includes(tag)) &&
    query.flags.every((flag) => approved.flags.includes(flag)) &&
    query.grounds.every((ground) => approved.grounds.includes(ground))
  );
}
