/** What the Windows event log gets of the audit. */
import { describe, expect, it } from 'vitest';
import type { AuditEntryInput, AuditLog } from '../../../src/audit/entry.ts';
import {
  auditDamaged,
  policyRefused,
  reporting,
  securityEventOf,
  type SecurityEvent,
} from '../../../src/audit/security-events.ts';

const actor = { tokenId: 'operator', surface: 'api' };
const rows: Array<[id: number, entry: AuditEntryInput]> = [
  [
    100,
    {
      kind: 'approval',
      actor,
      action: 'clickElement',
      actionId: 'act_1',
      decision: 'approved',
      why: ['Planted title'],
    },
  ],
  [101, { kind: 'approval', actor, action: 'clickElement', actionId: 'act_1', decision: 'denied' }],
  [102, { kind: 'stop', actor, action: 'stop.pressed' }],
  [103, { kind: 'stop', actor, action: 'stop.released' }],
  [104, { kind: 'policy', actor, action: 'policy.changed', details: { loosened: ['level'] } }],
  [
    107,
    { kind: 'token', actor, action: 'token.created', details: { token: { tokenId: 't', name: 'ci', scope: 'agent' } } },
  ],
  [
    108,
    { kind: 'token', actor, action: 'token.revoked', details: { token: { tokenId: 't', name: 'ci', scope: 'agent' } } },
  ],
];

describe('[siem.events] security events', () => {
  it.each(rows)('number %i, without texts of windows', (id, entry) => {
    const event = securityEventOf({ ...entry, input: { text: 'Planted text' } });
    expect(event?.id).toBe(id);
    expect(event?.text).not.toContain('Planted');
  });

  it.each([
    { kind: 'delivery', actor, action: 'clickElement' },
    { kind: 'outcome', actor, action: 'clickElement' },
    { kind: 'approval', actor, action: 'clickElement', decision: 'approve' },
  ] as const)('reports no work: %j', (entry) => expect(securityEventOf(entry)).toBeNull());

  it('names a refused policy and a damaged audit, and a loosened policy is a warning', () => {
    expect(policyRefused('C:\\p.json')).toMatchObject({ id: 105, level: 'warning' });
    expect(auditDamaged({ seq: 5, reason: 'hash' })).toMatchObject({ id: 106, level: 'error' });
    expect(securityEventOf(rows[4]![1])?.level).toBe('warning');
  });

  it('reports a stop also where the audit cannot be written', async () => {
    const reported: SecurityEvent[] = [];
    const full = { append: () => Promise.reject(new Error('full')) } as unknown as AuditLog;
    await expect(reporting(full, (event) => reported.push(event)).append(rows[2]![1])).rejects.toThrow('full');
    expect(reported.map(({ id }) => id)).toEqual([102]);
  });
});
