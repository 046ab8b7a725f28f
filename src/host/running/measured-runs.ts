/** Reports each run to a meter, while there is one. */
import type { GatePassed } from '../../policy/gate/index.ts';
import type { ActionEnded, Meter } from '../face/meter.ts';
import type { RunEnd, RunObserver, RunProgress, RunScope } from './run-scope.ts';

interface Measured {
  readonly meter: Meter;
  askedAt: number | null;
  deliveredAt: number | null;
  passed: GatePassed | null;
}

class MeasuredRuns implements RunObserver {
  readonly #meter: () => Meter | null;
  readonly #open = new Map<string, Measured>();

  constructor(meter: () => Meter | null) {
    this.#meter = meter;
  }

  onBegin({ actionId, outerId, definition, caller }: RunScope): void {
    const meter = this.#meter();
    if (meter === null) return;
    this.#open.set(actionId, { meter, askedAt: null, deliveredAt: null, passed: null });
    const { surface, session, traceparent } = caller;
    meter.begin({ actionId, outerId, tool: definition.tool, surface, session, traceparent, at: Date.now() });
  }

  onProgress({ actionId }: RunScope, progress: RunProgress): void {
    const open = this.#open.get(actionId);
    if (open !== undefined && progress.stage === 'asked') open.askedAt ??= Date.now();
  }

  async onStart({ actionId }: RunScope, passed: GatePassed): Promise<void> {
    const open = this.#open.get(actionId);
    if (open === undefined) return;
    open.deliveredAt = Date.now();
    open.passed = passed;
  }

  async onEnd({ actionId }: RunScope, end: RunEnd): Promise<void> {
    const open = this.#open.get(actionId);
    if (open === undefined) return;
    this.#open.delete(actionId);
    open.meter.end(actionId, ended(open, end));
  }
}

function ended({ askedAt, deliveredAt, passed }: Measured, end: RunEnd): ActionEnded {
  const result = 'result' in end ? end.result : null;
  const error = 'error' in end ? end.error : null;
  return {
    at: Date.now(),
    askedAt,
    deliveredAt,
    decision: passed === null ? 'refused' : passed.approvalId === null ? 'execute' : 'approve',
    riskLevel: passed?.decision.riskLevel ?? null,
    effect: result?.outcome.effect ?? null,
    way: result?.outcome.delivery ?? null,
    delivery: error?.delivery ?? 'delivered',
    errorCode: error?.code ?? null,
    window: passed?.binding?.title ?? null,
    element: passed?.context?.element?.name ?? null,
  };
}

/** Measures by what `telemetry` has loaded, if anything. */
export const measuredBy = (telemetry: { meter(): Meter | null } | undefined): RunObserver =>
  new MeasuredRuns(() => telemetry?.meter() ?? null);

/** One observer that reports to all of them, in their order. */
export const observedBy = (...observers: readonly RunObserver[]): RunObserver => ({
  onBegin: (scope) => {
    for (const each of observers) each.onBegin(scope);
  },
  onProgress: (scope, progress) => {
    for (const each of observers) each.onProgress(scope, progress);
  },
  async onStart(scope, passed, traits) {
    await Promise.all(observers.map((each) => each.onStart(scope, passed, traits)));
  },
  async onEnd(scope, end) {
    await Promise.all(observers.map((each) => each.onEnd(scope, end)));
  },
});
