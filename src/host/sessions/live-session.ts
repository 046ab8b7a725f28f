/** A computer-use session in the host's memory until its end is stored. */
import { UiaHostError } from '../../contract/errors.ts';
import type { SessionEndStatus } from '../../contract/gate/session-status.ts';
import type { ComputerUseInput } from '../../contract/gate/session.ts';
import type { SessionLimits } from './session-limits.ts';

const SESSION_PREFIX = 'cus_';

/** Whether this is the id of such a session; any other name is a plain session, which has no start and no end. */
export const isSessionId = (name: string): boolean => name.startsWith(SESSION_PREFIX);

export interface LiveSession extends SessionLimits {
  readonly id: string;
  readonly tokenId: string;
  readonly input: ComputerUseInput;
  readonly startedAt: number;
  /** Fires at its end, or when storing its end must be tried again. */
  timer: NodeJS.Timeout;
  /** Tokens that have acted in it: its own, and operators'. */
  readonly actors: Set<string>;
  executed: number;
  denialsInRow: number;
  denials: number;
  approvals: number;
  artifacts: number;
  auditFrom: number | null;
  auditTo: number | null;
  ended: SessionEndStatus | null;
  summary: string | null;
  /** While its end is being stored. */
  ending: Promise<void> | null;
}

export function newLiveSession(
  start: Pick<LiveSession, 'id' | 'tokenId' | 'input' | 'startedAt' | 'timer'> & SessionLimits,
): LiveSession {
  return {
    ...start,
    actors: new Set([start.tokenId]),
    executed: 0,
    denialsInRow: 0,
    denials: 0,
    approvals: 0,
    artifacts: 0,
    auditFrom: null,
    auditTo: null,
    ended: null,
    summary: null,
    ending: null,
  };
}

/** The evidence of the session. */
export function evidenceOf(session: LiveSession): Record<string, unknown> {
  return {
    artifacts: session.artifacts,
    audit: { from: session.auditFrom, to: session.auditTo },
    denials: session.denials,
    approvals: session.approvals,
  };
}

export function hasEnded(status: string): UiaHostError {
  return new UiaHostError('session_ended', `The session has ended (${status}).`);
}
