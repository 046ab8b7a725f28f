/** What of the audit security teams get at once, in the Windows event log: who allowed, stopped or changed something. */
import type { AuditEntryInput, AuditFault, AuditLog } from './entry.ts';

export interface SecurityEvent {
  /** docs/deploy/siem.md; a number keeps its meaning for good. */
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

const APPROVED = 100;
const DENIED = 101;
const STOPPED = 102;
const RESUMED = 103;
const POLICY_CHANGED = 104;
const POLICY_REFUSED = 105;
const AUDIT_DAMAGED = 106;
const MADE_TOKEN = 107;
const ENDED_TOKEN = 108;

/** Null for what is only in the audit. No texts of windows and nothing that was typed: every user can read the event log. */
export function securityEventOf(entry: AuditEntryInput): SecurityEvent | null {
  const { kind, action, actor, actionId, sessionId, decision, details } = entry;
  const by = actor.tokenId ?? actor.surface;
  const about = `${action ?? 'unknown'}${actionId ? `, action ${actionId}` : ''}${sessionId ? `, session ${sessionId}` : ''}`;
  if (kind === 'approval' && (decision === 'approved' || decision === 'denied')) {
    const approval = typeof details?.['approvalId'] === 'string' ? `, approval ${details['approvalId']}` : '';
    const isYes = decision === 'approved';
    return event(isYes ? APPROVED : DENIED, 'info', `A person ${decision} ${about}${approval}; by ${actor.surface}.`);
  }
  if (kind === 'stop' && action === 'stop.held')
    return event(STOPPED, 'warning', 'The emergency stop was taken away outside this host; it holds here.');
  if (kind === 'stop')
    return action === 'stop.released'
      ? event(RESUMED, 'info', `The emergency stop was released by ${by}.`)
      : event(STOPPED, 'warning', `Emergency stop by ${by}: no agent can act.`);
  if (kind === 'policy') {
    const points = details?.['loosened'];
    const isLooser = Array.isArray(points) && points.length > 0;
    return event(
      POLICY_CHANGED,
      isLooser ? 'warning' : 'info',
      `The policy was ${isLooser ? 'loosened' : 'changed'} by ${by} (${actor.surface}).`,
    );
  }
  if (kind === 'token') {
    const token = details?.['token'] as { tokenId?: unknown; name?: unknown; scope?: unknown } | undefined;
    const which = `${String(token?.name ?? '')} (${String(token?.tokenId ?? '')}, ${String(token?.scope ?? '')})`;
    return action === 'token.created'
      ? event(MADE_TOKEN, 'info', `The token ${which} was made by ${by}.`)
      : event(ENDED_TOKEN, 'info', `${action}: the token ${which}, by ${by}.`);
  }
  return null;
}

export const policyRefused = (file: string): SecurityEvent =>
  event(POLICY_REFUSED, 'warning', `A part of the policy is not valid; after a minute nothing is allowed: ${file}`);

export const auditDamaged = ({ seq, reason }: { readonly seq: number; readonly reason: AuditFault }): SecurityEvent =>
  event(AUDIT_DAMAGED, 'error', `The audit is damaged from record ${seq} on (${reason}). Run: uiahost audit verify`);

const event = (id: number, level: SecurityEvent['level'], text: string): SecurityEvent => ({ id, level, text });

/** The log, which also reports these events. A stop or a denial is reported even if it could not be written. */
export const reporting = (log: AuditLog, report: (event: SecurityEvent) => void): AuditLog => ({
  ...log,
  async append(entry) {
    const found = securityEventOf(entry);
    if (found !== null) report(found);
    return log.append(entry);
  },
});
