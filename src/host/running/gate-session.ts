/** The session of a run as the gate sees it: whether it is live, and its remaining limits. */
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { GateSession } from '../../policy/gate/index.ts';
import type { RateLimit } from '../access/rate-limit.ts';
import type { EmergencyStop } from '../approvals/emergency-stop.ts';
import { isSessionId } from '../sessions/live-session.ts';
import type { SessionLifecycle } from '../sessions/session-lifecycle.ts';
import type { PlainSessions } from '../sessions/session-limits.ts';
import type { RunScope } from './run-scope.ts';

export interface GateSessionParts {
  readonly lifecycle: SessionLifecycle;
  readonly plainSessions: PlainSessions;
  readonly rate: RateLimit;
  readonly stop: EmergencyStop;
  policy(): Policy;
}

/** Errors: session_not_found, session_ended. */
export function gateSessionOf(parts: GateSessionParts, scope: RunScope): GateSession {
  const { caller, state } = scope;
  const assertLive = (): void => assertHostLive(parts.stop, scope);
  const takeRate = (): void => parts.rate.take(caller.tokenId, parts.policy().limits.actionsPerMinute);
  if (isSessionId(caller.session)) return parts.lifecycle.gateSession(caller, assertLive, takeRate);
  return {
    id: caller.session,
    tokenId: caller.tokenId,
    tokenLimits: caller.limits,
    urls: null,
    assertLive,
    takeAction: (changesSomething, isRecheck) => {
      parts.plainSessions.assertWithin(state.owner, changesSomething);
      if (!isRecheck) takeRate();
    },
  };
}

/** Errors: stopped, and the reason of the run's own signal. */
function assertHostLive(stop: EmergencyStop, { signal }: RunScope): void {
  if (stop.by !== null)
    throw new UiaHostError(
      'stopped',
      `The emergency stop is on (by ${stop.by}); nothing is delivered until it is released.`,
    );
  if (signal.aborted) throw toUiaHostError(signal.reason);
}
