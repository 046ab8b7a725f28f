// /v1/audit and /v1/events.
import { z } from 'zod';
import { badInput } from '../../contract/errors.ts';
import { AuditRecord, AuditVerdict } from '../../contract/gate/views.ts';
import type { Host, HostEvent, StreamItem } from '../../host/face/host.ts';
import { json, tokenRoute, type Route, type ServerEvent } from '../../host/face/route.ts';
import { wholeNumber } from './approvals.ts';

const OPERATOR = { tag: 'audit', scope: 'operator' } as const;

async function* numbered(items: AsyncIterable<StreamItem<HostEvent>>): AsyncIterable<ServerEvent> {
  for await (const { sequence, event, isPast } of items)
    yield { id: String(sequence), event: event.type, data: event, isPast };
}

export function auditRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/audit', 'readAudit', {
      ...OPERATOR,
      summary: 'Audit entries after a sequence number.',
      query: z.strictObject({
        after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
          .optional()
          .describe('Sequence number; default 0, which starts with the first entry.'),
        limit: wholeNumber(1, 1000).optional().describe('Most entries; default 100.'),
      }),
      replies: {
        200: {
          description: 'Entries; `next` is the value of `after` for the next page.',
          schema: z.object({ entries: z.array(AuditRecord), next: z.int().nullable() }),
        },
      },
      handle: async ({ query }) => json(await host.auditEntries(query.after ?? 0, query.limit ?? 100)),
    }),
    tokenRoute('GET /v1/audit/verify', 'verifyAudit', {
      ...OPERATOR,
      summary: 'Check that the audit is complete and unchanged.',
      replies: { 200: { description: 'The result of the check.', schema: AuditVerdict } },
      handle: async () => json(await host.auditVerify()),
    }),
    tokenRoute('GET /v1/events', 'streamEvents', {
      tag: 'host',
      scope: 'operator',
      isViewable: true,
      summary: 'Events of the host: approvals, actions, sessions, tools, worker.',
      headers: { 'Last-Event-ID': 'Sequence number of the last event seen.' },
      query: z.strictObject({
        recent: wholeNumber(1, 1000).optional().describe('Begins with this many of the latest events; default none.'),
      }),
      replies: { 200: { description: 'Server-sent events.', mediaType: 'text/event-stream', schema: z.string() } },
      async handle({ header, query, signal }) {
        const last = header('last-event-id') ?? '';
        if (!/^\d{0,15}$/.test(last))
          throw badInput('Last-Event-ID: expected the id of an event in this stream, a number.');
        const after = query.recent === undefined ? null : -query.recent;
        return { kind: 'events', events: numbered(host.events(last === '' ? after : Number(last), signal)) };
      },
    }),
  ];
}
