/** Sample records for tests of the store. */
import type { ApprovalCard } from '../../../src/contract/gate/approval.ts';
import type { NewAction, NewSession } from '../../../src/store/records.ts';
import { orderCard } from '../../support/approval-card.ts';

export const AT = '2026-02-15T10:00:00.000Z';
export const later = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

export const session = (sessionId: string, changes: Partial<NewSession> = {}): NewSession => ({
  sessionId,
  tokenId: 'tok_1',
  goal: 'Write a letter',
  urls: ['app:notepad.exe'],
  hints: { tone: 'kind' },
  maxActions: 3,
  maxDurationMs: 300_000,
  startedAt: AT,
  ...changes,
});

export const action = (actionId: string, changes: Partial<NewAction> = {}): NewAction => ({
  actionId,
  tokenId: 'tok_1',
  sessionId: 'ses_1',
  action: 'click-element',
  status: 'running',
  createdAt: AT,
  ...changes,
});

export const card = (approvalId: string, changes: Partial<ApprovalCard> = {}): ApprovalCard =>
  orderCard({
    approvalId,
    actionId: `act_${approvalId}`,
    sessionId: 'ses_1',
    owner: 'tok_1/ses_1',
    createdAt: AT,
    expiresAt: later(120_000),
    ...changes,
  });
