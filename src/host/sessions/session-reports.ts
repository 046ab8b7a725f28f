/** Reports actions, pictures, cards and errors to the streams of computer-use sessions, and counts them. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import { ERRORS, type UiaHostError } from '../../contract/errors.ts';
import type { RiskLevel } from '../../contract/gate/permissions.ts';
import type { Store } from '../../store/client.ts';
import type { Approvals } from '../approvals/approval-service.ts';
import type { SessionStreams } from '../face/session-stream.ts';
import { isSessionId } from './live-session.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';

export interface SessionReportParts {
  readonly store: Pick<Store, 'sessions'>;
  readonly streams: SessionStreams;
  readonly lifecycle: SessionLifecycle;
  onFault(error: unknown, where: string): void;
}

/** An action right before its delivery. */
export interface ReportedAction {
  readonly actionId: string;
  readonly actionType: string;
  readonly riskLevel: RiskLevel;
  readonly url: string | null;
  readonly summary: string;
  readonly changesSomething: boolean;
}

/** After this many denials in a row the session ends. */
const DENIALS_THAT_END = 3;

/** Every method ignores sessions that are not live. */
export class SessionReports {
  readonly #parts: SessionReportParts;

  constructor(parts: SessionReportParts) {
    this.#parts = parts;
  }

  /** Reports the cards of sessions, too. */
  follow({ events }: Approvals): void {
    const report = (reported: Promise<void>): void =>
      void reported.catch((error: unknown) => this.#parts.onFault(error, 'session stream'));
    events.on('asked', (card, address) => {
      if (isSessionId(card.sessionId)) report(this.#onAsked(card, address));
    });
    events.on('settled', (card) => {
      if (isSessionId(card.sessionId) && card.status !== 'void') report(this.#onSettled(card));
    });
  }

  async onAction(sessionId: string, action: ReportedAction): Promise<void> {
    const session = this.#parts.lifecycle.find(sessionId);
    if (session === undefined || session.ended !== null) return;
    const { actionId, actionType, riskLevel, url, summary } = action;
    if (action.changesSomething) {
      session.executed += 1;
      await this.#parts.store.sessions.countAction(sessionId, url);
    }
    await this.#parts.streams.append(sessionId, {
      type: 'action',
      actionId,
      actionType,
      riskLevel,
      ...(url === null ? {} : { url }),
      summary,
      timestamp: now(),
    });
  }

  async onPicture(sessionId: string, sha256: string, width: number, height: number): Promise<void> {
    const session = this.#parts.lifecycle.find(sessionId);
    if (session === undefined) return;
    session.artifacts += 1;
    await this.#parts.streams.append(sessionId, {
      type: 'screenshot',
      url: `/v1/artifacts/${sha256}/content`,
      width,
      height,
      timestamp: now(),
    });
  }

  async onError(sessionId: string, error: UiaHostError): Promise<void> {
    const session = this.#parts.lifecycle.find(sessionId);
    if (session === undefined || session.ended !== null) return;
    // The whole error is in the call's own answer: its text may repeat what was typed, or what a window shows.
    const { code } = error;
    await this.#parts.streams.append(sessionId, { type: 'error', code, message: ERRORS[code].title, timestamp: now() });
  }

  async #onAsked(card: ApprovalCard, address: string | null): Promise<void> {
    const session = this.#parts.lifecycle.find(card.sessionId);
    if (session === undefined) return;
    session.approvals += 1;
    const url = urlOf(card.app, address);
    await this.#parts.streams.append(card.sessionId, {
      type: 'approval_required',
      actionId: card.actionId,
      actionType: card.action,
      summary: card.summary,
      ...(url === null ? {} : { url }),
      timestamp: now(),
    });
  }

  /** A person's denial and a passed deadline count as denials; a withdrawn card does not. */
  async #onSettled({ sessionId, actionId, status }: ApprovalCard): Promise<void> {
    const session = this.#parts.lifecycle.find(sessionId);
    if (session === undefined) return;
    const decision = status === 'approved' ? 'approve' : 'deny';
    await this.#parts.streams.append(sessionId, { type: 'approval_resolved', actionId, decision, timestamp: now() });
    if (status === 'approved') session.denialsInRow = 0;
    else if (status === 'denied' || status === 'expired') {
      session.denialsInRow += 1;
      session.denials += 1;
    }
    await this.#parts.store.sessions.update(sessionId, { denialsInRow: session.denialsInRow });
    if (session.denialsInRow >= DENIALS_THAT_END)
      await this.#parts.lifecycle.end(sessionId, 'aborted', 'Three approvals in a row were denied.');
  }
}

/** A stream's `url`: the page if it is known, else the program. */
export function urlOf(app: { readonly bundleId: string } | null, address: string | null): string | null {
  return address ?? (app === null ? null : `app:${encodeURIComponent(app.bundleId)}`);
}

const now = (): string => new Date().toISOString();
