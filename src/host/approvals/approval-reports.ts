/** Reports cards and pauses to the operator's stream and the audit. */
import type { AuditEntryInput } from '../../audit/entry.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { Approvals } from './approval-service.ts';

export interface ApprovalReportParts {
  readonly hub: Pick<EventHub, 'publish'>;
  audit(entry: AuditEntryInput): Promise<unknown>;
  onFault(error: unknown, where: string): void;
}

export function reportApprovals({ events }: Approvals, { hub, audit, onFault }: ApprovalReportParts): void {
  const record = (action: string, by: string, details: Record<string, unknown>): void =>
    void audit({
      kind: 'approval',
      actor: { tokenId: null, surface: 'host' },
      action,
      why: [`by ${by}`],
      details,
    }).catch((error: unknown) => onFault(error, 'audit of a pause'));
  events.on('asked', (card) => hub.publish('approval.asked', { card }));
  events.on('settled', (card) => hub.publish('approval.settled', { card }));
  events.on('seen', (card) => hub.publish('approval.seen', { card }));
  events.on('paused', (pause, by) => {
    hub.publish('approval.paused', { pause });
    record('asks.paused', by, { ...pause });
  });
  events.on('lifted', (owner, by) => {
    hub.publish('approval.lifted', { owner });
    record('asks.lifted', by, { owner });
  });
}
