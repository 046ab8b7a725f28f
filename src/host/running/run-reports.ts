/** Reports runs to the operator's stream and the streams of sessions. */
import type { UiaHostError } from '../../contract/errors.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import { REQUEST_UI_ACTION } from '../../contract/gate/proposal.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import type { GatePassed } from '../../policy/gate/index.ts';
import type { EventHub } from '../events/event-hub.ts';
import { isSessionId, type PlainSessions } from '../sessions/live-session.ts';
import { urlOf, type SessionReports } from '../sessions/session-reports.ts';
import type { RunObserver, RunProgress, RunScope } from './run-scope.ts';

export interface RunReportParts {
  readonly hub: Pick<EventHub, 'publish'>;
  readonly sessions: SessionReports;
  readonly plainSessions: PlainSessions;
}

export class RunReports implements RunObserver {
  readonly #parts: RunReportParts;

  constructor(parts: RunReportParts) {
    this.#parts = parts;
  }

  onBegin(scope: RunScope): void {
    this.#publish('tool.start', scope);
  }

  onProgress(scope: RunScope, progress: RunProgress): void {
    this.#publish('tool.progress', scope, { ...progress });
  }

  async onStart(scope: RunScope, passed: GatePassed, traits: ActionTraits): Promise<void> {
    const { riskLevel } = passed.decision;
    this.#publish('tool.progress', scope, { stage: 'running', riskLevel });
    // A proposal executes nothing itself: the stream shows the action that it leads to.
    if (scope.definition.method === REQUEST_UI_ACTION) return;
    if (!isSessionId(scope.caller.session)) {
      if (traits.changesSomething) this.#parts.plainSessions.count(scope.state.owner);
      return;
    }
    await this.#parts.sessions.onAction(scope.caller.session, {
      actionId: scope.actionId,
      actionType: scope.definition.method,
      riskLevel,
      url: urlOf(passed.app, passed.context?.address ?? null),
      summary: summaryOf(scope, passed),
      changesSomething: traits.changesSomething,
    });
  }

  async onEnd(scope: RunScope, end: { result: ActionResult } | { error: UiaHostError }): Promise<void> {
    if ('result' in end) {
      const { outcome, durationMs } = end.result;
      this.#publish('tool.end', scope, { ok: true, effect: outcome.effect, durationMs });
      return;
    }
    this.#publish('tool.end', scope, { ok: false, code: end.error.code });
    if (isSessionId(scope.caller.session)) await this.#parts.sessions.onError(scope.caller.session, end.error);
  }

  #publish(type: string, { actionId, definition, caller }: RunScope, fields: Record<string, unknown> = {}): void {
    this.#parts.hub.publish(type, { actionId, action: definition.method, sessionId: caller.session, ...fields });
  }
}

/** The action and its target's role and name; never typed text. */
function summaryOf({ definition }: RunScope, { context }: GatePassed): string {
  const element = context?.element ?? null;
  const target = element === null ? '' : ` on ${element.controlType} ${JSON.stringify(element.name)}`;
  return `${definition.method}${target}`;
}
