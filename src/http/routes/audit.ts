// /v1/audit and /v1/events.
import { z } from 'zod';
import { UiaHostError } from '../../contract/errors.ts';
import type { Host, HostEvent, StreamItem } from '../../host/face/host.ts';
import { json, tokenRoute, type Route, type ServerEvent } from '../../host/face/route.ts';
import { wholeNumber } from './approvals.ts';

const Verification = z.object({
  ok: z.boolean(),
  records: z.int(),
  head: z.string(),
  firstBad: z.object({ seq: z.int(), reason: z.enum(['hash', 'gap', 'order', 'truncated', 'key']) }).nullable(),
  sealsCheckedFrom: z
    .int()
    .nullable()
    .describe(
      'First record whose seal the host’s current key could check; earlier records were checked by the hash chain alone.',
    ),
  completeFrom: z
    .int()
    .describe(
      'First record that is there: 1, or a later one where older records were deleted by the policy (auditDays).',
    ),
});

const nullable = z.string().nullable();
/** One record of the audit, as `audit/*.jsonl` and exports hold it. Later versions add fields and kinds. */
export const AuditRecord = z.looseObject({
  seq: z.int().describe('1, 2, 3 … without gaps across all files.'),
  flush: z.int().describe('First number of the flush that the record was written with.'),
  time: z.string().describe('RFC 3339, UTC.'),
  kind: z
    .string()
    .describe(
      'host, request, decision, delivery, outcome, approval, session, policy, grant, token, secret, stop, artifact, audit.',
    ),
  actor: z.looseObject({ tokenId: nullable, surface: z.string() }),
  sessionId: nullable,
  actionId: nullable.describe('The same for all records of an action.'),
  action: nullable.describe('The action’s name, or what happened: session.started, token.revoked.'),
  decision: nullable.describe('execute, review, approve, block, approved, denied, refused.'),
  riskLevel: nullable,
  riskTags: z.array(z.string()),
  why: z.array(z.string()),
  outcome: z.record(z.string(), z.unknown()).nullable(),
  errorCode: nullable,
  text: z.looseObject({ length: z.int() }).nullable().describe('Length and keyed hash of typed text, never the text.'),
  input: z.unknown().describe('The input without texts.'),
  digest: nullable,
  artifacts: z.array(z.string()).describe('SHA-256 of pictures.'),
  details: z.record(z.string(), z.unknown()),
  previous: z.string().describe('Hash of the record before; 64 zeros for the first.'),
  hash: z.string().describe('SHA-256 of this record’s JSON without hash and mac.'),
  mac: z.string(),
});

async function* numbered(items: AsyncIterable<StreamItem<HostEvent>>): AsyncIterable<ServerEvent> {
  for await (const { sequence, event, isPast } of items)
    yield { id: String(sequence), event: event.type, data: event, isPast };
}

export function auditRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/audit',
      operationId: 'readAudit',
      tag: 'audit',
      scope: 'operator',
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
    tokenRoute({
      method: 'GET',
      path: '/v1/audit/verify',
      operationId: 'verifyAudit',
      tag: 'audit',
      scope: 'operator',
      summary: 'Check that the audit is complete and unchanged.',
      replies: { 200: { description: 'The result of the check.', schema: Verification } },
      handle: async () => json(await host.auditVerify()),
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/events',
      operationId: 'streamEvents',
      tag: 'host',
      scope: 'operator',
      isViewable: true,
      summary: 'Events of the host: approvals, actions, sessions, tools, worker.',
      headers: { 'Last-Event-ID': 'Sequence number of the last event seen.' },
      replies: { 200: { description: 'Server-sent events.', mediaType: 'text/event-stream', schema: z.string() } },
      async handle({ header, signal }) {
        const last = header('last-event-id') ?? '';
        if (!/^\d{0,15}$/.test(last))
          throw new UiaHostError(
            'invalid_argument',
            'Last-Event-ID: expected the id of an event in this stream, a number.',
          );
        return { kind: 'events', events: numbered(host.events(last === '' ? null : Number(last), signal)) };
      },
    }),
  ];
}
